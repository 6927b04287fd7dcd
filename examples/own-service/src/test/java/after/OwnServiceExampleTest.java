package after;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.zerocopy.CopyCounters.Snapshot;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service before and after, and what it takes to get from one to the other. */
@Timeout(300)
final class OwnServiceExampleTest {
  private static final int SIZE = 5_000_001;
  private static final int MESSAGES = SIZE / (64 * 1024) + 1;

  /** Added lines at both ends together, without imports. */
  private static final int MOST_LINES = 15;

  /** Python's gRPC may be that of the system alone. */
  private static final String PYTHON =
      Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path ROOT = Path.of("../..");

  @TempDir Path folder;
  @TempDir Path local;
  private Path file;
  private Path copy;

  @BeforeEach
  void makeFile() throws IOException {
    byte[] content = new byte[SIZE];
    new Random(1).nextBytes(content);
    file = Files.write(local.resolve("file"), content);
    copy = local.resolve("copy");
  }

  private Server serve(boolean converted) throws IOException {
    return converted ? BlobServer.start(folder, 0) : before.BlobServer.start(folder, 0);
  }

  private void writeAndRead(boolean converted, int port) throws IOException {
    if (converted) {
      try (BlobClient client = new BlobClient("localhost", port)) {
        client.read(client.write(file), copy);
      }
    } else {
      try (before.BlobClient client = new before.BlobClient("localhost", port)) {
        client.read(client.write(file), copy);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void blob_betweenAnyTwo_isTheFile(boolean server, boolean client) throws Exception {
    Snapshot before = Blobs.DATA.copies().snapshot();
    Server blobs = serve(server);
    try {
      writeAndRead(client, blobs.getPort());
    } finally {
      blobs.shutdownNow().awaitTermination();
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files)
          .singleElement()
          .satisfies(blob -> assertThat(Files.mismatch(file, blob)).isEqualTo(-1));
    }
    Snapshot after = Blobs.DATA.copies().snapshot();
    int ends = (server ? 1 : 0) + (client ? 1 : 0);
    assertThat(after.handedOff() - before.handedOff()).isEqualTo(ends * MESSAGES);
    assertThat(after.copiedOut() - before.copiedOut()).isZero();
    assertThat(after.viewed() - before.viewed()).isEqualTo(ends * MESSAGES);
    assertThat(after.copiedIn() - before.copiedIn()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void read_ofNoBlob_isNotFound(boolean server) throws Exception {
    Server blobs = serve(server);
    try (BlobClient client = new BlobClient("localhost", blobs.getPort())) {
      for (String name : List.of("../file", UUID.randomUUID().toString())) {
        assertThatThrownBy(() -> client.read(name, copy))
            .isInstanceOfSatisfying(
                StatusRuntimeException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND));
      }
      assertThat(copy).doesNotExist();
    } finally {
      blobs.shutdownNow().awaitTermination();
    }
  }

  private ProcessBuilder python(String... command) throws Exception {
    assumeTrue(
        works(PYTHON, "-c", "import grpc, google.protobuf"), "grpcio or protobuf is missing");
    assumeTrue(
        works("protoc", "-I", "src/main/protobuf", "--python_out=" + local, "blobs.proto"),
        "protoc is missing");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("PYTHONPATH", local.toString());
    return builder.redirectError(local.resolve("errors").toFile());
  }

  private static boolean works(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void assertEnds(Process python) throws Exception {
    assertThat(python.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(python.exitValue()).as(Files.readString(local.resolve("errors"))).isZero();
  }

  @Test
  void python_asTheClient_writesAndReads() throws Exception {
    Snapshot before = Blobs.DATA.copies().snapshot();
    Server blobs = serve(true);
    try {
      Process client =
          python(PYTHON, "python/blob_client.py", "localhost:" + blobs.getPort(), file.toString())
              .redirectOutput(copy.toFile())
              .start();
      assertEnds(client);
    } finally {
      blobs.shutdownNow().awaitTermination();
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertNothingCopied(before);
  }

  @Test
  void python_asTheServer_isWrittenAndRead() throws Exception {
    Snapshot before = Blobs.DATA.copies().snapshot();
    Process server = python(PYTHON, "python/blob_server.py").start();
    try {
      String port = server.inputReader().readLine();
      assertThat(port).as(() -> errors()).isNotNull();
      writeAndRead(true, Integer.parseInt(port));
      server.outputWriter().close();
      assertEnds(server);
    } finally {
      server.destroyForcibly();
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertNothingCopied(before);
  }

  private String errors() {
    try {
      return Files.readString(local.resolve("errors"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertNothingCopied(Snapshot before) {
    Snapshot after = Blobs.DATA.copies().snapshot();
    assertThat(after.handedOff() - before.handedOff()).isEqualTo(MESSAGES);
    assertThat(after.copiedOut() - before.copiedOut()).isZero();
    assertThat(after.viewed() - before.viewed()).isEqualTo(MESSAGES);
    assertThat(after.copiedIn() - before.copiedIn()).isZero();
  }

  @Test
  void conversion_changesFewLines() throws IOException {
    List<String> added = new ArrayList<>();
    for (String source : List.of("Blobs.java", "BlobServer.java", "BlobClient.java")) {
      added.addAll(
          added(
              Files.readAllLines(SOURCES.resolve("before").resolve(source)),
              Files.readAllLines(SOURCES.resolve("after").resolve(source))));
    }
    assertThat(added)
        .filteredOn(line -> !line.matches("(import|package) .*|[\\s{}]*"))
        .hasSizeBetween(1, MOST_LINES);
    try (Stream<Path> sources = Files.list(SOURCES.resolve("after"))) {
      assertThat(sources).hasSize(3);
    }
  }

  /** Returns the lines of a text that are not in a longest common subsequence with another. */
  private static List<String> added(List<String> from, List<String> to) {
    int[][] common = new int[from.size() + 1][to.size() + 1];
    for (int i = from.size() - 1; i >= 0; i--) {
      for (int j = to.size() - 1; j >= 0; j--) {
        common[i][j] =
            from.get(i).equals(to.get(j))
                ? 1 + common[i + 1][j + 1]
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    List<String> added = new ArrayList<>();
    int i = 0;
    for (int j = 0; j < to.size(); j++) {
      while (i < from.size() && common[i + 1][j] == common[i][j]) {
        i++;
      }
      if (common[i][j] == common[i][j + 1]) {
        added.add(to.get(j));
      } else {
        i++;
      }
    }
    return added;
  }
}
