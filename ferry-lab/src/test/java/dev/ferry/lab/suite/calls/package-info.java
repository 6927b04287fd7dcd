@NullMarked
package dev.ferry.lab.suite.calls;

import org.jspecify.annotations.NullMarked;
