package dev.ferry.lab.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms as samples keep them: HdrHistogram's format V2, compressed, in base64. */
public final class HistogramText {
  private HistogramText() {}

  /** A histogram as text. */
  public static String encode(Histogram histogram) {
    ByteBuffer target = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(target);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(target.array(), length));
  }

  /**
   * The histogram of a text.
   *
   * @throws IllegalArgumentException where it is none
   */
  public static Histogram decode(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no histogram: " + e.getMessage(), e);
    }
  }
}
