package dev.ferry.suites.own;

import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
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

  /** Serves the files of a folder on a free port, in plain text. */
  public RowServer serve(Path folder, String host) throws IOException {
    NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(host, 0));
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

  private static RowServer start(NettyServerBuilder builder, List<EventLoops> loops)
      throws IOException {
    Server server = builder.build();
    Runnable stop =
        () -> {
          Shutdown.now(server);
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

  /** Connects, lazily, in plain text. */
  public TransferClient connect(String host, int port) {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, port).usePlaintext();
    if (this == ZERO_COPY) {
      ManagedChannel channel = ZeroCopyBlobs.connect(builder);
      return new ZeroCopyBlobsClient(channel, () -> Shutdown.now(channel));
    }
    EventLoops loops = new EventLoops("own-client", 0);
    builder.eventLoopGroup(loops.group()).channelFactory(loops.clientChannels());
    ManagedChannel channel = (this == STOCK ? builder : TunedBlobs.connect(builder)).build();
    Runnable close =
        () -> {
          Shutdown.now(channel);
          loops.close();
        };
    return this == STOCK
        ? new StockBlobsClient(channel, close)
        : new TunedBlobsClient(channel, aliasing(), close);
  }
}
