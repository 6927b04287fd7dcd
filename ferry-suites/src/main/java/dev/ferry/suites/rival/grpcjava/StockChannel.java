package dev.ferry.suites.rival.grpcjava;

import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A channel as grpc-java's documentation builds one, with event loops of its own. Thread-safe. */
public final class StockChannel implements AutoCloseable {
  private final EventLoops loops = new EventLoops("stock-client", 0);
  private final ManagedChannel channel;

  /** Connects, lazily, in plain text. */
  public StockChannel(String host, int port) {
    this(host, port, null, builder -> builder);
  }

  /**
   * Connects, lazily.
   *
   * @param tls null for plain text
   * @param settings applied to the builder of the channel
   */
  StockChannel(
      String host,
      int port,
      @Nullable SslContext tls,
      UnaryOperator<NettyChannelBuilder> settings) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(host, port)
            .eventLoopGroup(loops.group())
            .channelFactory(loops.clientChannels());
    channel =
        settings.apply(tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
  }

  /** For stubs; it is closed with this. */
  public ManagedChannel channel() {
    return channel;
  }

  /** Cuts running calls. */
  @Override
  public void close() {
    GrpcEnd.now(channel);
    loops.close();
  }
}
