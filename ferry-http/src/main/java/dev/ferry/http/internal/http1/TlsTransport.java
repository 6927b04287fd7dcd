package dev.ferry.http.internal.http1;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** The decrypted bytes of a connection. The JDK's sockets with TLS copy through arrays. */
final class TlsTransport implements BlockingTransport {
  /** The most bytes that one record has when it is decrypted. */
  static final int MAX_RECORD = 16 * 1024 + 2048;

  /** Records that are read from or written to the socket at once, if there are as many. */
  private static final int RECORDS = 4;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final BlockingTransport wire;
  private final SSLEngine engine;

  /** What was read and not decrypted, from its position to its limit. */
  private final ByteBuffer arrived;

  /** Whether the engine has more decrypted bytes than the last buffer had room for. */
  private boolean more;

  /** What is encrypted and not written, up to its position. */
  private final ByteBuffer leaving;

  private TlsTransport(BlockingTransport wire, SSLEngine engine) {
    this.wire = wire;
    this.engine = engine;
    int packet = engine.getSession().getPacketBufferSize();
    // On the heap: the JDK's AES-GCM takes direct buffers apart into arrays of 1 KiB.
    arrived = ByteBuffer.allocate(RECORDS * packet).limit(0);
    leaving = ByteBuffer.allocate(RECORDS * packet);
  }

  /**
   * Shakes hands.
   *
   * @param engine of a client, with its parameters set
   * @throws IOException the caller then closes the wire
   */
  static TlsTransport open(BlockingTransport wire, SSLEngine engine) throws IOException {
    TlsTransport transport = new TlsTransport(wire, engine);
    engine.beginHandshake();
    while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
      if (engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
        try {
          transport.unwrapStep();
        } catch (SSLException e) {
          transport.sendAlert();
          throw e;
        }
      }
      transport.proceed();
    }
    return transport;
  }

  /** Tells the server what the engine did not like, if it has an alert for that. */
  private void sendAlert() {
    try {
      SSLEngineResult unused = engine.wrap(NOTHING, leaving);
      flush();
    } catch (IOException e) {
      // The caller says what has failed before.
      return;
    }
  }

  /** Takes one record of the handshake, or receives more of it. */
  private void unwrapStep() throws IOException {
    boolean ended = false;
    int before = arrived.remaining();
    if (arrived.hasRemaining()) {
      // With room for no byte, Conscrypt does not say as an SSLException what is wrong.
      SSLEngineResult result = unwrap(ByteBuffer.allocate(1));
      ended = result.getStatus() == Status.CLOSED;
      if (result.bytesProduced() > 0) {
        throw new SSLException("the server sent data in the handshake");
      }
    }
    if (!ended
        && arrived.remaining() == before
        && engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
      ended = receive(false, 0) < 0;
    }
    if (ended) {
      throw new EOFException("the connection ended in the TLS handshake");
    }
  }

  private SSLEngineResult unwrap(ByteBuffer to) throws SSLException {
    try {
      return engine.unwrap(arrived, to);
    } catch (SSLException e) {
      throw ClientEngines.inWordsOfTheJdk(e);
    }
  }

  /** Does what the engine wants before it goes on, except to receive. */
  private void proceed() throws IOException {
    HandshakeStatus status = engine.getHandshakeStatus();
    while (status == HandshakeStatus.NEED_TASK || status == HandshakeStatus.NEED_WRAP) {
      if (status == HandshakeStatus.NEED_TASK) {
        for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
          task.run();
        }
      } else {
        try {
          int unused = encrypt(NOTHING);
        } finally {
          // After a failure, that is the alert which tells the server why.
          flush();
        }
      }
      status = engine.getHandshakeStatus();
    }
  }

  /** Returns the bytes taken from a buffer. */
  private int encrypt(ByteBuffer from) throws IOException {
    while (true) {
      SSLEngineResult result = engine.wrap(from, leaving);
      if (result.getStatus() == Status.OK) {
        if (from.hasRemaining() && result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
          // BoringSSL sends no data until the server goes on, which may wait for the request.
          throw new SSLException("the server begins a TLS handshake in a request");
        }
        return result.bytesConsumed();
      }
      if (result.getStatus() != Status.BUFFER_OVERFLOW || leaving.position() == 0) {
        throw new ClosedChannelException();
      }
      flush();
    }
  }

  private void flush() throws IOException {
    leaving.flip();
    try {
      int unused = wire.write(leaving);
    } finally {
      leaving.clear();
    }
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int written = 0;
    while (from.hasRemaining()) {
      written += encrypt(from);
    }
    flush();
    proceed();
    return written;
  }

  /**
   * Decrypts what was received.
   *
   * @return 0 if there is no whole record; -1 at the end
   */
  private int decrypt(ByteBuffer to) throws IOException {
    int start = to.position();
    boolean ended = false;
    while ((arrived.hasRemaining() || more) && !ended) {
      SSLEngineResult result = unwrap(to);
      ended = result.getStatus() == Status.CLOSED;
      // BoringSSL has taken the record then. The JDK leaves it where it is.
      more = result.getStatus() == Status.BUFFER_OVERFLOW;
      if (result.getStatus() == Status.BUFFER_UNDERFLOW
          || (result.getStatus() == Status.BUFFER_OVERFLOW && to.position() > start)) {
        break;
      }
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        throw new SSLException("a TLS record is larger than its buffer");
      }
      if (!ended) {
        // At the end, TLS 1.2 wants to say that it has ended, too. A server that has closed the
        // connection does not read it.
        proceed();
      }
    }
    int n = to.position() - start;
    return n == 0 && (ended || engine.isInboundDone()) ? -1 : n;
  }

  /**
   * Receives more bytes of records.
   *
   * @param onlyArrived whether not to wait
   * @param millis the time to wait; 0 for no limit
   */
  private int receive(boolean onlyArrived, int millis) throws IOException {
    arrived.compact();
    try {
      return onlyArrived
          ? wire.readArrived(arrived)
          : millis > 0 ? wire.readWithin(arrived, millis) : wire.read(arrived);
    } finally {
      arrived.flip();
    }
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    int n = decrypt(to);
    while (n == 0) {
      n = after(receive(false, 0), to);
    }
    return n;
  }

  @Override
  public int readArrived(ByteBuffer to) throws IOException {
    int n = decrypt(to);
    while (n == 0) {
      int received = receive(true, 0);
      if (received == 0) {
        return 0;
      }
      n = after(received, to);
    }
    return n;
  }

  @Override
  public int readWithin(ByteBuffer to, int millis) throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int n = decrypt(to);
    for (int left = millis; n == 0; left = (int) ((end - System.nanoTime()) / 1_000_000)) {
      int received = left > 0 ? receive(false, left) : 0;
      if (received == 0) {
        return 0;
      }
      n = after(received, to);
    }
    return n;
  }

  private int after(int received, ByteBuffer to) throws IOException {
    if (received < 0) {
      // The end of a body that has no length must be that of the TLS session.
      throw new EOFException("the connection ended without the end of its TLS session");
    }
    return decrypt(to);
  }

  @Override
  public boolean isOpen() {
    // A server that begins another handshake does not read a request meanwhile.
    return wire.isOpen() && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
  }

  /**
   * Closes the socket. The session is not ended, since another thread may use it. The collector
   * frees the memory that BoringSSL has of it.
   */
  @Override
  public void close() throws IOException {
    wire.close();
  }
}
