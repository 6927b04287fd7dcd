package dev.ferry.suites.rival.blocks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Direct buffers that java.net.http sends, reused once it has sent them. They are not
 * reference-counted: after a failed request it is unknown when its buffers are free, so they are
 * left to the garbage collector. Thread-safe.
 */
final class SendBuffers {
  private final Queue<ByteBuf> idle = new ConcurrentLinkedQueue<>();

  /** Returns an empty buffer of at least this many bytes. */
  ByteBuf take(int bytes) {
    ByteBuf buffer = idle.poll();
    return buffer != null && buffer.capacity() >= bytes
        ? buffer.clear()
        : Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes)).clear();
  }

  /** Puts a buffer back into the pool when it is no longer read. */
  void give(ByteBuf buffer) {
    idle.add(buffer);
  }
}
