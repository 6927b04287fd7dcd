/** The data of a run: rows, samples, environment, and the public run document. */
@NullMarked
package dev.ferry.lab.model;

import org.jspecify.annotations.NullMarked;
