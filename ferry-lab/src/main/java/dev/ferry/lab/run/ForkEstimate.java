package dev.ferry.lab.run;

import java.time.Duration;

/**
 * The estimate for a fork that runs in every round.
 *
 * @param name what the fork measures: a row or some ceilings
 * @param kind equal for forks whose estimates have the same sources of error
 * @param expected the estimated duration
 */
record ForkEstimate(Object name, Object kind, Duration expected) {}
