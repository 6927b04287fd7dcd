package dev.ferry.zerocopy;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Sets up servers and channels of grpc-java on Netty for messages without copies. All other methods
 * and services of the same server or channel work as before.
 *
 * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="server"}
 *
 * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="client"}
 *
 * <p>Each setting can be changed by a later call of the builder, except the allocator and the
 * maximum frame size.
 */
public final class ZeroCopy {
  /**
   * The flow-control window of a stream and of a connection in bytes. A sender may have a window of
   * data on its way, and then waits for a WINDOW_UPDATE. So it must be as large as what the network
   * holds, its rate multiplied by its round-trip time. It is returned in quarters ({@link
   * Http2Reads}), so three quarters are sure to be on their way: of 16 MiB 12.6 MB, or 1 Gbit/s at
   * 100 ms. A receiver that reads what arrives holds a few frames in memory; one that does not, up
   * to a window for each stream.
   *
   * <p>The kernel has a limit of its own: a sender has at most what {@code net.ipv4.tcp_wmem} ends
   * with under way, 4 MiB on most systems, which is 335 Mbit/s over 100 ms.
   */
  public static final int WINDOW = 16 * 1024 * 1024;

  /**
   * Queued bytes above which a stream is not ready. {@link FileSender#send} and the channels set
   * it; for what else is sent, there are {@code setOnReadyThreshold} and {@code
   * CallOptions.withOnReadyThreshold}. With grpc-java's 32 KiB, every larger message stops the
   * stream and starts it again. The value is small enough that what was read from a file is still
   * in the cache of the processor when the socket takes it. It also bounds the direct memory of a
   * sender.
   */
  public static final int ON_READY_THRESHOLD = 384 * 1024;

  /** Netty's default of 32 and 64 KiB would throttle a burst of frames to the socket. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(1024 * 1024, 4 * 1024 * 1024);

  /**
   * Messages that receivers of files request ahead. A request for each single one would cost a
   * wake-up of the event loop for each.
   */
  public static final int MESSAGES_AHEAD = 32;

  /** By the name that it has in Netty 4.1 and 4.2 alike. */
  @SuppressWarnings("deprecation")
  private static final ChannelOption<RecvByteBufAllocator> RECEIVE_BUFFERS =
      ChannelOption.RCVBUF_ALLOCATOR;

  private static final int PAGE_BYTES = 8192;
  private static final int CHUNK_ORDER = 8;

  private ZeroCopy() {}

  /**
   * Reads up to 512 KiB at once: fewer system calls, and messages in few buffers. After two reads,
   * other connections of the event loop get their turn; Netty's default is 16, which here would be
   * 8 MiB.
   */
  private static RecvByteBufAllocator receiveBuffers() {
    return new AdaptiveRecvByteBufAllocator(16 * 1024, 256 * 1024, 512 * 1024)
        .maxMessagesPerRead(2);
  }

  /**
   * Creates a pool of direct buffers for one end. Its chunks have 2 MiB, so that messages of 1 MiB
   * are pooled and an idle pool is small. There is one arena per two processors: event loops that
   * share an arena use its memory better, and they allocate only some buffers per millisecond.
   * Netty's default pool has more arenas, and allocates and frees their chunks again and again
   * while the large buffers of a transfer come and go.
   *
   * <p>A pool cannot be closed: it keeps at least a chunk until the garbage collector finds it
   * unreachable. So ends that are opened and closed again and again must not have a pool each.
   */
  public static ByteBufAllocator newPool() {
    int arenas = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    return new PooledByteBufAllocator(true, 0, arenas, PAGE_BYTES, CHUNK_ORDER, 0, 0, true);
  }

  /** Sets up a server, with a pool and event loops that all such servers of the process share. */
  public static NettyServerBuilder server(NettyServerBuilder builder) {
    return server(builder, SharedEnds.serverPool());
  }

  /**
   * Sets up a server with the event loops of all such servers.
   *
   * @param pool the pool of the buffers into which is read
   */
  public static NettyServerBuilder server(NettyServerBuilder builder, ByteBufAllocator pool) {
    EventLoops accepting = SharedEnds.accepting();
    return server(builder, pool, accepting, SharedEnds.servers(), accepting.serverChannels());
  }

  /**
   * Sets up a server: its allocator, window, receive buffers, frame size, sockets and event loops.
   *
   * <p>Its executor stays as it is. {@code directExecutor()} saves a change of threads for each
   * message; the service then must not block.
   *
   * @param pool the pool of the buffers into which is read
   * @param accepting accepts connections; the user closes it after the server
   * @param workers serves them; the user closes it after the server
   * @param sockets listen, as those of {@link EventLoops#serverChannels}
   */
  public static NettyServerBuilder server(
      NettyServerBuilder builder,
      ByteBufAllocator pool,
      EventLoops accepting,
      EventLoops workers,
      ChannelFactory<ServerChannel> sockets) {
    return builder
        .channelFactory(
            NettyConnections.onAccept(
                sockets,
                accepted -> NettyConnections.addBehindTls(accepted, () -> Http2Tuner.INSTANCE)))
        .bossEventLoopGroup(accepting.group())
        .workerEventLoopGroup(workers.group())
        .flowControlWindow(WINDOW)
        .withChildOption(ChannelOption.ALLOCATOR, new HandOffAllocator(pool))
        .withChildOption(RECEIVE_BUFFERS, receiveBuffers())
        .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
  }

