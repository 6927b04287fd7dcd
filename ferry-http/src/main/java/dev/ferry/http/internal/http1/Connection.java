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

  private final BlockingTransport transport;
  private final boolean proxied;
  private final ConnectionPool pool;
  private ResponseReader reader;
  private volatile boolean spent;
  private volatile boolean held;
  private long idleSince;

  /**
   * @param proxied whether requests go to a proxy, which needs their whole URI
   */
  Connection(BlockingTransport transport, boolean proxied, ConnectionPool pool) {
    this.transport = transport;
    this.proxied = proxied;
    this.pool = pool;
    reader = begin();
  }

  private ResponseReader begin() {
    return new ResponseReader(transport, BUFFERS.take(BUFFER_BYTES).limit(0));
  }

  BlockingTransport transport() {
    return transport;
  }

  /** Reads the responses to the current request. */
  ResponseReader reader() {
    return reader;
  }

  /** Whether requests go to a proxy, which needs their whole URI. */
  boolean isProxied() {
    return proxied;
  }

  /** Returns the nanoseconds for which there was no request. */
  long idle() {
    return System.nanoTime() - idleSince;
  }

  /** Prepares for the next request. Returns false if the server has closed the connection. */
  boolean reuse() {
    reader = begin();
    ByteBuffer buffer = reader.buffer().clear();
    try {
      // Tells the end from silence. Bytes that nobody has asked for are as bad as the end.
      if (transport.readArrived(buffer) == 0 && transport.isOpen()) {
        buffer.flip();
        return true;
      }
    } catch (IOException e) {
      // It has ended, too.
    }
    giveBuffer();
    return false;
  }

  /** Gives the buffer back, since the connection has no request any more. */
  void giveBuffer() {
    BUFFERS.give(reader.buffer());
  }

  /** From now on the connection has several requests at once, until {@link #letGo}. */
  void hold() {
    held = true;
  }

  /** Whether there may be requests behind the current one. */
  boolean isHeld() {
    return held;
  }

  /** Whether the connection has no further request. */
  boolean isSpent() {
    return spent || !transport.isOpen();
  }

  /**
   * Ends the requests of a connection that was held.
   *
   * @param answered whether all of them have a response
   */
  void letGo(boolean answered) {
    held = false;
    done(answered && !isSpent());
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
    if (held) {
      spent |= !kept;
      return;
    }
    boolean reusable = kept && !spent && !reader.buffer().hasRemaining();
    giveBuffer();
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
