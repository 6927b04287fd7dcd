package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.FailureAdvice.Arrived;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.SystemError;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureAdviceTest {
  private static final String TOLD = "a: " + SystemError.RAISE_LIMIT;

  private static String explained(Throwable cause) {
    FailureAdvice advice =
        new FailureAdvice(
            new ServerArguments(new ServerOptions()),
            CarrierChoice.GRPC,
            List.of(),
            Arrived.DISCARDED);
    FerryException failure = new FerryException(ErrorKind.INTERNAL, TOLD, cause);
    return String.valueOf(advice.explained(failure).getMessage());
  }

  @Test
  void explained_tooManyOpenFiles_namesTheServerOnlyIfItSaidSo() {
    IOException here = new IOException("Too many open files");
    assertThat(explained(new IllegalStateException("no channel", here))).isEqualTo(TOLD);
    assertThat(explained(new IllegalStateException("INTERNAL: " + TOLD)))
        .isEqualTo(TOLD + "; the server's log may say more");
  }
}
