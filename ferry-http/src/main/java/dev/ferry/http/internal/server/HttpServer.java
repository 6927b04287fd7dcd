package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.ConnectionGuard;
import dev.ferry.wire.internal.Listening;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.StreamEnd;
import dev.ferry.wire.internal.TlsContexts;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server on one port, plaintext unless it has a certificate. It supports HTTP/1.1, and
 * HTTP/2 by ALPN, with prior knowledge or by {@code Upgrade: h2c} of a request without a body. It
 * has its own event loops. It enforces the time limits of its settings, except while a client waits
 * for the server. Thread-safe.
 */
public class HttpServer implements ServerPort {
  private static final int GRACE_SECONDS = 2;
  private static final int STOP_SECONDS = 5;

  /**
   * The tasks of an event loop that follow each other when a connection closes: the close itself,
   * the end of the connection, the ends of its streams, and the last steps of their calls. An event
   * loop that shuts down refuses the later ones, so a call would keep its file open.
   */
  private static final int CLOSING_TASKS = 4;

  private final EventLoopGroup loops;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Refusals refusals;
  private final Requests requests;
  private final IntSupplier queued;
  private final Runnable stopWorkers;
  private final Channel listener;

  /**
   * Starts a server.
   *
   * @param name the name of its threads
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @param settings the limits for clients, and the certificate if the server speaks TLS
   * @param refusals counts what is refused, also by other code
   * @param requests the requests of the port, to which handlers may add others
   * @param handlers gives the handler for the requests of a connection or of an HTTP/2 stream,
   *     which may be the same for all
   * @param queued how many tasks wait for the workers of the handlers
   * @param stopWorkers stops the workers of the handlers; runs after the connections are closed and
   *     before the event loops terminate
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  protected HttpServer(
      String name,
      String host,
      int port,
      ServerSettings settings,
      Refusals refusals,
      Requests requests,
      Supplier<? extends RequestHandler> handlers,
      IntSupplier queued,
      Runnable stopWorkers)
      throws FerryException {
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      throw Listening.failure(host, port, null);
    }
    this.refusals = refusals;
    this.requests = requests;
    this.queued = queued;
    this.stopWorkers = stopWorkers;
    Supplier<SslContext> tls = context(settings.tls());
    AccessRules rules = AccessRules.of(settings, tls != null, address);
    DateField date = new DateField(InstantSource.system());
    BodyMemory memory = new BodyMemory(Runtime.getRuntime().maxMemory() / 2);
    Supplier<ConnectionHandler> ruled =
        () -> new ConnectionHandler(handlers.get(), rules, requests, date, memory);
    ConnectionGuard guard = new ConnectionGuard(settings, refusals, StreamEnd.RESET, false);
    boolean epoll = Epoll.isAvailable();
    loops =
        new MultiThreadIoEventLoopGroup(
            new DefaultThreadFactory(name, true),
            epoll ? KeptInEpoll.newFactory() : NioIoHandler.newFactory());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops)
            .channel(epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
            .handler(new Listening())
            .childOption(ChannelOption.TCP_NODELAY, true)
            // Netty's default maximum of 64 KiB would cost an upload four times as many reads.
            // After two reads, instead of 16, other connections get their turn.
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024)
                    .maxMessagesPerRead(2))
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    connections.add(channel);
                    ChannelPipeline pipeline = channel.pipeline();
                    if (tls != null) {
                      pipeline.addLast(tls.get().newHandler(channel.alloc()));
                    }
                    pipeline
                        .addLast(guard.newHandler())
                        .addLast(silence(settings.stallTimeout()))
                        .addLast(new ProtocolChooser(settings, refusals, ruled));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stop();
      throw Listening.failure(host, port, bound.cause());
    }
    listener = bound.channel();
  }

  /** The value of {@code Date} in all responses, whose text is made once a second. Thread-safe. */
  static final class DateField {
    private final InstantSource clock;
    private volatile Text text = new Text(Long.MIN_VALUE, AsciiString.EMPTY_STRING);

    private record Text(long second, AsciiString value) {}

    DateField(InstantSource clock) {
      this.clock = clock;
    }