  /** Sets up a channel, with a pool and event loops that all such channels of the process share. */
  public static NettyChannelBuilder client(NettyChannelBuilder builder) {
    return client(builder, SharedEnds.clientPool());
  }

  /**
   * Sets up a channel with the event loops of all such channels.
   *
   * @param pool the pool of the buffers into which is read
   */
  public static NettyChannelBuilder client(NettyChannelBuilder builder, ByteBufAllocator pool) {
    return client(builder, pool, SharedEnds.clients());
  }

  /**
   * Sets up a channel: its allocator, window, receive buffers, frame size, sockets and event loops.
   *
   * <p>It disables retries and hedging: a message that was handed to the transport no longer
   * exists, so it cannot be sent again.
   *
   * @param pool the pool of the buffers into which is read
   * @param loops of its connections; the user closes it after the channel
   */
  public static NettyChannelBuilder client(
      NettyChannelBuilder builder, ByteBufAllocator pool, EventLoops loops) {
    ChannelFactory<Channel> sockets = loops.clientChannels();
    return builder
        .disableRetry()
        .intercept(UnrepeatedCalls.INSTANCE)
        .channelFactory(
            () -> {
              Channel connection = sockets.newChannel();
              NettyConnections.addBehindTls(connection, () -> Http2Tuner.INSTANCE);
              return connection;
            })
        .eventLoopGroup(loops.group())
        .flowControlWindow(WINDOW)
        .withOption(ChannelOption.ALLOCATOR, new HandOffAllocator(pool))
        .withOption(RECEIVE_BUFFERS, receiveBuffers())
        .withOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK);
  }

  /**
   * Returns a TLS context for {@code sslContext} of a builder, whose connections decrypt all that
   * was read at once. With BoringSSL (netty-tcnative), that is fewer buffers and larger parts of
   * messages; with the TLS of the JDK nothing changes.
   *
   * @param context a context of {@code GrpcSslContexts}
   */
  public static SslContext tls(SslContext context) {
    return tls(() -> context);
  }

  /**
   * Returns a TLS context as {@link #tls(SslContext)} does, which asks for another one for each new
   * connection. So a server can have a new certificate without a restart.
   *
   * @param contexts of {@code GrpcSslContexts}, made once for each certificate; called on event
   *     loops, several times for a connection, and when a builder checks the context
   */
  public static SslContext tls(Supplier<SslContext> contexts) {
    return new BulkTls(contexts);
  }

  /**
   * Returns a generated service in which some methods are replaced by converted ones. The others,
   * and its descriptors for reflection, stay.
   *
   * <p>A converted method is made by {@code requests} or {@code responses} of {@link BytesField}
   * with a handler, or by {@code ServerMethodDefinition.create} with one of {@code
   * io.grpc.stub.ServerCalls}. A request of it that cannot be read ends its call with {@code
   * INVALID_ARGUMENT}.
   *
   * @throws IllegalArgumentException if the service has no method of a name
   */
  public static ServerServiceDefinition service(
      BindableService generated, ServerMethodDefinition<?, ?>... converted) {
    ServerServiceDefinition service = generated.bindService();
    Map<String, ServerMethodDefinition<?, ?>> replacing = new HashMap<>();
    for (ServerMethodDefinition<?, ?> method : converted) {
      replacing.put(method.getMethodDescriptor().getFullMethodName(), readable(method));
    }
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    ServiceDescriptor descriptor = service.getServiceDescriptor();
    // In the order of the descriptor, which reflection shows.
    for (MethodDescriptor<?, ?> method : descriptor.getMethods()) {
      ServerMethodDefinition<?, ?> chosen = replacing.remove(method.getFullMethodName());
      if (chosen == null) {
        chosen = service.getMethod(method.getFullMethodName());
      }
      if (chosen != null) {
        methods.add(chosen);
      }
    }
    if (!replacing.isEmpty()) {
      throw new IllegalArgumentException(
          "service " + descriptor.getName() + " has no method " + replacing.keySet());
    }
    return ReadableRequests.service(descriptor, methods);
  }

  private static ServerMethodDefinition<?, ?> readable(ServerMethodDefinition<?, ?> method) {
    return method.getMethodDescriptor().getRequestMarshaller() instanceof BytesMarshaller
        ? ReadableRequests.of(
            method, (name, failure) -> Status.fromThrowable(failure).asRuntimeException())
        : method;
  }
}
