package dev.ferry.grpc.internal.transport;

import dev.ferry.core.Carrier;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.ConnectionGuard;
import dev.ferry.wire.internal.HostName;
import dev.ferry.wire.internal.Listening;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.NettyConnections;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannel;
import io.netty.handler.ssl.SslContext;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates channels and servers. {@link ZeroCopy} and {@link Tuning} have the settings. Calls run on
 * the event loops, including disk access: a thread switch per message costs more than the write.
 *
 * @param pool the pool of the direct buffers
 * @param codecs the compressions
 * @param clientWindow the flow-control window in bytes of a stream that a client receives
 */
public record Transport(ByteBufAllocator pool, List<? extends Codec> codecs, int clientWindow) {
  /** Creates a transport with the windows that are best without a rate limit. */
  public Transport(ByteBufAllocator pool, List<? extends Codec> codecs) {
    this(pool, codecs, ZeroCopy.WINDOW);
  }

  /** Returns the number of event loops of a client or server. */
  public int threads() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Returns a builder of a channel to one address, plaintext unless it is given a TLS context. */
  public NettyChannelBuilder connect(String host, int port, EventLoops loops) {
    return ZeroCopy.client(plain(named(host, port), codecs), pool, loops)
        .withOption(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            Math.toIntExact(Carrier.CONNECT_TIMEOUT.toMillis()))
        .directExecutor()
        .flowControlWindow(clientWindow);
  }

  /**
   * Returns a builder of a channel to several servers, plaintext unless it is given a TLS context.
   */
  public NettyChannelBuilder connect(Servers servers, EventLoops loops) {
    return ServersResolver.connect(this, servers, loops);
  }

  /** Returns a TLS context as the connections of this transport need it. */
  public SslContext tls(SslContext context) {
    return ZeroCopy.tls(context);
  }

  /**
   * Returns a builder of a server.
   *
   * @param guard of its connections
   * @param tls gives each connection its TLS context; null for plaintext
   */
  public NettyServerBuilder listen(
      SocketAddress address,
      EventLoops boss,
      EventLoops workers,
      ConnectionGuard guard,
      @Nullable Supplier<SslContext> tls) {
    NettyServerBuilder builder = server(address, codecs);
    if (tls != null) {
      builder.sslContext(ZeroCopy.tls(tls));
    }
    ChannelFactory<ServerChannel> sockets = guarded(boss.serverChannels(), guard, tls != null);
    return ZeroCopy.server(builder, pool, boss, workers, sockets).directExecutor();
  }

  private static ChannelFactory<ServerChannel> guarded(
      ChannelFactory<ServerChannel> sockets, ConnectionGuard guard, boolean tls) {
    ChannelFactory<ServerChannel> listening =
        () -> {
          ServerChannel channel = sockets.newChannel();
          channel.pipeline().addFirst(new Listening());
          return channel;
        };
    return NettyConnections.onAccept(
        listening,
        tls
            ? accepted -> NettyConnections.addBehindTls(accepted, guard::newHandler)
            // A refused client must not get any bytes. grpc-java sends some when it is added.
            : accepted -> accepted.pipeline().addFirst(guard.newHandler()));
  }

  /** Returns a builder of a channel to one host, even if grpc-java does not take its name. */
  private static NettyChannelBuilder named(String host, int port) {
    Servers.Address address = new Servers.Address(host, port);
    if (!HostName.fitsUri(address.host())) {
      return ServersResolver.connect(address);
    }
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(address.host(), port);
    // grpc-java asks ProxySelector. A tunnel would show the proxy what is in plain text.
    return HostName.isThisMachine(address.host()) ? builder.proxyDetector(to -> null) : builder;
  }

  /** Applies the settings that all channels have. */
  private static NettyChannelBuilder plain(
      NettyChannelBuilder builder, List<? extends Codec> codecs) {
    return builder
        .usePlaintext()
        // Without keepalive, a call to a host that lost power would wait forever.
        .keepAliveTime(Limits.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(Limits.KEEP_ALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        .maxInboundMessageSize(Limits.MAX_MESSAGE)
        .maxInboundMetadataSize(Limits.MAX_FIELDS)
        .compressorRegistry(compressors(codecs))
        .decompressorRegistry(decompressors(codecs));
  }

  private static NettyServerBuilder server(SocketAddress address, List<? extends Codec> codecs) {
    return NettyServerBuilder.forAddress(address)
        .maxConcurrentCallsPerConnection(Limits.MAX_CALLS_PER_CONNECTION)
        .keepAliveTime(Limits.KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
        .keepAliveTimeout(Limits.KEEP_ALIVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
        // grpc-java by default treats more than one ping in five minutes as an attack. The guard of
        // a connection limits pings together with all frames that move nothing.
        .permitKeepAliveTime(0, TimeUnit.MILLISECONDS)
        .permitKeepAliveWithoutCalls(true)
        .maxInboundMetadataSize(Limits.MAX_FIELDS_READ)
        // grpc-java counts received and sent resets together.
        .maxRstFramesPerWindow(Limits.MAX_RESETS_SENT, (int) Limits.RESETS_PERIOD.toSeconds())
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
