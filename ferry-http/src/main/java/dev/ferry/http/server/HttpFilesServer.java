package dev.ferry.http.server;

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
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A server of files over a store in plain text, with the routes of {@link
 * dev.ferry.contract.HttpRoutes}: HTTP/1.1, and HTTP/2 on the same port, by prior knowledge or by
 * {@code Upgrade: h2c} of a request without a body.
 *
 * <p>Over HTTP/1.1 files go out by {@code sendfile} unless they are compressed, over HTTP/2 from
 * pooled direct buffers of 256 KiB; what comes in is gathered to writes of 256 KiB. It has event
 * loops of its own and threads of its own for the disk and for gzip; a slow reader or a silent peer
 * costs memory that does not grow with the file, and is dropped after a minute without a byte.
 * docs/http-server.md says why it is built so. Thread-safe.
 */
public final class HttpFilesServer implements AutoCloseable {
  private static final int IDLE_SECONDS = 60;

  private static final int GRACE_SECONDS = 2;
  private static final int STOP_SECONDS = 5;

  private final EventLoopGroup loops;
  private final ExecutorService workers;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel listener;

  private HttpFilesServer(FileStore store, String host, int port, int bufferSize)
      throws FerryException {
    boolean epoll = Epoll.isAvailable();
    loops =
        new MultiThreadIoEventLoopGroup(
            new DefaultThreadFactory("ferry-http", true),
            epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    workers = newWorkers();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // The default of 64 KiB at most costs an upload four times the reads.
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    channel
                        .pipeline()
                        .addLast(new IdleStateHandler(true, 0, 0, IDLE_SECONDS, TimeUnit.SECONDS))
                        .addLast(new ProtocolChooser(store, workers, bufferSize));
                  }
                })
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stop();
      throw cannotListen(host, port, bound.cause());
    }
    listener = bound.channel();
  }

  /**
   * Starts a server in plain text.
   *
   * @param host address or name to listen on
   * @param port port to listen on; 0 picks a free one
   * @param bufferSize bytes of one copy where bytes are copied at all: of a download that is
   *     compressed; at least 1
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} where it cannot listen there
   */
  public static HttpFilesServer start(FileStore store, String host, int port, int bufferSize)
      throws FerryException {
    if (bufferSize < 1) {
      throw new IllegalArgumentException("buffer size " + bufferSize + " is not positive");
    }
    return new HttpFilesServer(store, host, port, bufferSize);
  }

  private static ExecutorService newWorkers() {
    // No task waits for the network, so more threads than this would only queue at the disk.
    int threads = 4 * Runtime.getRuntime().availableProcessors();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("ferry-http-disk", true));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static FerryException cannotListen(String host, int port, Throwable cause) {
    String reason = String.valueOf(cause.getMessage());
    String message =
        reason.toLowerCase(Locale.ROOT).contains("in use")
            ? "port " + port + " is in use on " + host + "; choose another with --port"
            : "cannot listen on " + host + ":" + port + ": " + reason;
    return new FerryException(ErrorKind.UNAVAILABLE, message, cause);
  }

  /** The port it listens on. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /**
   * Stops: takes no more requests, gives running transfers 2 seconds, cuts those that are left, and
   * returns when threads and buffers are released, within some 10 seconds at worst. A second call
   * does nothing.
   */
  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly();
    for (Channel connection : connections) {
      connection.pipeline().fireUserEventTriggered(FilesHandler.SERVER_CLOSES);
    }
    connections.newCloseFuture().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    closeNow();
  }

  /** Cuts every connection at once. */
  public void closeNow() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    stop();
  }

  private void stop() {
    workers.shutdown();
    try {
      if (!workers.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException e) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    loops
        .shutdownGracefully(0, GRACE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }
}
