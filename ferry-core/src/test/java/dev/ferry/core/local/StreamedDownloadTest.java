package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.StorePath;
import dev.ferry.core.StubCarrier;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class StreamedDownloadTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final List<Duration> allowed = new ArrayList<>();

  /** Loses each connection at once. */
  private final class Lost extends StubCarrier {
    @Override
    public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
        throws FerryException {
      allowed.add(Objects.requireNonNull(options.timeout()));
      throw new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "file: lost", null);
    }
  }

  @Test
  void attempts_haveOneTimeoutTogether() throws Exception {
    StreamedDownload download =
        new StreamedDownload(
            StorePath.parse("file"),
            Channels.newChannel(new ByteArrayOutputStream()),
            "the target",
            TransferOptions.DEFAULT.withTimeout(TIMEOUT));
    for (int i = 0; i < 2; i++) {
      assertThat(catchThrowable(() -> download.attempt(new Lost())))
          .isInstanceOf(FerryException.class);
    }
    assertThat(allowed).hasSize(2).allMatch(time -> time.compareTo(TIMEOUT) <= 0);
    assertThat(allowed.get(1)).isLessThan(allowed.get(0));
  }
}
