/**
 * What JMeter needs to load a server of Ferry, and to collect what its remote engines measure.
 *
 * <p>An engine sends histograms once a second, by a thread of its own, and keeps those that the
 * controller did not take. JMeter copies the test plan for each engine, so the controller has a
 * copy of {@link dev.ferry.jmeter.EngineReport} for each; all share one {@code EngineRun}, which
 * writes the seconds and watches for silence.
 */
@NullMarked
package dev.ferry.jmeter;

import org.jspecify.annotations.NullMarked;
