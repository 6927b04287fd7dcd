package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.core.upload.UploadStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uploads that an earlier attempt is still received of. */
class UploadTest {
  private static final int SIZE = 1000;

  @TempDir Path temporary;
  private final FakeTiming timing = new FakeTiming();
  private Path source;

  /** A server that writes further bytes of an earlier attempt whenever it has said how many. */
  private static class StillReceives extends StubCarrier {
    final int step;
    int received;
    int attempts;

    StillReceives(int step) {
      this.step = step;
    }

    @Override
    public Transfer upload(FileSource source, StorePath path, TransferOptions options)
        throws FerryException {
      attempts++;
      if (Objects.requireNonNull(options.create().upload()).offset() != received) {
        throw new FerryException(
            ErrorKind.OFFSET_MISMATCH, "f: the upload continues at byte " + received);
      }
      return new Transfer(source.facts(), SIZE - received, "stub", "identity", received);
    }

    @Override
    public UploadStatus uploadStatus(UploadId id, CallLimits limits) {
      long answer = received;
      received = Math.min(SIZE - 1, received + step);
      return new UploadStatus(answer, null);
    }
  }

  @BeforeEach
  void makeSource() throws Exception {
    source = Files.write(temporary.resolve("source"), new byte[SIZE]);
  }

  private void upload(StillReceives server) throws FerryException {
    Upload.run(
        Carriers.of(server, () -> server),
        source,
        StorePath.parse("f"),
        TransferOptions.DEFAULT,
        Retries.of(5, Duration.ZERO).withTiming(timing),
        carrier -> CreateOptions.DEFAULT,
        UploadIds.RANDOM);
  }

  @Test
  void upload_serverStillReceives_waitsAndResumesBehindIt() throws Exception {
    StillReceives server = new StillReceives(60);
    server.received = 1;
    upload(server);
    assertThat(server.attempts).isGreaterThan(10);
    // Each attempt finds more bytes, so the delay does not grow.
    assertThat(timing.slept).containsOnly(Duration.ofSeconds(1)).hasSize(server.attempts - 1);
  }

  @Test
  void upload_offsetNeverMatches_givesUp() {
    StillReceives server =
        new StillReceives(0) {
          @Override
          public UploadStatus uploadStatus(UploadId id, CallLimits limits) {
            return new UploadStatus(5, null);
          }
        };
    server.received = 7;
    assertThatThrownBy(() -> upload(server))
        .hasMessage("f: the upload continues at byte 7; gave up after 7 attempts");
  }
}
