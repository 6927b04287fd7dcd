package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.CountedPauses;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers with a rate limit, by every client. */
@Timeout(300)
final class RateLimitTest {
  private static final int SIZE = 1024 * 1024;
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long BURST = SECOND / 20;
  private static final StorePath NAME = new StorePath("f");

  @TempDir Path root;
  @TempDir Path local;

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void transfers_ofALimit_pauseForAllBytesAndOnNoEventLoop(Ways way) throws Exception {
    byte[] bytes = TestFiles.random(SIZE, 1);
    Path source = TestFiles.write(local.resolve("source"), bytes);
    Path target = local.resolve("target");
    try (ServerPort server = way.serve(LocalFileStore.open(root), ServerSettings.defaults());
        Carrier carrier = way.connect(server.port(), null)) {
      for (TransferOptions kind : kinds()) {
        CountedPauses up = new CountedPauses();
        Transfer sent = carrier.upload(source, NAME, kind.withRateLimit(up.limit(SIZE)));
        assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
        assertPaused(up);

        CountedPauses down = new CountedPauses();
        Transfer received = carrier.download(NAME, target, kind.withRateLimit(down.limit(SIZE)));
        assertThat(target).binaryContent().isEqualTo(bytes);
        assertPaused(down);

        assertThat(sent.encoding()).isEqualTo(received.encoding());
        Files.delete(target);
      }
    }
  }

  @Test
  void download_thatMayGoOn_countsEachByteOnce() throws Exception {
    byte[] bytes = TestFiles.random(SIZE, 1);
    TestFiles.write(root.resolve("f"), bytes);
    Path target = local.resolve("target");
    CountedPauses pauses = new CountedPauses();
    TransferOptions options = TransferOptions.DEFAULT.withRateLimit(pauses.limit(SIZE));
    try (ServerPort server = Ways.GRPC.serve(LocalFileStore.open(root), ServerSettings.defaults());
        Carrier carrier = Ways.GRPC.connect(server.port(), null)) {
      Carriers.Connector more = () -> Ways.GRPC.connect(server.port(), null);
      Transfer received =
          Download.run(
              Carriers.of(carrier, more), 1, NAME, target, options, Retries.of(0, Duration.ZERO));
      assertThat(received.facts().size()).isEqualTo(SIZE);
    }
    assertThat(target).binaryContent().isEqualTo(bytes);
    assertPaused(pauses);
  }

  /** Each way in which a carrier reads and writes files. */
  private static TransferOptions[] kinds() {
    TransferOptions plain = TransferOptions.DEFAULT;
    return new TransferOptions[] {
      plain, plain.withGzip(true), plain.withDigest(Digest.Algorithm.SHA256)
    };
  }

  private static void assertPaused(CountedPauses pauses) {
    assertThat(pauses.total()).isBetween(SECOND - BURST - 1000, SECOND);
    assertThat(pauses.longest()).isLessThan(SECOND / 4);
    assertThat(pauses.threads()).noneMatch(name -> name.matches("ferry-grpc-client-[0-9]+-[0-9]+"));
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void transfers_interruptedInAPause_endAndLeaveNothing(Ways way) throws Exception {
    Path source = TestFiles.write(local.resolve("source"), TestFiles.random(SIZE, 1));
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    try (ServerPort server = way.serve(LocalFileStore.open(root), ServerSettings.defaults());
        Carrier carrier = way.connect(server.port(), null)) {
      CountedPauses up = new CountedPauses().holding();
      TransferOptions limited = TransferOptions.DEFAULT.withRateLimit(up.limit(SIZE));
      Background<Transfer> upload = Background.start(() -> carrier.upload(source, NAME, limited));
      up.awaitBegun();
      upload.interrupt();
      assertThat(upload.failure().kind()).isEqualTo(ErrorKind.CANCELLED);

      CountedPauses down = new CountedPauses().holding();
      TransferOptions slow = TransferOptions.DEFAULT.withRateLimit(down.limit(SIZE));
      Path target = local.resolve("target");
      Background<Transfer> download =
          Background.start(() -> carrier.download(new StorePath("g"), target, slow));
      down.awaitBegun();
      download.interrupt();
      assertThat(download.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    }
    TestFiles.awaitTree(local, "source");
    TestFiles.awaitTree(root, "g");
  }
}
