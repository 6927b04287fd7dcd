package dev.ferry.grpc;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FileStore;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The carrier contract for a client of every method on OkHttp's transport. It covers as well that
 * grpc-okhttp, which has no release as new as the rest of grpc-java, goes with it.
 */
@ParameterizedClass(name = "{0} client on OkHttp, {1} server")
@MethodSource("mixes")
class OkHttpTest extends CarrierContract {
  @Parameter(0)
  Method client = Method.DEFAULT;

  @Parameter(1)
  Method server = Method.DEFAULT;

  static Stream<Arguments> mixes() {
    return Arrays.stream(Method.values())
        .flatMap(c -> Stream.of(Method.DEFAULT, Method.ZERO_COPY).map(s -> Arguments.of(c, s)));
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    return SocketFixture.okHttp(store, client, server);
  }
}
