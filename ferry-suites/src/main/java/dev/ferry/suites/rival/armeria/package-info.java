/** Armeria, as its documentation has it. */
@NullMarked
package dev.ferry.suites.rival.armeria;

import org.jspecify.annotations.NullMarked;
