package dev.ferry.grpc.internal;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The carrier contract for clients and servers of every method, on every transport, in plain text
 * and over TLS.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
class GrpcCarrierTest extends CarrierContract {
  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<End.Pair> round;

  private End.Pair ends = End.mixedMethods().toList().get(0);

  static Stream<Round<End.Pair>> rounds() {
    return Round.of(
        Stream.of(
                End.mixedMethods(),
                End.overTls(),
                End.okHttpClients(),
                End.copyingOnFastTransport())
            .flatMap(pairs -> pairs)
            .toList(),
        End.Pair::options);
  }

  @Override
  protected Object configure(TestInfo test) {
    ends = round.configuration(test);
    return ends;
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    return SocketFixture.of(store, ends);
  }
}
