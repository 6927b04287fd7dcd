package dev.ferry.grpc.internal;

import dev.ferry.core.Round;
import dev.ferry.core.local.LocalFileStore;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Ferry's server, by each method, and a channel of stock grpc-java to it. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.ferry.grpc.internal.End#methodRounds")
@ExtendWith(Round.Naming.class)
abstract class StockChannelHarness {
  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private Round<Method> round;

  Method method = Method.DEFAULT;
  @TempDir Path root;
  GrpcFilesServer server;
  ManagedChannel channel;

  @BeforeEach
  void start(TestInfo test) throws Exception {
    method = round.configuration(test);
    server = GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, method);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }
}
