package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client on the C core of gRPC, with a Ferry server. */
@EnabledIf(
    value = "dev.ferry.grpc.internal.interop.Python#isAvailable",
    disabledReason = Python.SKIPPED)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CCoreClientTest {
  private static final String CASES = "dev.ferry.grpc.internal.interop.Cases#all";

  private Path files;
  private PythonPeer client;
  private GrpcFilesServer server;

  /** What servers keep. */
  @TempDir Path root;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    client = Python.find().client();
    files = folder;
    Cases.write(files);
    server =
        GrpcFilesServer.start(
            LocalFileStore.open(files), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterAll
  void stop() throws Exception {
    // The client first: servers wait for connections to end.
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static String options(int chunk, boolean gzip) {
    return "--digest --chunk " + chunk + (gzip ? " --gzip" : "");
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void download_fromFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    Path copy = root.resolve("copy");
    assertThat(client.run("download", server.port(), file, copy, options(chunk, gzip)))
        .startsWith("ok");
    Cases.assertArrived(files.resolve(file), copy);
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void upload_toFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    Path source = files.resolve(file);
    assertThat(client.run("upload", server.port(), source, "copy", options(chunk, gzip)))
        .startsWith("ok");
    Cases.assertArrived(source, files.resolve("copy"));
  }

  @Test
  void gzip_ofText_isOnTheWireUnlessTheClientTakesNone() throws Exception {
    long size = Files.size(files.resolve(Cases.TEXT));
    Path copy = root.resolve("copy");
    try (CountingRelay relay = new CountingRelay(server.port())) {
      Object[] download = {"download", relay.port(), Cases.TEXT, copy, "--gzip --digest"};
      assertThat(client.run(download)).startsWith("ok");
      Cases.assertArrived(files.resolve(Cases.TEXT), copy);
      assertThat(relay.passed()).isLessThan(size / 2);

      download[download.length - 1] = "--gzip --digest --identity";
      assertThat(client.run(download)).startsWith("ok");
      Cases.assertArrived(files.resolve(Cases.TEXT), copy);
      assertThat(relay.passed()).isGreaterThan(size);

      download[download.length - 1] = "--digest --encoding zstd";
      assertThat(client.run(download)).startsWith("ok");
      Cases.assertArrived(files.resolve(Cases.TEXT), copy);
      assertThat(relay.passed()).as("gzip instead").isLessThan(size / 2);

      assertThat(client.run("upload", relay.port(), files.resolve(Cases.TEXT), "copy --gzip"))
          .startsWith("ok");
      assertThat(relay.passed()).isLessThan(size / 2);
    }
  }

  @Test
  void stat_ofAFile_hasSizeAndDigest() throws Exception {
    Path small = TestFiles.write(files.resolve("abc"), new byte[] {'a', 'b', 'c'});
    assertThat(client.run("stat", server.port(), "abc"))
        .isEqualTo("ok 3 bytes ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    Files.delete(small);
  }

  @Test
  void list_ofMoreThanOneMessage_isWholeAndInOrder() throws Exception {
    Path folder = Files.createDirectory(files.resolve("folder"));
    String name = "x".repeat(200) + "-%03d";
    for (int i = 0; i < 700; i++) {
      Files.createFile(folder.resolve(name.formatted(i)));
    }
    assertThat(client.run("list", server.port(), folder.getFileName()))
        .isEqualTo(
            "ok 700 entries from %1$s/%2$s to %1$s/%3$s"
                .formatted(folder.getFileName(), name.formatted(0), name.formatted(699)));
    assertThat(client.run("list", server.port(), "none")).startsWith("failed NOT_FOUND not-found");
  }

  @Test
  void download_ofNoFile_failsWithTheKind() throws Exception {
    Path copy = root.resolve("copy");
    assertThat(client.run("download", server.port(), "none", copy))
        .startsWith("failed NOT_FOUND not-found");
    assertThat(copy).doesNotExist();
  }

  @Test
  void upload_withAWrongDigest_failsWithTheKind() throws Exception {
    for (String gzip : new String[] {"", "--gzip"}) {
      assertThat(
              client.run(
                  "upload",
                  server.port(),
                  files.resolve(Cases.MIXED),
                  "wrong --wrong-digest",
                  gzip))
          .startsWith("failed DATA_LOSS digest-mismatch");
      assertThat(files.resolve("wrong")).doesNotExist();
    }
  }

  @Test
  void upload_thatFallsSilent_failsWithTheDeadline() throws Exception {
    ServerSettings impatient = ServerSettings.defaults().withStallTimeout(Duration.ofMillis(400));
    try (GrpcFilesServer other =
        GrpcFilesServer.start(LocalFileStore.open(files), "127.0.0.1", 0, impatient)) {
      assertThat(
              client.run(
                  "upload", other.port(), files.resolve(Cases.MIXED), "silent --silent 500000"))
          .startsWith("failed DEADLINE_EXCEEDED deadline-exceeded the client sent no byte for");
    }
    assertThat(files.resolve("silent")).doesNotExist();
  }

  @Test
  void upload_thatBreaksOff_leavesNothing() throws Exception {
    for (String gzip : new String[] {"", "--gzip"}) {
      assertThat(
              client.run(
                  "upload", server.port(), files.resolve(Cases.MIXED), "cut --cut 500000", gzip))
          .startsWith("failed");
    }
    TestFiles.awaitNothingOpen(files);
    assertThat(TestFiles.tree(files)).noneMatch(name -> name.contains("cut"));
    assertThat(TestFiles.tree(files)).noneMatch(name -> name.endsWith(".part"));
  }
}
