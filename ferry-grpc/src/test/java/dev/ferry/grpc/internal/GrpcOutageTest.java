package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.core.Round;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Servers that cannot be reached, fall silent or go away, for gRPC on both transports. */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
@ExtendWith(Round.Naming.class)
class GrpcOutageTest extends OutageContract {
  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<End> round;

  private End client = End.of(Method.ZERO_COPY);

  static Stream<Round<End>> rounds() {
    List<End> clients =
        Stream.concat(
                Stream.of(Method.values()).map(End::of),
                Stream.of(new End(Method.ZERO_COPY, End.Carriage.OK_HTTP)))
            .toList();
    return Round.of(clients, end -> List.of(end.carriage()));
  }

  @BeforeEach
  void choose(TestInfo test) {
    client = round.configuration(test);
  }

  @Override
  protected Server serve(FileStore store) throws FerryException {
    GrpcFilesServer server = GrpcFilesServer.start(store, "127.0.0.1", 0, Method.ZERO_COPY);
    return new Server() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Override
  protected Carrier connect(String host, int port) {
    return client.connect(host, port);
  }
}
