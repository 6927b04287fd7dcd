package dev.ferry.grpc.internal.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;

/** Every setting of the tuned transport, with its reason. Sizes are in bytes. */
public final class Tuning {
  /** HTTP/2 window of a stream and a connection: never the limit on a local or a fast network. */
  static final int FLOW_CONTROL_WINDOW = 8 * 1024 * 1024;

  /**
   * The same for small calls. It is grpc-java's own, but a window that is set keeps grpc-java from
   * measuring the connection with a PING for every answer, which costs as much as the answer.
   */
  static final int LEAN_WINDOW = 1024 * 1024;

  /**
   * DATA frame this end offers to take; the HTTP/2 default of 16 KiB costs slices and promises for
   * every frame, which is most of what grpc-java allocates. A frame is read whole before it is
   * handed on, so a larger one would only wait longer.
   */
  static final int MAX_FRAME_SIZE = 512 * 1024;

  /**
   * Bytes queued before a stream says it is not ready; grpc-java's 32 KiB makes every chunk above
   * it stop and go. Little enough that what was read from the file is still in the core's own cache
   * when the socket takes it. It also bounds the sender's direct memory.
   */
  public static final int ON_READY_THRESHOLD = 384 * 1024;

  /** Messages asked for ahead: a request for each alone would be a wake-up for each. */
  public static final int MESSAGES_AHEAD = 32;

  /** Netty's 32/64 KiB would throttle a burst of frames to the socket. */
  static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(1024 * 1024, 4 * 1024 * 1024);

  private static final int PAGE_BYTES = 8192;
  private static final int CHUNK_ORDER = 8;

  private Tuning() {}

  /** Reads of up to 512 KiB: fewer system calls, and pieces worth a gathering write. */
  static RecvByteBufAllocator receiveBuffers() {
    return new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024);
  }

  /**
   * A pool of direct buffers for one client or server: slabs of 2 MiB, so that a chunk of a
   * mebibyte is pooled and an idle pool is small, and an arena for every two processors, since what
   * loops and workers share fills its slabs better; they ask for some buffers a millisecond, and
   * seldom at the same time.
   */
  public static ByteBufAllocator newPool() {
    int arenas = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    return new PooledByteBufAllocator(true, 0, arenas, PAGE_BYTES, CHUNK_ORDER, 0, 0, true);
  }
}
