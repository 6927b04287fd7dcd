package dev.ferry.wire.internal.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryHintsTest {
  private static final String NOW = "Tue, 15 Nov 1994 08:12:31 GMT";

  private static @Nullable Duration http(ErrorKind kind, @Nullable String field) {
    return RetryHints.add(new FerryException(kind, "f"), field, NOW).retryAfter();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "120 | 120",
        "0 | 0",
        "Tue, 15 Nov 1994 08:12:41 GMT | 10",
        "Tue, 15 Nov 1994 08:12:21 GMT | 0",
        "soon | 0",
        "-1 | 0",
        "99999999999999999999 | 0"
      })
  void http_retryAfter_isReadIfItIsWellFormed(String field, long seconds) {
    assertThat(http(ErrorKind.UNAVAILABLE, field)).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(http(ErrorKind.OVERLOADED, field)).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(http(ErrorKind.NOT_FOUND, field)).isNull();
  }

  @Test
  void http_busyWithoutRetryAfter_isAnyTime() {
    assertThat(http(ErrorKind.UNAVAILABLE, null)).isEqualTo(Duration.ZERO);
    assertThat(http(ErrorKind.INTERNAL, null)).isNull();
  }

  private static @Nullable Duration grpc(Status status, @Nullable String pushback) {
    Metadata trailers = new Metadata();
    if (pushback != null) {
      trailers.put(
          Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER), pushback);
    }
    return GrpcErrors.fromStatus(status.withDescription("busy").asRuntimeException(trailers), "f")
        .retryAfter();
  }

  @Test
  void grpc_pushback_isReadIfItIsWellFormed() {
    assertThat(grpc(Status.UNAVAILABLE, null)).isEqualTo(Duration.ZERO);
    assertThat(grpc(Status.UNAVAILABLE, "1500")).isEqualTo(Duration.ofMillis(1500));
    assertThat(grpc(Status.UNAVAILABLE, "-1")).isNull();
    assertThat(grpc(Status.UNAVAILABLE, "soon")).isNull();
    assertThat(grpc(Status.RESOURCE_EXHAUSTED, "7")).isEqualTo(Duration.ofMillis(7));
    assertThat(grpc(Status.RESOURCE_EXHAUSTED, null)).isNull();
    assertThat(grpc(Status.NOT_FOUND, "7")).isNull();
  }
}
