package dev.ferry.lab.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.HdrHistogram.Histogram;

/**
 * Converts histograms to and from the text in samples: HdrHistogram's format V2, compressed, in
 * base64.
 */
public final class HistogramText {
  /** Bytes of the cookie and of the length, which are not compressed. */
  private static final int BEFORE_HEADER = 2 * Integer.BYTES;

  /** The cookie, the length of the counts and the offset of their index are before them. */
  private static final int DIGITS_AT = 3 * Integer.BYTES;

  /** Significant digits of the samples. */
  private static final int MOST_DIGITS = 3;

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
      byte[] bytes = Base64.getDecoder().decode(text);
      requireDigits(bytes);
      return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
    } catch (DataFormatException | RuntimeException e) {
      // HdrHistogram throws whatever its arrays throw.
      throw new IllegalArgumentException("no histogram: " + e.getMessage(), e);
    }
  }

  /** Reads how exact a histogram says it is, since HdrHistogram makes room for that at once. */
  private static void requireDigits(byte[] bytes) throws DataFormatException {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(bytes, BEFORE_HEADER, bytes.length - BEFORE_HEADER);
      byte[] header = new byte[DIGITS_AT + Integer.BYTES];
      int unused = inflater.inflate(header);
      int digits = ByteBuffer.wrap(header).getInt(DIGITS_AT);
      if (digits > MOST_DIGITS) {
        throw new DataFormatException("it has " + digits + " digits");
      }
    } finally {
      inflater.end();
    }
  }
}
