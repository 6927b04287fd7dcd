package dev.ferry.http.internal.http1;

import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.CopyBuffers;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A connection to a server, for one request after another. It has a buffer only while it has a
 * request, which is sent and answered through the same one. For one thread at a time, but any
 * thread may close it.
 */
final class Connection implements Closeable {
  /** More than a record of TLS and than a head. Smaller writes to a file are slower. */
  static final int BUFFER_BYTES = 256 * 1024;

  private static final CopyBuffers BUFFERS = CopyBuffers.direct();

  private final Transport transport;
  private final ConnectionPool pool;
  private ResponseReader reader;
  private boolean reused;
  private boolean spent;
  private long idleSince;

  Connection(Transport transport, ConnectionPool pool) {
    this.transport = transport;
    this.pool = pool;
    reader = begin();
  }

  private ResponseReader begin() {
    return new ResponseReader(transport, BUFFERS.take(BUFFER_BYTES).limit(0));
  }

  Transport transport() {
    return transport;
  }

  /** Reads the responses to the current request. */
  ResponseReader reader() {
    return reader;
  }

  /** Whether the current request is not the first one. */
  boolean isReused() {
    return reused;
  }

  /** Returns the nanoseconds for which there was no request. */
  long idle() {
    return System.nanoTime() - idleSince;
  }

  /** Prepares for the next request. Returns false if the server has closed the connection. */
  boolean reuse() {
    reader = begin();
    reused = true;
    ByteBuffer buffer = reader.buffer().clear();
    try {
      // Tells the end from silence. Bytes that nobody has asked for are as bad as the end.
      boolean silent = transport.readArrived(buffer) == 0;
      buffer.flip();
      return silent;
    } catch (IOException e) {
      return false;
    }
  }

  /** From now on the connection has no further request, since the current one is not complete. */
  void spend() {
    spent = true;
  }

  /**
   * Ends the current request, whose response was read.
   *
   * @param kept whether the server leaves the connection open
   */
  void done(boolean kept) {
    ByteBuffer buffer = reader.buffer();
    boolean reusable = kept && !spent && !buffer.hasRemaining();
    BUFFERS.give(buffer);
    if (reusable) {
      idleSince = System.nanoTime();
      pool.give(this);
    } else {
      Closing.quietly(this);
    }
  }

  @Override
  public void close() throws IOException {
    transport.close();
  }
}
