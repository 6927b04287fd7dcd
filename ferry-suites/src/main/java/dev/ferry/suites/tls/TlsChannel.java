package dev.ferry.suites.tls;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A blocking socket that a TLS engine encrypts, with direct buffers of its own. Used by one thread,
 * except for {@link #close}.
 */
final class TlsChannel implements AutoCloseable {
  /** Bytes of a file that are read, encrypted, sent and written at once. */
  static final int FILE_BYTES = 256 * 1024;

  /** Enough for a command, if no file is sent. */
  static final int COMMAND_BYTES = 1024;

  /** Room for the headers of {@link #FILE_BYTES} in records of 16 KiB, and for one more record. */
  private static final int RECORD_BYTES = 32 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel socket;
  private final SSLEngine engine;
  private final ByteBuffer outgoing;
  private final ByteBuffer incoming;
  private final ByteBuffer file;

  /** Decrypted bytes that nobody has read yet. */
  private final ByteBuffer plain;

  /**
   * Does the handshake, and closes the socket if it fails.
   *
   * @param bytes that are encrypted at once at most
   */
  TlsChannel(SocketChannel socket, SSLEngine engine, int bytes) throws IOException {
    this.socket = socket;
    this.engine = engine;
    outgoing = ByteBuffer.allocateDirect(bytes + RECORD_BYTES);
    incoming = ByteBuffer.allocateDirect(bytes + RECORD_BYTES).flip();
    file = ByteBuffer.allocateDirect(bytes);
    plain = ByteBuffer.allocateDirect(bytes + RECORD_BYTES).flip();
    try {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      engine.beginHandshake();
      while (shakeHands()) {
        continue;
      }
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Does one step of a handshake. Returns whether there are more. */
  private boolean shakeHands() throws IOException {
    HandshakeStatus status = engine.getHandshakeStatus();
    switch (status) {
      case NEED_TASK -> {
        Runnable task = engine.getDelegatedTask();
        if (task != null) {
          task.run();
        }
      }
      case NEED_WRAP -> wrap(NOTHING);
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> decrypt();
      case FINISHED, NOT_HANDSHAKING -> {
        return false;
      }
    }
    return true;
  }

  private void wrap(ByteBuffer source) throws IOException {
    outgoing.clear();
    do {
      SSLEngineResult result = engine.wrap(source, outgoing);
      if (result.getStatus() != SSLEngineResult.Status.OK) {
        throw new IOException("the TLS engine does not encrypt: " + result.getStatus());
      }
    } while (source.hasRemaining()
        && outgoing.remaining() >= engine.getSession().getPacketBufferSize());
    outgoing.flip();
    while (outgoing.hasRemaining()) {
      socket.write(outgoing);
    }
  }

  /** Waits for records, and decrypts all that fit. */
  private void decrypt() throws IOException {
    plain.compact();
    try {
      while (plain.remaining() >= engine.getSession().getApplicationBufferSize()) {
        SSLEngineResult result = engine.unwrap(incoming, plain);
        switch (result.getStatus()) {
          case OK -> {
            if (result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
              return;
            }
          }
          case BUFFER_UNDERFLOW -> {
            if (plain.position() > 0) {
              return;
            }
            receive();
          }
          case BUFFER_OVERFLOW -> {
            // The JDK wants more room than it says.
            if (plain.position() > 0) {
              return;
            }
            throw new IOException("a TLS record is too large");
          }
          case CLOSED -> throw new EOFException("the other end closed the connection");
        }
      }
    } finally {
      plain.flip();
    }
  }

  private void receive() throws IOException {
    incoming.compact();
    int n = socket.read(incoming);
    incoming.flip();
    if (n < 0) {
      throw new EOFException("the other end closed the connection");
    }
  }

  /** Decrypts at least so many bytes. */
  private void need(int bytes) throws IOException {
    while (plain.remaining() < bytes) {
      decrypt();
      while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK
          || engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        // What a client does with the tickets of TLS 1.3.
        shakeHands();
      }
    }
  }

  /** Sends a command: a letter, a number, and a name. */
  void writeCommand(char kind, long number, String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    file.clear().put((byte) kind).putLong(number).putShort((short) bytes.length).put(bytes).flip();
    wrap(file);
  }

  /** What {@link #writeCommand} has sent. */
  record Command(char kind, long number, String name) {}

  Command readCommand() throws IOException {
    need(Byte.BYTES + Long.BYTES + Short.BYTES);
    char kind = (char) plain.get();
    long number = plain.getLong();
    byte[] name = new byte[plain.getShort()];
    need(name.length);
    plain.get(name);
    return new Command(kind, number, new String(name, StandardCharsets.UTF_8));
  }

  /** Sends a whole file. */
  void send(FileChannel source) throws IOException {
    while (source.read(file.clear()) >= 0) {
      file.flip();
      while (file.hasRemaining()) {
        wrap(file);
      }
    }
  }

  /** Receives so many bytes into a file. */
  void receive(FileChannel target, long size) throws IOException {
    for (long left = size; left > 0; ) {
      need(1);
      int limit = plain.limit();
      plain.limit((int) Math.min(limit, plain.position() + left));
      while (plain.hasRemaining()) {
        left -= target.write(plain);
      }
      plain.limit(limit);
    }
  }

  /** Closes the connection. A thread that waits for it fails immediately. */
  @Override
  public void close() throws IOException {
    socket.close();
  }
}
