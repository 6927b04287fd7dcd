package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class GrpcTimeoutTest {
  @Test
  void parse_anyField_fitsIntoNanoseconds() throws FerryException {
    assertThat(GrpcTimeout.parse("250m")).isEqualTo(Duration.ofMillis(250));
    assertThat(GrpcTimeout.parse("99999999H").toNanos())
        .isGreaterThan(Duration.ofDays(36_000).toNanos());
  }
}
