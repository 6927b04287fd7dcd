package dev.ferry.suites.own;

import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.tls.NettyTls;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ways to write the service and its client. The two ends have no event loops in common, which
 * grpc-java would let them share in one process.
 */
public enum OwnMethod {
  /** Generated code as most people write it. */
  STOCK("Stock"),
  /** Generated code with all that grpc-java, protobuf and Netty have to make it fast. */
  STOCK_TUNED("StockTuned"),
  /** The same with received bytes as views of Netty's buffers. */
  ALIASING_RECEIVE("AliasingReceive"),
  /** {@code ferry-zerocopy}, as its page says. */
  ZERO_COPY("ZeroCopy");

  private final String label;

  OwnMethod(String label) {
    this.label = label;
  }

  /** Returns the name of the method in tables. */
  public String label() {
    return label;
  }

  private @Nullable AliasingMarshaller aliasing() {
    return this == ALIASING_RECEIVE ? new AliasingMarshaller() : null;
  }

  /**
   * Serves the files of a folder on a free port.
   *
   * @param tls null for plain text
   */
  public RowServer serve(Path folder, String host, @Nullable ServerTls tls) throws IOException {
    NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(host, 0));
    if (tls != null) {
      builder.sslContext(context(NettyTls.server(tls)));
    }
    if (this == ZERO_COPY) {
      return start(ZeroCopyBlobs.serve(builder, folder), List.of());
    }
    EventLoops boss = new EventLoops("own-boss", 1);
    EventLoops workers = new EventLoops("own-server", 0);
    builder
        .bossEventLoopGroup(boss.group())
        .workerEventLoopGroup(workers.group())
        .channelFactory(boss.serverChannels());
    return start(
        this == STOCK
            ? builder.addService(new StockBlobs(folder))
            : TunedBlobs.serve(builder, folder, aliasing()),
        List.of(workers, boss));
  }

  private SslContext context(SslContext context) {
    return this == ZERO_COPY ? ZeroCopy.tls(context) : context;
  }

  private static RowServer start(NettyServerBuilder builder, List<EventLoops> loops)
      throws IOException {
    Server server = builder.build();
    Runnable stop =
        () -> {
          GrpcEnd.now(server);
          loops.forEach(EventLoops::close);
        };
    try {
      server.start();
      return RowServer.of(server.getPort(), stop::run);
    } catch (IOException e) {
      stop.run();
      throw e;
    }
  }

  /**
   * Connects, lazily.
   *
   * @param tls null for plain text
   */
  public TransferClient connect(String host, int port, @Nullable ClientTls tls) {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, port);
    if (tls == null) {
      builder.usePlaintext();
    } else {
      builder.sslContext(context(NettyTls.client(tls)));
    }
    String protocol = tls == null ? "h2c" : "h2";
    if (this == ZERO_COPY) {
      ManagedChannel channel = ZeroCopyBlobs.connect(builder);
      return new ZeroCopyBlobsClient(protocol, channel, () -> GrpcEnd.now(channel));
    }
    EventLoops loops = new EventLoops("own-client", 0);
    builder.eventLoopGroup(loops.group()).channelFactory(loops.clientChannels());
    ManagedChannel channel = (this == STOCK ? builder : TunedBlobs.connect(builder)).build();
    Runnable close =
        () -> {
          GrpcEnd.now(channel);
          loops.close();
        };
    return this == STOCK
        ? new StockBlobsClient(protocol, channel, close)
        : new TunedBlobsClient(protocol, channel, aliasing(), close);
  }
}
