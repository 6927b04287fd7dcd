package dev.ferry.suites.rival;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The body of an upload: a file or its gzip stream, buffer by buffer. Any thread may fill a buffer,
 * one after the other. After {@link #close} all fail.
 */
public final class SentFile implements Closeable {
  private final FileChannel channel;
  private final long size;
  private final int bufferSize;
  private final boolean isGzip;
  private long position;
  private long sent;
  private @Nullable Gzip gzip;

  /**
   * Opens a file.
   *
   * @param isGzip whether it is compressed
   * @param bufferSize bytes that a client sends at once
   */
  public SentFile(Path file, boolean isGzip, int bufferSize) throws IOException {
    this.channel = FileChannel.open(file);
    this.size = channel.size();
    this.bufferSize = bufferSize;
    this.isGzip = isGzip;
    restart();
  }

  /** Begins anew, as a client does that sends its request again. */
  public synchronized void restart() {
    position = 0;
    sent = 0;
    if (gzip != null) {
      gzip.deflater.end();
    }
    gzip = isGzip ? new Gzip(bufferSize) : null;
  }

  /** Returns the bytes of the file. */
  long size() {
    return size;
  }

  /** Returns the bytes of the body; -1 if they are not known before. */
  public long length() {
    return isGzip ? -1 : size;
  }

  /** Returns the bytes that a client sends at once. */
  public int bufferSize() {
    return bufferSize;
  }

  /** Returns the bytes of the body so far. */
  public synchronized long sent() {
    return sent;
  }

  /**
   * Fills a buffer to its limit, unless the body ends before.
   *
   * @return whether the body has ended
   */
  public synchronized boolean fill(ByteBuffer buffer) throws IOException {
    int before = buffer.position();
    boolean last = gzip == null ? read(buffer) : gzip.fill(buffer);
    sent += buffer.position() - before;
    return last;
  }

  private boolean read(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining() && position < size) {
      int n = channel.read(buffer, position);
      if (n < 0) {
        throw new IOException("the file has become shorter while it was sent");
      }
      position += n;
    }
    return position == size;
  }

  @Override
  public synchronized void close() throws IOException {
    channel.close();
    if (gzip != null) {
      gzip.deflater.end();
    }
  }

  /** One gzip stream, at the level that all rows have. */
  private final class Gzip {
    private static final byte[] HEADER = {
      0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 4 /* fastest */, (byte) 0xff /* any OS */
    };
    private static final int TRAILER_BYTES = 8;

    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
    private final CRC32 crc = new CRC32();
    private final ByteBuffer input;
    private ByteBuffer framing = ByteBuffer.wrap(HEADER);
    private boolean ended;

    Gzip(int bufferSize) {
      input = ByteBuffer.allocate(bufferSize);
    }

    boolean fill(ByteBuffer buffer) throws IOException {
      while (buffer.hasRemaining()) {
        if (framing.hasRemaining()) {
          buffer.put(framing.get());
        } else if (ended) {
          return true;
        } else {
          deflate(buffer);
        }
      }
      return ended && !framing.hasRemaining();
    }

    private void deflate(ByteBuffer buffer) throws IOException {
      if (deflater.needsInput()) {
        if (read(input.clear())) {
          deflater.finish();
        }
        crc.update(input.flip().duplicate());
        deflater.setInput(input);
      }
      deflater.deflate(buffer);
      if (deflater.finished()) {
        ended = true;
        framing =
            ByteBuffer.allocate(TRAILER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) crc.getValue())
                .putInt((int) size)
                .flip();
      }
    }
  }
}
