package dev.ferry.http.internal.http1;

import dev.ferry.core.FileSink;
import dev.ferry.http.internal.FileTransferable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The body of a response. A file is written from the buffer into which the connection was read. At
 * the end of the body the connection goes back to its pool; if the body is closed before, so is the
 * connection. For one thread at a time, but any thread may close it.
 */
final class ResponseBody extends InputStream implements FileTransferable {
  /** The rest of a body that is read so that those behind it can be. */
  private static final int MOST_DRAINED = 1024 * 1024;

  private final Connection connection;
  private final ResponseReader reader;
  private final ResponseHead head;
  private final Runnable moved;
  private final boolean untilClose;
  private final boolean strayBody;
  private final boolean empty;
  private final AtomicBoolean over = new AtomicBoolean();
  private final Thread reading = Thread.currentThread();

  /** Bytes to come, of the current chunk if there are chunks. */
  private long left;

  private boolean inChunk;
  private int mostWritten = Integer.MAX_VALUE;
  private volatile boolean ended;

  /**
   * @param method of the request
   * @param moved called after each read of the connection
   */
  ResponseBody(
      Connection connection,
      ResponseReader reader,
      ResponseHead head,
      String method,
      Runnable moved) {
    this.connection = connection;
    this.reader = reader;
    this.head = head;
    this.moved = moved;
    boolean body = head.hasBody(method);
    // Some servers send one nevertheless.
    strayBody = !body && !method.equals("HEAD") && (head.chunked() || head.contentLength() > 0);
    untilClose = body && !head.chunked() && head.contentLength() < 0;
    left = untilClose ? Long.MAX_VALUE : Math.max(0, body ? head.contentLength() : 0);
    empty = !body || head.contentLength() == 0;
  }

  /** Ends the body if it has no bytes, which gives the connection away. */
  void begin() {
    if (empty) {
      end();
    }
  }

  /** Writes no more than this many bytes at once from now on. */
  void limitWrites(int bytes) {
    mostWritten = bytes;
  }

  private void end() {
    ended = true;
    if (over.compareAndSet(false, true)) {
      connection.done(head.keepsConnection() && !untilClose && !strayBody);
    }
  }

  /** Waits for bytes. Returns how many of the buffer belong to the body; 0 at its end. */
  private int await() throws IOException {
    if (ended) {
      return 0;
    }
    if (head.chunked() && left == 0) {
      nextChunk();
      if (ended) {
        return 0;
      }
    }
    if (!reader.buffer().hasRemaining()) {
      boolean more = reader.receive();
      moved.run();
      if (!more && untilClose) {
        end();
        return 0;
      }
      if (!more) {
        throw new EOFException("the connection ended in a body");
      }
    }
    return (int) Math.min(reader.buffer().remaining(), left);
  }

  private void nextChunk() throws IOException {
    if (inChunk) {
      reader.chunkEnd();
    }
    left = reader.chunkSize();
    inChunk = true;
    if (left == 0) {
      head.setTrailers(reader.trailers());
      end();
    }
  }

  private void taken(int bytes) {
    left -= bytes;
    if (left == 0 && !head.chunked()) {
      end();
    }
  }

  @Override
  public boolean writeNext(FileSink sink) throws IOException {
    int n = Math.min(await(), mostWritten);
    if (n > 0) {
      ByteBuffer buffer = reader.buffer();
      int end = buffer.position() + n;
      int limit = buffer.limit();
      try {
        sink.write(buffer.limit(end));
      } finally {
        // Also if the disk is full: what follows in the buffer is the rest, or another response.
        buffer.limit(limit).position(end);
        taken(n);
      }
    }
    return !ended;
  }

  /**
   * Returns a positive number until the end is known. {@link java.util.zip.GZIPInputStream} takes 0
   * for the end, although another member may follow.
   */
  @Override
  public int available() {
    return ended ? 0 : (int) Math.max(1, Math.min(reader.buffer().remaining(), left));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int n = Math.min(await(), length);
    if (n == 0) {
      return -1;
    }
    reader.buffer().get(to, offset, n);
    taken(n);
    return n;
  }

  /** Whether the whole body was read. */
  boolean ended() {
    return ended;
  }

  /** Reads the rest of a small body, behind which there are other responses. */
  private void drain() {
    try {
      for (int drained = 0; !ended && drained < MOST_DRAINED; ) {
        int n = await();
        reader.buffer().position(reader.buffer().position() + n);
        drained += n;
        taken(n);
      }
    } catch (IOException e) {
      // The connection is closed then, as if there were no others.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    if (connection.isHeld() && reading == Thread.currentThread() && !over.get()) {
      drain();
    }
    if (over.compareAndSet(false, true)) {
      connection.close();
    }
  }
}
