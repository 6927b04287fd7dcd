package dev.ferry.grpc.internal.transport;

import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;

/**
 * The settings of the transport beside those of {@link dev.ferry.zerocopy.ZeroCopy}, with their
 * reasons. Sizes are in bytes.
 *
 * <p>A transfer runs on the event loops, disk access included: a thread switch for every message
 * costs more than its write. The price is that a slow disk delays the other calls of the same event
 * loop. SHA-256, compression and remote stores have other threads. Server and client always have
 * event loops of their own, which grpc-java would let them share in one process.
 *
 * <p>io_uring was tried in place of epoll (Netty 4.2.17, kernel 6.18): the medians of a transfer of
 * 25 MB were 7.0 to 8.8 ms against 7.3 to 10 ms, and two runs of the same setting differ by more.
 */
public final class Tuning {
  /**
   * Window of a stream, and of a connection, of a server with a remote store. Uploads wait for the
   * store more often than for the network, and what waits is in direct memory.
   */
  private static final int REMOTE_STORE_WINDOW = 4 * 1024 * 1024;

  private static final ByteBufAllocator CLIENT_POOL = ZeroCopy.newPool();

  private Tuning() {}

  /**
   * Sets a server up to receive files for a remote store: a small window, and small buffers. A
   * message that waits holds all buffers that it was read into. Large ones would be mostly empty.
   */
  public static void forRemoteStore(NettyServerBuilder builder) {
    builder
        .flowControlWindow(REMOTE_STORE_WINDOW)
        .withChildOption(
            ChannelOption.RECVBUF_ALLOCATOR,
            new AdaptiveRecvByteBufAllocator(16 * 1024, 64 * 1024, 256 * 1024)
                .maxMessagesPerRead(4));
  }

  /**
   * Returns the pool of direct buffers for the clients of this process. A pool cannot be closed: it
   * keeps at least a chunk until the garbage collector finds it unreachable, and each thread that
   * has used it refers to it for as long as the thread lives. So clients that are opened and closed
   * again and again must not have a pool each.
   */
  public static ByteBufAllocator clientPool() {
    return CLIENT_POOL;
  }
}
