package dev.ferry.jmeter;

import dev.ferry.load.EngineWorker;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.apache.jmeter.samplers.SampleResult;
import org.jspecify.annotations.Nullable;

/**
 * All samples of one label in one second of an engine. Other listeners see their number, the
 * failures, the bytes and the sum of the times, as in JMeter's own statistical mode.
 */
final class HistogramSample extends SampleResult {
  private static final long serialVersionUID = 1L;
  private static final double NANOS_PER_MILLI = 1e6;

  /**
   * The second of an engine.
   *
   * @param started when its first sample began, by its own clock; null if none did yet
   * @param from seconds after that
   * @param to the same
   * @param threads JMeter's threads at the end
   * @param cores processors of the machine
   * @param cpuShare time of processors that the engine used since then, divided by all there was
   */
  record Second(
      @Nullable Instant started, double from, double to, int threads, int cores, double cpuShare)
      implements Serializable {}

  private final Second second;
  private final boolean last;
  private final byte[] latencies;
  private final TreeMap<String, Long> errors;
  private final long moved;
  private final long millis;

  /**
   * @param last whether no other label of this second follows
   */
  HistogramSample(Second second, EngineWorker.Sampled sampled, boolean last) {
    this.second = second;
    this.last = last;
    Histogram histogram = sampled.latencies();
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    latencies = new byte[length];
    buffer.flip().get(latencies);
    errors = new TreeMap<>(sampled.errors());
    moved = sampled.bytes();
    long done = histogram.getTotalCount();
    millis = Math.round(done == 0 ? 0 : histogram.getMean() * done / NANOS_PER_MILLI);
    long failed = sampled.errors().values().stream().mapToLong(Long::longValue).sum();
    setSampleLabel(sampled.operation());
    setSampleCount((int) (done + failed));
    setErrorCount((int) failed);
    setSuccessful(failed == 0);
    setBytes(moved);
    setStampAndTime(System.currentTimeMillis(), 0);
  }

  Second second() {
    return second;
  }

  boolean isLast() {
    return last;
  }

  /** Whether this only says that the engine is alive. */
  boolean isEmpty() {
    return getSampleCount() == 0;
  }

  /**
   * What the engine measured.
   *
   * @throws IllegalArgumentException if it is damaged
   */
  EngineWorker.Sampled sampled() {
    try {
      Histogram histogram = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(latencies), 0);
      return new EngineWorker.Sampled(getSampleLabel(), histogram, moved, Map.copyOf(errors));
    } catch (DataFormatException e) {
      throw new IllegalArgumentException(getSampleLabel() + ": is no histogram", e);
    }
  }

  /** The sum of the milliseconds of all samples that succeeded. */
  @Override
  public long getTime() {
    return millis;
  }
}
