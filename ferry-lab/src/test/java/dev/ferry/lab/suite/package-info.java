/** Tests of plans. */
@NullMarked
package dev.ferry.lab.suite;

import org.jspecify.annotations.NullMarked;
