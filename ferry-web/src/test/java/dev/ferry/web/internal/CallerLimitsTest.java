package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.net.CallersFile;
import dev.ferry.net.ServerPort;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transfers of callers with limits of their bytes, by every carrier. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
final class CallerLimitsTest {
  private static final int SIZE = 1024 * 1024;
  private static final StorePath NAME = new StorePath("f");

  @TempDir Path folder;
  private Path root;
  private Path source;

  @BeforeEach
  void prepare() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    source = TestFiles.write(folder.resolve("source"), TestFiles.random(SIZE, 1));
  }

  private Token caller(String name, String... limits) throws IOException {
    List<String> rules = new ArrayList<>(List.of("all:/"));
    rules.addAll(List.of(limits));
    return Token.parse(CallersFile.addToken(folder.resolve("callers"), name, rules));
  }

  private ServerPort serve(Ways way) throws FerryException {
    ServerSettings settings =
        ServerSettings.defaults().withCallers(CallersFile.open(folder.resolve("callers")));
    return way.serve(LocalFileStore.open(root), settings);
  }

  @ParameterizedTest
  @EnumSource
  void transfers_ofACallerWithARate_shareItInBothDirections(Ways way) throws Exception {
    TestFiles.write(root.resolve("g"), TestFiles.random(SIZE, 2));
    Path target = folder.resolve("target");
    Token slow = caller("slow", "bytes:2M/s");
    try (ServerPort server = serve(way);
        Carrier up = way.connect(server.port(), slow);
        Carrier down = way.connect(server.port(), slow)) {
      long began = System.nanoTime();
      Background<Transfer> download =
          Background.start(
              () -> down.download(new StorePath("g"), target, TransferOptions.DEFAULT));
      up.upload(source, NAME, TransferOptions.DEFAULT);
      download.result();
      // 2 MiB without 50 ms and the last chunks, for which nobody waits.
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(700));
    }
    assertThat(root.resolve("f")).hasSameBinaryContentAs(source);
    assertThat(target).hasSameBinaryContentAs(root.resolve("g"));
  }

  @ParameterizedTest
  @EnumSource
  void transfers_ofOthers_passThoseThatArePaced(Ways way) throws Exception {
    TestFiles.sparse(root.resolve("large"), 64L << 20);
    Token slow = caller("slow", "bytes:512K/s");
    Token fast = caller("fast");
    AtomicLong received = new AtomicLong();
    TransferOptions counted =
        TransferOptions.DEFAULT
            .withDigest(null)
            .withProgress((bytes, total) -> received.accumulateAndGet(bytes, Math::max));
    List<Carrier> carriers = new ArrayList<>();
    long began = System.nanoTime();
    try (ServerPort server = serve(way);
        Carrier other = way.connect(server.port(), fast)) {
      // As many as there are event loops on a machine of two cores.
      for (int i = 0; i < 4; i++) {
        Carrier carrier = way.connect(server.port(), slow);
        Path target = folder.resolve("slow" + i);
        carriers.add(carrier);
        Background.start(() -> carrier.download(new StorePath("large"), target, counted));
      }
      for (int i = 0; i < 8; i++) {
        other.upload(source, NAME, TransferOptions.DEFAULT);
        other.download(NAME, folder.resolve("fast" + i), TransferOptions.DEFAULT);
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      assertThat((double) received.get()).isLessThan((seconds + 1) * 512 * 1024);
    } finally {
      carriers.forEach(Carrier::close);
    }
    TestFiles.awaitNothingOpen(root);
    TestFiles.awaitTree(root, "f", "large");
  }
}
