@NullMarked
package dev.ferry.suites.receiving;

import org.jspecify.annotations.NullMarked;
