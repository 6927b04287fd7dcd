/** Tests of the records of runs. */
@NullMarked
package dev.ferry.lab.model;

import org.jspecify.annotations.NullMarked;
