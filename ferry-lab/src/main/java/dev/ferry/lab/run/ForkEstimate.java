package dev.ferry.lab.run;

import java.time.Duration;

/**
 * A fork that every round of a run has.
 *
 * @param name what it measures: a row or some ceilings
 * @param kind equal for those whose time is guessed wrong by the same things
 * @param expected what it is guessed to take
 */
record ForkEstimate(Object name, Object kind, Duration expected) {}
