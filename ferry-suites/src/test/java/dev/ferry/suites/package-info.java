@NullMarked
package dev.ferry.suites;

import org.jspecify.annotations.NullMarked;
