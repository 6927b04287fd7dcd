@NullMarked
package dev.ferry.suites.rival.ccore;

import org.jspecify.annotations.NullMarked;
