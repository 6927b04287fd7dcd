package dev.ferry.http.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A file as one gzip member (RFC 1952), compressed on demand at level 1.
 *
 * <p>{@code GZIPOutputStream} is push-based and copies through an array. This encoder writes
 * directly into the buffer that is sent. For one thread at a time.
 */
public final class GzipEncoder implements Closeable {
  private static final int LEVEL = 1;
  private static final byte[] HEADER = {
    0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 4 /* fastest */, (byte) 0xff /* any OS */
  };
  private static final int TRAILER_BYTES = 8;

  private final FileSource source;
  private final long size;
  private final ByteBuffer input;
  private final Deflater deflater = new Deflater(LEVEL, true);
  private final CRC32 crc = new CRC32();
  private ByteBuffer framing = ByteBuffer.wrap(HEADER);
  private boolean trailer;
  private long position;

  /**
   * Creates an encoder. The caller closes the source.
   *
   * @param bufferSize bytes to read from the file at once
   */
  public GzipEncoder(FileSource source, int bufferSize) {
    this.source = source;
    this.size = source.facts().size();
    this.input = ByteBuffer.allocateDirect(bufferSize).limit(0);
  }

  /** Returns the bytes of the file read so far. */
  public long position() {
    return position;
  }

  /**
   * Fills a buffer unless the stream ends before, or it is enough for now.
   *
   * @param enough asked after each buffer that was read from the file and compressed
   * @return whether the stream has ended
   */
  public boolean fill(ByteBuffer out, BooleanSupplier enough) throws FerryException {
    boolean read = false;
    while (true) {
      putFraming(out);
      if (trailer || !out.hasRemaining()) {
        return trailer && !framing.hasRemaining();
      }
      if (deflater.needsInput() && position < size) {
        if (read && enough.getAsBoolean()) {
          return false;
        }
        read();
        read = true;
      }
      if (position == size) {
        deflater.finish();
      }
      deflater.deflate(out);
      if (deflater.finished()) {
        trailer = true;
        framing =
            ByteBuffer.allocate(TRAILER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt((int) size)
                .flip();
      }
    }
  }

  private void putFraming(ByteBuffer out) {
    while (framing.hasRemaining() && out.hasRemaining()) {
      out.put(framing.get());
    }
  }

  private void read() throws FerryException {
    input.clear().limit((int) Math.min(input.capacity(), size - position));
    source.readFully(input, position);
    input.flip();
    position += input.remaining();
    crc.update(input.duplicate());
    deflater.setInput(input);
  }

  @Override
  public void close() {
    deflater.end();
  }
}
