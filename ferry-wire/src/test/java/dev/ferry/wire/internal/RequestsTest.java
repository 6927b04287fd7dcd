package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.file.FileSystemException;
import org.junit.jupiter.api.Test;

final class RequestsTest {
  @Test
  void told_ofTooManyOpenFiles_isUnavailableWithoutThePath() {
    FerryException failure =
        FerryException.of(
            new FileSystemException("/srv/files/a", null, "Too many open files"), "a");

    FerryException told = Requests.told(failure);

    assertThat(told.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    assertThat(told).hasMessage("the server has too many open files; try again");
    assertThat(told.retryAfter()).isPositive();
  }
}
