package dev.ferry.jmeter;

import org.apache.jmeter.samplers.SampleResult;

/** A sample that knows its time in nanoseconds; JMeter knows milliseconds. */
final class FerrySample extends SampleResult {
  private static final long serialVersionUID = 1L;
  private static final double NANOS_PER_MILLI = 1e6;

  private long beginNanos;
  private long nanos = -1;

  /** Begins the sample. */
  void begin() {
    sampleStart();
    beginNanos = System.nanoTime();
  }

  /** Ends the sample. */
  void end() {
    nanos = System.nanoTime() - beginNanos;
    sampleEnd();
  }

  /** Nanoseconds from the beginning to the end of a sample, as exactly as they are known. */
  static long nanosOf(SampleResult sample) {
    return sample instanceof FerrySample known && known.nanos >= 0
        ? known.nanos
        : Math.round(Math.max(0, sample.getTime()) * NANOS_PER_MILLI);
  }
}
