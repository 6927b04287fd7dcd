package dev.ferry.grpc.internal;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Ferry's server, and a channel of stock grpc-java to it. */
abstract class StockChannelHarness {
  @TempDir Path root;
  GrpcFilesServer server;
  ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    server =
        GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }
}