    CharSequence value() {
      long second = TimeUnit.MILLISECONDS.toSeconds(clock.millis());
      Text known = text;
      if (known.second() != second) {
        Date date = new Date(TimeUnit.SECONDS.toMillis(second));
        known = new Text(second, new AsciiString(DateFormatter.format(date)));
        text = known;
      }
      return known.value();
    }
  }

  private static @Nullable Supplier<SslContext> context(@Nullable ServerTls tls) {
    return tls == null ? null : TlsContexts.server(tls, TlsContexts.H2, TlsContexts.HTTP_1_1);
  }

  /**
   * Starts a server of requests that have no queue.
   *
   * @param name the name of its threads
   * @param host the address or host name to listen on
   * @param port the port to listen on; 0 selects a free port
   * @param settings the limits for clients, and the certificate if the server speaks TLS
   * @param handlers gives the handler for the requests of a connection or of an HTTP/2 stream,
   *     which may be the same for all
   * @param stopWorkers as for the constructor
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if the server cannot listen on the
   *     port
   */
  public static HttpServer start(
      String name,
      String host,
      int port,
      ServerSettings settings,
      Supplier<? extends RequestHandler> handlers,
      Runnable stopWorkers)
      throws FerryException {
    Requests requests = new Requests(settings.listener());
    return new HttpServer(
        name, host, port, settings, new Refusals(), requests, handlers, () -> 0, stopWorkers);
  }

  /**
   * Creates a handler that fires an event if no byte was transferred for too long; zero disables
   * it. The handlers of HTTP/1.1 process the event.
   */
  private static ChannelHandler silence(Duration limit) {
    return new IdleStateHandler(true, 0, 0, limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Returns the counts of what was refused to clients of this port. */
  public final Refusals refused() {
    return refusals;
  }

  @Override
  public final Map<String, Long> refusals() {
    return refusals.byName();
  }

  @Override
  public final int queued() {
    return queued.getAsInt();
  }

  @Override
  public final int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @Override
  public final List<ScheduledExecutorService> eventLoops() {
    List<ScheduledExecutorService> threads = new ArrayList<>();
    loops.forEach(threads::add);
    return threads;
  }

  @Override
  public final void drain() {
    if (!requests.areRefused()) {
      drains();
      requests.drain();
      tellConnections(ConnectionHandler.SERVER_DRAINS);
    }
  }

  /** Called once, before new requests are refused. */
  protected void drains() {}

  @Override
  public final boolean awaitRequests(Duration limit) throws InterruptedException {
    return requests.await(limit);
  }

  @Override
  public final void endRequests() {
    drain();
    requests.end();
    tellConnections(ConnectionHandler.SERVER_ENDS);
  }

  private void tellConnections(Object event) {
    for (Channel connection : connections) {
      connection.pipeline().fireUserEventTriggered(event);
    }
  }

  /**
   * Stops the server. It accepts no more requests, gives running requests 2 seconds, then closes
   * the remaining connections. Returns when threads and buffers are released, after about 10
   * seconds at most. A second call has no effect.
   */
  @Override
  public final void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    tellConnections(ConnectionHandler.SERVER_CLOSES);
    connections.newCloseFuture().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    closeNow();
  }

  /** Closes all connections immediately. */
  public final void closeNow() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    // The connection that was accepted last joins the others in a task of its event loop.
    awaitTasks(1);
    connections.close().awaitUninterruptibly(GRACE_SECONDS, TimeUnit.SECONDS);
    awaitTasks(CLOSING_TASKS);
    stop();
  }

  /**
   * Waits until each event loop has run the tasks that it has now, then those that it has then, and
   * so on.
   *
   * @param times at least 1
   */
  private void awaitTasks(int times) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GRACE_SECONDS);
    for (int i = 0; i < times; i++) {
      List<Future<?>> ends = new ArrayList<>();
      for (EventExecutor loop : loops) {
        if (!loop.inEventLoop() && !loop.isShuttingDown()) {
          ends.add(loop.submit(() -> {}));
        }
      }
      for (Future<?> ended : ends) {
        ended.awaitUninterruptibly(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      }
    }
  }

  private void stop() {
    stopWorkers.run();
    loops
        .shutdownGracefully(0, GRACE_SECONDS, TimeUnit.SECONDS)
        .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
  }
}
