package dev.ferry.lab.ceiling;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * One end of a blocking connection with its own direct buffer. Used by one thread, except for
 * {@link #close}.
 */
final class SocketEnd implements AutoCloseable {
  /**
   * The number of bytes that the carriers read, send and write at once in their fastest
   * configuration, and so do the ceilings of a file alone.
   */
  static final int BUFFER_BYTES = 256 * 1024;

  private static final byte DONE = 1;

  private final SocketChannel channel;
  private final ByteBuffer buffer;

  SocketEnd(SocketChannel channel, SocketWay way) throws IOException {
    this.channel = channel;
    this.buffer = ByteBuffer.allocateDirect(way.bufferBytes());
    if (way.socketBufferBytes() > 0) {
      channel.setOption(StandardSocketOptions.SO_SNDBUF, way.socketBufferBytes());
      channel.setOption(StandardSocketOptions.SO_RCVBUF, way.socketBufferBytes());
    }
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  void writeNumber(long number) throws IOException {
    buffer.clear().putLong(number).flip();
    writeAll(channel, buffer);
  }

  long readNumber() throws IOException {
    fill(Long.BYTES);
    return buffer.getLong();
  }

  /** Reports that a file is complete and renamed. */
  void answer() throws IOException {
    buffer.clear().put(DONE).flip();
    writeAll(channel, buffer);
  }

  /** Waits until the other end reports that its file is complete. */
  void awaitAnswer() throws IOException {
    fill(1);
    byte answer = buffer.get();
    if (answer != DONE) {
      throw new IOException("the other end answered " + answer + ", not " + DONE);
    }
  }

  /** Sends a file in a way. */
  void send(Path source, SocketWay way) throws IOException {
    if (way.sendfile()) {
      transfer(source);
    } else {
      copy(source);
    }
  }

  /** Sends a file by reading and writing it in chunks. */
  private void copy(Path source) throws IOException {
    try (FileChannel file = FileChannel.open(source)) {
      while (file.read(buffer.clear()) >= 0) {
        writeAll(channel, buffer.flip());
      }
    }
  }

  /** Sends a file with a kernel-to-kernel transfer. */
  private void transfer(Path source) throws IOException {
    try (FileChannel file = FileChannel.open(source)) {
      long size = file.size();
      for (long position = 0; position < size; ) {
        long n = file.transferTo(position, size - position, channel);
        if (n <= 0) {
          throw new EOFException(source + " ended at byte " + position + " of " + size);
        }
        position += n;
      }
    }
  }

  /** Receives this many bytes into a file. */
  void receive(FileChannel file, long size) throws IOException {
    for (long left = size; left > 0; ) {
      int n = (int) Math.min(buffer.capacity(), left);
      fill(n);
      writeAll(file, buffer);
      left -= n;
    }
  }

  private void fill(int length) throws IOException {
    buffer.clear().limit(length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException("the other end closed the connection");
      }
    }
    buffer.flip();
  }

  static void writeAll(WritableByteChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Closes the connection. A thread that waits for it fails immediately. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
