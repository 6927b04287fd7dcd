package dev.ferry.suites.rival.blocks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Direct buffers that java.net.http sends, used again once it has sent them. Not reference-counted:
 * of a request that failed nobody knows when its buffers are free, and they go with the garbage.
 * Thread-safe.
 */
final class SendBuffers {
  private final Queue<ByteBuf> idle = new ConcurrentLinkedQueue<>();

  /** An empty buffer of at least so many bytes. */
  ByteBuf take(int bytes) {
    ByteBuf buffer = idle.poll();
    return buffer != null && buffer.capacity() >= bytes
        ? buffer.clear()
        : Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes)).clear();
  }

  /** Gives one back that nobody reads any more. */
  void give(ByteBuf buffer) {
    idle.add(buffer);
  }
}
