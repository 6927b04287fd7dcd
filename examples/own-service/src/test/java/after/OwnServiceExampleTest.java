package after;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.zerocopy.CopyCounters.Snapshot;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
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

  private static final String PROTO = "src/main/protobuf/blobs.proto";
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
    int ends = (server ? 1 : 0) + (client ? 1 : 0);
    assertSentWithoutCopies(before, ends * MESSAGES);
    if (server && client) {
      assertThat(Blobs.DATA.copies().snapshot().copiedIn()).isEqualTo(before.copiedIn());
    }
  }

  /** grpc-java copies small DATA frames, which other senders make: then a message is copied. */
  private static void assertSentWithoutCopies(Snapshot before, int messages) {
    Snapshot after = Blobs.DATA.copies().snapshot();
    assertThat(after.handedOff() - before.handedOff()).isEqualTo(messages);
    assertThat(after.copiedOut() - before.copiedOut()).isZero();
    long copiedIn = after.copiedIn() - before.copiedIn();
    assertThat(after.viewed() - before.viewed() + copiedIn).isEqualTo(messages);
    assertThat(copiedIn).isLessThanOrEqualTo(messages / 2);
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
        works(local.resolve("log"), PYTHON, "-c", "import grpc, google.protobuf"),
        "grpcio or protobuf is missing");
    assumeTrue(
        works(
            local.resolve("log"),
            "protoc",
            "-I",
            "src/main/protobuf",
            "--python_out=" + local,
            "blobs.proto"),
        "protoc is missing");
    return peer("PYTHONPATH", local, command);
  }

  /** Installs what the scripts need, once. */
  private ProcessBuilder node(String... command) throws Exception {
    Path packages = Path.of("target/node").toAbsolutePath();
    Path installed = packages.resolve("installed");
    Path versions = Path.of("node/package-lock.json");
    if (Files.notExists(installed) || Files.mismatch(versions, installed) >= 0) {
      Files.createDirectories(packages);
      for (Path list : List.of(Path.of("node/package.json"), versions)) {
        Files.copy(list, packages.resolve(list.getFileName()), REPLACE_EXISTING);
      }
      assumeTrue(
          works(
              packages.resolve("npm.log"),
              "npm",
              "ci",
              "--ignore-scripts",
              "--no-audit",
              "--no-fund",
              "--prefix",
              packages.toString()),
          "node, npm or its registry is missing; target/node/npm.log says which");
      Files.copy(versions, installed, REPLACE_EXISTING);
    }
    return peer("NODE_PATH", packages.resolve("node_modules"), command);
  }

  private ProcessBuilder peer(String variable, Path libraries, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(variable, libraries.toString());
    return builder.redirectError(local.resolve("errors").toFile());
  }

  private boolean works(Path log, String... command) throws InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException e) {
      return false;
    }
    try {
      return process.waitFor(2, TimeUnit.MINUTES) && process.exitValue() == 0;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void assertEnds(Process peer) throws Exception {
    assertThat(peer.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(peer.exitValue()).as(Files.readString(local.resolve("errors"))).isZero();
  }

  private interface Peer {
    /** Returns the command of the peer, with what it needs. */
    ProcessBuilder of(String... arguments) throws Exception;
  }

  private void assertWritesAndReads(Peer client, String... command) throws Exception {
    Snapshot before = Blobs.DATA.copies().snapshot();
    Server blobs = serve(true);
    try {
      List<String> whole = new ArrayList<>(List.of(command));
      whole.addAll(List.of("localhost:" + blobs.getPort(), file.toString()));
      assertEnds(client.of(whole.toArray(String[]::new)).redirectOutput(copy.toFile()).start());
    } finally {
      blobs.shutdownNow().awaitTermination();
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertSentWithoutCopies(before, MESSAGES);
  }

  private void assertIsWrittenAndRead(Peer server, String... command) throws Exception {
    Snapshot before = Blobs.DATA.copies().snapshot();
    Process blobs = server.of(command).start();
    try {
      String port = blobs.inputReader().readLine();
      assertThat(port).as(() -> errors()).isNotNull();
      writeAndRead(true, Integer.parseInt(port));
      blobs.outputWriter().close();
      assertEnds(blobs);
    } finally {
      blobs.destroyForcibly();
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertSentWithoutCopies(before, MESSAGES);
  }

  @Test
  void python_asTheClient_writesAndReads() throws Exception {
    assertWritesAndReads(this::python, PYTHON, "python/blob_client.py");
  }

  @Test
  void python_asTheServer_isWrittenAndRead() throws Exception {
    assertIsWrittenAndRead(this::python, PYTHON, "python/blob_server.py");
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void node_asTheClient_writesAndReads() throws Exception {
    assertWritesAndReads(this::node, "node", "node/blob_client.mjs", PROTO);
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void node_asTheServer_isWrittenAndRead() throws Exception {
    assertIsWrittenAndRead(this::node, "node", "node/blob_server.mjs", PROTO);
  }

  private String errors() {
    try {
      return Files.readString(local.resolve("errors"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  @Test
  void diff_ofReadme_isOfTheSources() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme).contains("changes " + MOST_LINES + " lines");
    List<String> changed =
        readme.lines().dropWhile(line -> !line.equals("```diff")).skip(1).toList();
    changed = changed.subList(0, changed.indexOf("```"));
    List<String> before = lines("before");
    List<String> after = lines("after");
    assertThat(changed).isNotEmpty();
    for (String line : changed) {
      assertThat(line.startsWith("-") ? before : after).contains(line.substring(1).strip());
    }
  }

  private static List<String> lines(String folder) throws IOException {
    try (Stream<Path> sources = Files.list(SOURCES.resolve(folder))) {
      List<String> lines = new ArrayList<>();
      for (Path source : sources.toList()) {
        Files.readAllLines(source).forEach(line -> lines.add(line.strip()));
      }
      return lines;
    }
  }

  /** With the code around it that the reader has. */
  @Test
  void code_ofThePage_compiles() throws IOException {
    List<String> code =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/zero-copy.md")))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(code).hasSize(7);
    String page =
        """
        package page;

        import dev.ferry.zerocopy.*;
        import example.blobs.*;
        import io.grpc.*;
        import io.grpc.netty.*;
        import io.grpc.stub.*;
        import java.io.IOException;
        import java.nio.channels.FileChannel;
        import java.nio.file.Path;
        import java.util.*;

        abstract class Page extends BlobStoreGrpc.BlobStoreImplBase {
          %s
          Server start(Page blobs, int port) throws IOException {
            %s
          }
          %s
          StreamObserver<BytesMessage<Blob>> receiveNamed(StreamObserver<WriteResponse> response) {
            %s
          }
          void client(
              ManagedChannel channel, String host, int port, ReadRequest request, Path source,
              Path target, StreamObserver<WriteResponse> reply) throws IOException {
            %s
          }
          abstract class Receiver implements StreamObserver<BytesMessage<Blob>> {
            FileChannel channel;
            StreamObserver<WriteResponse> response;
            abstract void check(long offset, int length);
            %s
          }
          void iterate(ManagedChannel channel, ReadRequest request) {
            %s
          }
          abstract Path path(String name);
          abstract WriteResponse written(String name, long size);
        }
        """
            .formatted(code.toArray());
    Path source = Files.writeString(local.resolve("Page.java"), page);
    StringWriter messages = new StringWriter();
    int compiled =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(messages),
                new PrintWriter(messages),
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                local.toString(),
                source.toString());
    assertThat(compiled).as(messages.toString()).isZero();
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
