package dev.ferry.grpc;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FileStore;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The carrier contract for a client of every method with a server of every method. */
@ParameterizedClass(name = "{0} client, {1} server")
@MethodSource("mixes")
class MethodMixesTest extends CarrierContract {
  @Parameter(0)
  Method client = Method.DEFAULT;

  @Parameter(1)
  Method server = Method.DEFAULT;

  static Stream<Arguments> mixes() {
    return Arrays.stream(Method.values())
        .flatMap(c -> Arrays.stream(Method.values()).map(s -> Arguments.of(c, s)));
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    return new SocketFixture(store, client, server);
  }
}
