/** Armeria's clients, against Ferry's servers. */
@NullMarked
package dev.ferry.suites.rival.armeria;

import org.jspecify.annotations.NullMarked;
