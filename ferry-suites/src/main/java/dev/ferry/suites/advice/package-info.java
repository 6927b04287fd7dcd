/** Advice from the results of a run: what to use, in sentences with their figures. */
@NullMarked
package dev.ferry.suites.advice;

import org.jspecify.annotations.NullMarked;
