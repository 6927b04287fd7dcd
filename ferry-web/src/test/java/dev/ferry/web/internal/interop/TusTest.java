package dev.ferry.web.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.Node;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** tus-js-client, by the draft of the IETF for resumable uploads. */
@Timeout(400)
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true", disabledReason = "-Pthorough")
class TusTest {
  @TempDir Path root;
  @TempDir Path local;

  @Test
  void upload_stoppedAfterTwoParts_goesOnThere() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Path file = Files.write(local.resolve("f"), TestFiles.random(20_000_000, 1));
    try (WebFilesServer server =
        WebFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults())) {
      String address = "http://127.0.0.1:" + server.port();
      assertThat(Node.run("tus.mjs", address, file.toString()))
          .containsExactly("stopped POST PATCH PATCH", "resumed HEAD PATCH PATCH PATCH");
    }
    assertThat(Files.mismatch(root.resolve("f"), file)).isEqualTo(-1);
  }
}
