package dev.ferry.grpc.internal.transport;

import dev.ferry.contract.Limits;
import dev.ferry.core.Carrier;
import dev.ferry.net.internal.ConnectionGuard;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.ManagedChannelBuilder;
import io.grpc.internal.TransportTracer;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens channels and servers, either with grpc-java's own settings or with Ferry's. */
public sealed interface Transport {
  /** How many event loops an end of this transport wants; 0 means Netty's default. */
  int threads();

  /** A channel in plain text to one address, not built yet. */
  NettyChannelBuilder connect(String host, int port, EventLoops loops);

  /**
   * The same for the builder of another transport of grpc-java, which copies what is handed off
   * here.
   */
  <B extends ManagedChannelBuilder<B>> B connectBy(B builder);

  /** A server in plain text, not started yet; whoever connects is let in. */
  default NettyServerBuilder listen(SocketAddress address, EventLoops boss, EventLoops workers) {
    return listen(address, boss, workers, null);
  }

  /**
   * The same with a guard of its connections.
   *
   * @param guard null for none; over TLS it would see nothing it could judge
   */
  NettyServerBuilder listen(
      SocketAddress address, EventLoops boss, EventLoops workers, @Nullable ConnectionGuard guard);

  /**
   * grpc-java as it comes, but for event loops of its own and another gzip.
   *
   * @param retry whether grpc-java may keep messages to send them again; not with pooled buffers,
   *     which are gone after the first time
   * @param gzip what compresses
   */
  record Stock(boolean retry, Codec gzip) implements Transport {
    @Override
    public int threads() {
      return 0;
    }

    @Override
    public NettyChannelBuilder connect(String host, int port, EventLoops loops) {
      return retrying(channel(host, port, loops, List.of(gzip)))
          .channelFactory(loops.clientChannels());
    }

    @Override
    public <B extends ManagedChannelBuilder<B>> B connectBy(B builder) {
      return retrying(plain(builder, List.of(gzip)));
    }

    private <B extends ManagedChannelBuilder<B>> B retrying(B builder) {
      return retry ? builder : builder.disableRetry();
    }

    @Override
    public NettyServerBuilder listen(
        SocketAddress address,
        EventLoops boss,
        EventLoops workers,
        @Nullable ConnectionGuard guard) {
      return server(address, boss, workers, List.of(gzip))
          .channelFactory(Acceptor.guard(boss.serverChannels(), guard));
    }
  }

  /**
   * The fast path; its settings stand in {@link Tuning}. Calls run on the event loops themselves,
   * disk and all: a hop to another thread for every message costs more than the write.
   *
   * @param allocator buffers of the channels
   * @param codecs what compresses
   */
  record Tuned(ByteBufAllocator allocator, List<? extends Codec> codecs) implements Transport {
    @Override
    public int threads() {
      return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public NettyChannelBuilder connect(String host, int port, EventLoops loops) {
      return channel(host, port, loops, codecs)
          .disableRetry()
          .directExecutor()
          .flowControlWindow(Tuning.FLOW_CONTROL_WINDOW)
          .channelFactory(Http2Tuner.tuneClients(loops.clientChannels()))
          .withOption(ChannelOption.ALLOCATOR, allocator)
          .withOption(ChannelOption.RECVBUF_ALLOCATOR, Tuning.receiveBuffers())
          .withOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Tuning.WATER_MARK);
    }

    /** On grpc-java's threads: OkHttp's own holds a lock while it reports. */
    @Override
    public <B extends ManagedChannelBuilder<B>> B connectBy(B builder) {
      return plain(builder, codecs).disableRetry();
    }

