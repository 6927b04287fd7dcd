package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 server of files whose bodies are blocks, compressed and decompressed by several
 * threads: {@code GET} and {@code PUT} of one file under {@link
 * dev.ferry.contract.HttpRoutes#FILES}, and nothing else. What HTTP could be with the codec of
 * {@code ZeroCopy}; speaks to {@link BlockHttpClient} alone. Thread-safe.
 */
public final class BlockHttpServer implements AutoCloseable {
  private static final int MAX_REQUEST_LINE = 16 * 1024;
  private static final int MAX_HEADERS = 16 * 1024;
  private static final int MAX_HTTP_CHUNK = 1024 * 1024;
  private static final int CLOSE_SECONDS = 3;

  private final EventLoopGroup loops;
  private final BlockWorkers workers;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel listener;

  private BlockHttpServer(
      FileStore store, String host, int chunkBytes, CompressionCodec codec, int threads)
      throws FerryException {
    workers = BlockWorkers.of("blocks-server-compress", codec, threads);
    boolean epoll = Epoll.isAvailable();
    loops =
        new MultiThreadIoEventLoopGroup(
            new DefaultThreadFactory("blocks-server", true),
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOCATOR, workers.allocator())
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024))
            // As much as ZeroCopy queues: more falls out of the cache before it is sent.
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(192 * 1024, 384 * 1024))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(
                                new HttpDecoderConfig()
                                    .setMaxInitialLineLength(MAX_REQUEST_LINE)
                                    .setMaxHeaderSize(MAX_HEADERS)
                                    .setMaxChunkSize(MAX_HTTP_CHUNK)))
                        .addLast(new BlockHttpHandler(store, workers, chunkBytes));
                  }
                })
            .bind(host, 0)
            .awaitUninterruptibly();
    listener = bound.channel();
    if (!bound.isSuccess()) {
      stop();
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "cannot listen on " + host + ": " + bound.cause().getMessage(),
          bound.cause());
    }
  }

  /**
   * Starts a server in plain text on a free port.
   *
   * @param chunkBytes bytes of the file in a block of a download, from 1 to 1 MiB less 64
   * @param codec compresses and decompresses
   * @param threads how many do so at once
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it cannot listen
   * @throws UnsupportedOperationException if this machine does not have the codec
   */
  public static BlockHttpServer start(
      FileStore store, String host, int chunkBytes, CompressionCodec codec, int threads)
      throws FerryException {
    if (chunkBytes < 1 || chunkBytes > BlockFormat.MAX_CHUNK) {
      throw new IllegalArgumentException(
          "chunks of " + chunkBytes + " bytes: take 1 to " + BlockFormat.MAX_CHUNK);
    }
    return new BlockHttpServer(store, host, chunkBytes, codec, threads);
  }

  /** The port it listens on. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /** Cuts every connection and returns when threads and buffers are released. */
  @Override
  public void close() {
    listener.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    stop();
  }

  private void stop() {
    workers.close();
    loops
        .shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
  }
}
