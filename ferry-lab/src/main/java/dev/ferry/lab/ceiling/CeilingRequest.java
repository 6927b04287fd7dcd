package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * What a connection to a {@link MachineSuite} in another process is for; its first bytes.
 *
 * @param direction where files go; ignored if the server only echoes
 * @param way how they are moved; {@link #ECHO} for a connection that echoes
 * @param client the id of the client's process, which names the targets
 */
record CeilingRequest(Direction direction, SocketWay way, long client) {
  /** The way of a connection that returns what it receives. */
  static final SocketWay ECHO = new SocketWay(false, 0, 0);

  /** The size of a request in bytes. */
  static final int BYTES = 2 + 2 * Integer.BYTES + Long.BYTES;

  /** Creates the request of a client in this process. */
  CeilingRequest(Direction direction, SocketWay way) {
    this(direction, way, ProcessHandle.current().pid());
  }

  /** Creates the request for a connection that echoes. */
  static CeilingRequest echo() {
    return new CeilingRequest(Direction.DOWNLOAD, ECHO);
  }

  ByteBuffer bytes() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) direction.ordinal())
        .put((byte) (way.sendfile() ? 1 : 0))
        .putInt(way.bufferBytes())
        .putInt(way.socketBufferBytes())
        .putLong(client)
        .flip();
  }

  void write(SocketChannel channel) throws IOException {
    SocketEnd.writeAll(channel, bytes());
  }

  /**
   * Reads a request.
   *
   * @throws IOException if the connection ends before, or if no ceiling makes such a request
   */
  static CeilingRequest read(SocketChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes) < 0) {
        throw new EOFException("a connection ended before its request");
      }
    }
    bytes.flip();
    Direction direction = bytes.get() == 0 ? Direction.values()[0] : Direction.values()[1];
    SocketWay way = new SocketWay(bytes.get() == 1, bytes.getInt(), bytes.getInt());
    if (!way.equals(ECHO) && !SocketWay.ALL.contains(way)) {
      throw new IOException("a connection has a request that no ceiling makes");
    }
    return new CeilingRequest(direction, way, bytes.getLong());
  }
}
