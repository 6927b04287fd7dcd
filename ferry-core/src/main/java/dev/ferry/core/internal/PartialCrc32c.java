package dev.ferry.core.internal;

import dev.ferry.core.Crc32c;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Computes the CRC-32C of a file from its parts, in any order: several threads may read or write
 * one file. Each part has a checksum of its own, and checksums of adjacent parts are combined.
 * Thread-safe; several threads compute checksums at the same time.
 */
public final class PartialCrc32c implements PassingDigest {
  /** The polynomial of CRC-32C, with the coefficient of x^31 in the lowest bit. */
  private static final int POLYNOMIAL = 0x82f63b78;

  /** The polynomial 1, whose coefficient is in the highest bit. */
  private static final int ONE = 1 << 31;

  /** The polynomial x^8, which shifts by a byte. */
  private static final int BYTE = ONE >>> 8;

  private record Part(long length, int crc) {}

  /** Parts that do not begin at {@link #end}, by their positions. */
  private final Map<Long, Part> ahead = new HashMap<>();

  private long end;
  private int combined;
  private long lastLength;
  private int lastShift = ONE;

  @Override
  public void add(long position, ByteBuffer bytes) {
    long length = bytes.remaining();
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    add(position, length, (int) crc.getValue());
  }

  @Override
  public void add(long position, ByteBuffer[] bytes) {
    long length = 0;
    CRC32C crc = new CRC32C();
    for (ByteBuffer buffer : bytes) {
      length += buffer.position();
      crc.update(buffer.flip());
    }
    add(position, length, (int) crc.getValue());
  }

  /**
   * Adds a part of the file whose checksum is known.
   *
   * @param length bytes of the part
   */
  public synchronized void add(long position, long length, int crc) {
    if (position > end) {
      ahead.put(position, new Part(length, crc));
    } else if (position == end) {
      append(length, crc);
      appendAhead();
    }
  }

  private void appendAhead() {
    while (!ahead.isEmpty()) {
      Part next = ahead.remove(end);
      if (next == null) {
        return;
      }
      append(next.length(), next.crc());
    }
  }

  private void append(long length, int crc) {
    if (length != lastLength) {
      lastLength = length;
      lastShift = shift(length);
    }
    combined = multiply(lastShift, combined) ^ crc;
    end += length;
  }

  @Override
  public synchronized @Nullable Crc32c of(long size) {
    return end == size ? new Crc32c(combined) : null;
  }

  /** Returns x^(8 * bytes), by which the checksum of what comes before is multiplied. */
  private static int shift(long bytes) {
    int product = ONE;
    int square = BYTE;
    for (long n = bytes; n != 0; n >>>= 1) {
      if ((n & 1) != 0) {
        product = multiply(square, product);
      }
      square = multiply(square, square);
    }
    return product;
  }

  /** Multiplies two polynomials over GF(2) modulo {@link #POLYNOMIAL}. */
  private static int multiply(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      if (rest < 0) {
        product ^= shifted;
      }
      shifted = (shifted >>> 1) ^ ((shifted & 1) == 0 ? 0 : POLYNOMIAL);
    }
    return product;
  }
}
