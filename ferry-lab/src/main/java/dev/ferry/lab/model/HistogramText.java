package dev.ferry.lab.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * Converts histograms to and from the text in samples: HdrHistogram's format V2, compressed, in
 * base64.
 */
public final class HistogramText {
  private HistogramText() {}

  /** Encodes a histogram as text. */
  public static String encode(Histogram histogram) {
    ByteBuffer target = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(target);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(target.array(), length));
  }

  /**
   * Decodes a histogram.
   *
   * @throws IllegalArgumentException if the text is not a histogram
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
