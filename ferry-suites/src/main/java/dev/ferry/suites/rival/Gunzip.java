package dev.ferry.suites.rival;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * A file that arrives as a gzip stream, piece by piece. {@code GZIPInputStream} would have to wait
 * for the next piece.
 */
public final class Gunzip implements Closeable {
  private static final int HEADER_BYTES = 10;
  private static final int FLAGS = 3;
  private static final int TRAILER_BYTES = 8;

  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final PartFile file;
  private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
  private final ByteBuffer plain;
  private final ByteBuffer trailer =
      ByteBuffer.allocate(TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * @param file gets what is decompressed
   * @param bufferSize bytes that it gets at once
   */
  public Gunzip(PartFile file, int bufferSize) {
    this.plain = ByteBuffer.allocate(bufferSize);
    this.file = file;
  }

  /** Decompresses the next piece. */
  public void write(ByteBuffer bytes) throws IOException {
    move(bytes, header);
    if (header.hasRemaining()) {
      return;
    }
    // Servers of files send none of the optional fields.
    if (header.getShort(0) != 0x1f8b || header.get(FLAGS) != 0) {
      throw new ZipException("not a plain gzip stream");
    }
    try {
      inflate(bytes);
    } catch (DataFormatException e) {
      throw new IOException("the gzip stream is corrupt", e);
    }
    move(bytes, trailer);
  }

  private void inflate(ByteBuffer bytes) throws IOException, DataFormatException {
    inflater.setInput(bytes);
    while (!inflater.finished()) {
      int n = inflater.inflate(plain);
      if (n == 0 && !inflater.finished()) {
        return;
      }
      if (!plain.hasRemaining() || inflater.finished()) {
        crc.update(plain.flip().duplicate());
        file.write(plain);
        plain.clear();
      }
    }
  }

  private static void move(ByteBuffer from, ByteBuffer to) {
    while (from.hasRemaining() && to.hasRemaining()) {
      to.put(from.get());
    }
  }

  /** Checks that the stream was whole. */
  public void finish() throws IOException {
    if (trailer.hasRemaining()
        || trailer.getInt(0) != (int) crc.getValue()
        || trailer.getInt(Integer.BYTES) != (int) inflater.getBytesWritten()) {
      throw new ZipException("the gzip stream is cut or corrupt");
    }
  }

  @Override
  public void close() {
    inflater.end();
  }
}
