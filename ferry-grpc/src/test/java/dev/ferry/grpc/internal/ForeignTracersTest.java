package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tracers that a process has installed; that can be done once in a JVM, hence in another one. */
class ForeignTracersTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 300;

  @Test
  @Timeout(300)
  void transfers_withForeignTracers_letThemSeeEveryMessage(@TempDir Path directory)
      throws Exception {
    Files.write(directory.resolve("file"), TestFiles.random(CHUNK * CHUNKS, 1));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TracedTransfers.class.getName(),
                directory.toString(),
                String.valueOf(CHUNK))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines;
    try (BufferedReader reader = process.inputReader()) {
      lines = reader.lines().toList();
    }
    assertThat(process.waitFor()).isZero();
    int messages = 1 + CHUNKS;
    // Were they batched, the tracers would miss most.
    assertThat(lines).containsExactly(messages + " " + messages + " true");
  }
}
