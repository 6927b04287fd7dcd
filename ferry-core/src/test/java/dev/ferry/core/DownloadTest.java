package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.local.Download;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DownloadTest {
  private static final int MOST = 3;

  @TempDir Path folder;
  private int requests;

  /** Sends some bytes of a file without a version, and loses the connection. */
  private final class NoVersion extends StubCarrier {
    @Override
    public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
        throws FerryException {
      requests++;
      try (FileSink sink =
          receiver.whole(new FileFacts("file", 1000, Instant.EPOCH, false, null))) {
        sink.write(ByteBuffer.allocate(10));
      }
      throw new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "file: lost", null);
    }
  }

  private static final class NoTime implements Retries.Timing {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void sleep(Duration time) {}

    @Override
    public double random() {
      return 1;
    }
  }

  @Test
  void run_fileWithoutVersionThatIsLostAgainAndAgain_givesUp() {
    assertThatThrownBy(
            () ->
                Download.run(
                    Carriers.of(new NoVersion(), NoVersion::new),
                    1,
                    StorePath.parse("file"),
                    folder.resolve("back"),
                    TransferOptions.DEFAULT,
                    Retries.of(MOST, Duration.ZERO).withTiming(new NoTime())))
        .isInstanceOf(FerryException.class)
        .hasMessage("file: lost; gave up after 4 attempts");
    assertThat(requests).isEqualTo(1 + MOST);
    assertThat(folder).isEmptyDirectory();
  }
}
