@NullMarked
package dev.ferry.suites.calls;

import org.jspecify.annotations.NullMarked;