    @Override
    public NettyServerBuilder listen(
        SocketAddress address,
        EventLoops boss,
        EventLoops workers,
        @Nullable ConnectionGuard guard) {
      return server(address, boss, workers, codecs)
          .directExecutor()
          .flowControlWindow(Tuning.FLOW_CONTROL_WINDOW)
          .channelFactory(Http2Tuner.tuneAccepted(Acceptor.guard(boss.serverChannels(), guard)))
          .withChildOption(ChannelOption.ALLOCATOR, allocator)
          .withChildOption(ChannelOption.RECVBUF_ALLOCATOR, Tuning.receiveBuffers())
          .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Tuning.WATER_MARK);
    }
  }

  /**
   * For small calls, whose cost is waking threads: they run on the event loops, messages are not
   * compressed, and nothing is kept for a second attempt.
   *
   * @param loops event loops of an end; 1 is best for a client, whose calls share a connection
   * @param allocator buffers of the channels
   */
  record Lean(int loops, ByteBufAllocator allocator) implements Transport {
    /**
     * Each message and call would ask for the time, only to say in channelz when the last one was:
     * there, these channels say 1970. Servers cannot be spared it.
     */
    private static final TransportTracer.Factory TIMELESS = new TransportTracer.Factory(() -> 0);

    @Override
    public int threads() {
      return loops;
    }

    @Override
    public NettyChannelBuilder connect(String host, int port, EventLoops group) {
      return connect(host, port, group.group(), group.clientChannels());
    }

    /** The same on a loop that callers turn. */
    public NettyChannelBuilder connect(String host, int port, CallerLoop loop) {
      return connect(host, port, loop, CallerLoop.clientChannels());
    }

    private NettyChannelBuilder connect(
        String host, int port, EventLoopGroup group, ChannelFactory<Channel> channels) {
      InetAddress literal = NetUtil.createInetAddressFromIpAddressString(host);
      NettyChannelBuilder builder =
          literal == null
              ? NettyChannelBuilder.forAddress(host, port)
              // What need not be looked up saves a new channel the thread that would do it.
              : NettyChannelBuilder.forAddress(new InetSocketAddress(literal, port));
      InternalNettyChannelBuilder.setTransportTracerFactory(builder, TIMELESS);
      if (!ForeignTracers.hasCensus()) {
        // Each new channel would look for its classes again.
        InternalNettyChannelBuilder.setTracingEnabled(builder, false);
      }
      return plain(builder, List.of())
          .eventLoopGroup(group)
          .disableRetry()
          .directExecutor()
          .flowControlWindow(Tuning.LEAN_WINDOW)
          .channelFactory(MessageJoiner.enable(channels))
          .withOption(ChannelOption.ALLOCATOR, allocator);
    }

    @Override
    public <B extends ManagedChannelBuilder<B>> B connectBy(B builder) {
      return plain(builder, List.of()).disableRetry();
    }

    @Override
    public NettyServerBuilder listen(
        SocketAddress address,
        EventLoops boss,
        EventLoops workers,
        @Nullable ConnectionGuard guard) {
      return server(address, boss, workers, List.of())
          .directExecutor()
          .flowControlWindow(Tuning.LEAN_WINDOW)
          .channelFactory(Acceptor.guard(boss.serverChannels(), guard))
          .withChildOption(ChannelOption.ALLOCATOR, allocator);
    }
  }

  private static NettyChannelBuilder channel(
      String host, int port, EventLoops loops, List<? extends Codec> codecs) {
    return plain(NettyChannelBuilder.forAddress(host, port), codecs)
        .withOption(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.toIntExact(Carrier.CONNECT_TIMEOUT.toMillis()))
        .eventLoopGroup(loops.group());
  }

  /** What any channel has. */
  private static <B extends ManagedChannelBuilder<B>> B plain(
      B builder, List<? extends Codec> codecs) {
    return builder
        .usePlaintext()
        // Without it a call to a host that lost its power would wait for ever.
        .keepAliveTime(Limits.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(Limits.KEEP_ALIVE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        .maxInboundMessageSize(Limits.MAX_MESSAGE)
        .compressorRegistry(compressors(codecs))
        .decompressorRegistry(decompressors(codecs));
  }

  private static NettyServerBuilder server(
      SocketAddress address, EventLoops boss, EventLoops workers, List<? extends Codec> codecs) {
    return NettyServerBuilder.forAddress(address)
        .bossEventLoopGroup(boss.group())
        .workerEventLoopGroup(workers.group())
        .maxConcurrentCallsPerConnection(Limits.MAX_CALLS_PER_CONNECTION)
        .keepAliveTime(Limits.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(Limits.KEEP_ALIVE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
        // grpc-java's default takes more than a ping in five minutes for an attack.
        .permitKeepAliveTime(Limits.KEEP_ALIVE.toMillis() / 2, TimeUnit.MILLISECONDS)
        .maxRstFramesPerWindow(Limits.MAX_RESETS, (int) Limits.RESETS_PERIOD.toSeconds())
        .maxInboundMessageSize(Limits.MAX_MESSAGE)
        .compressorRegistry(compressors(codecs))
        .decompressorRegistry(decompressors(codecs));
  }

  private static CompressorRegistry compressors(List<? extends Codec> codecs) {
    CompressorRegistry registry = CompressorRegistry.newEmptyInstance();
    registry.register(Codec.Identity.NONE);
    codecs.forEach(registry::register);
    return registry;
  }

  private static DecompressorRegistry decompressors(List<? extends Codec> codecs) {
    DecompressorRegistry registry =
        DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);
    for (Codec codec : codecs) {
      registry = registry.with(codec, true);
    }
    return registry;
  }
}
