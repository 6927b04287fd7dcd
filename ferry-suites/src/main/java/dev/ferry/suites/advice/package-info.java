/**
 * Advice from the results of a run: what to use, in sentences with their figures.
 *
 * <p>A sentence keeps the {@link dev.ferry.suites.advice.Claim}s that it makes about rows, so that
 * a test can hold them against the rows and against each other.
 */
@NullMarked
package dev.ferry.suites.advice;

import org.jspecify.annotations.NullMarked;
