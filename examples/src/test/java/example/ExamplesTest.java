package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.FileStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.library.FerryClient;
import dev.ferry.library.FerryServer;
import dev.ferry.library.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs each example. */
@Timeout(300)
final class ExamplesTest {
  /** Python's gRPC may be that of the system alone. */
  private static final String PYTHON =
      Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

  private static final Path PROTO = Path.of("../ferry-wire/src/main/protobuf");

  @TempDir Path root;
  @TempDir Path local;

  private Path letter;
  private Path copy;

  @BeforeEach
  void writeLetter() throws Exception {
    letter = Files.writeString(local.resolve("letter.txt"), "hello\n".repeat(100_000));
    copy = local.resolve("copy.txt");
  }

  private static FerryServer serve(FileStore store) throws IOException {
    return FerryServer.builder(store).grpcPort(0).httpPort(0).start();
  }

  private static FerryClient connect(FerryServer server) throws IOException {
    return FerryClient.connect(server.address(Protocol.HTTP));
  }

  /** Runs a program, and returns what it prints. */
  private String run(String... command) throws Exception {
    Path errors = local.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("PYTHONPATH", local.toString());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(errors)).isZero();
    return output;
  }

  private static boolean works(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }

  @Test
  void serveFolder_andDownloadWithProgress_moveAFile() throws Exception {
    Files.copy(letter, root.resolve("letter.txt"));
    Path errors = local.resolve("errors");
    Process server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServeFolder.class.getName(),
                root.toString(),
                "0",
                "0")
            .redirectError(errors.toFile())
            .start();
    try {
      String grpc = server.inputReader().readLine();
      String http = server.inputReader().readLine();
      assertThat(grpc).startsWith("grpc ferry://127.0.0.1:");
      ByteArrayOutputStream bar = new ByteArrayOutputStream();

      try (FerryClient ferry = FerryClient.connect(http.substring("http ".length()))) {
        DownloadWithProgress.run(ferry, "letter.txt", copy, new PrintStream(bar, true));
      }

      assertThat(copy).hasSameBinaryContentAs(letter);
      assertThat(bar.toString(StandardCharsets.UTF_8)).contains("[" + "#".repeat(40) + "] 600000");
    } finally {
      server.destroy();
      server.waitFor();
    }
    assertThat(errors).content().doesNotContain("SLF4J");
  }

  @Test
  void uploadStream_storesWhatItReads() throws Exception {
    try (FerryServer server = serve(LocalFileStore.open(root));
        FerryClient ferry = connect(server);
        InputStream stream = Files.newInputStream(letter)) {
      String printed = UploadStream.run(ferry, "a.txt", stream);

      assertThat(printed).startsWith("a.txt: 600000 bytes, crc32c ");
      assertThat(root.resolve("a.txt")).hasSameBinaryContentAs(letter);
    }
  }

  @Test
  void fileGateway_passesRequestsAndResponsesThrough() throws Exception {
    try (FerryServer server = serve(LocalFileStore.open(root));
        FerryClient ferry = connect(server)) {
      HttpServer gateway = FileGateway.start(ferry, 0);
      try {
        HttpClient http = HttpClient.newHttpClient();
        URI uri = URI.create("http://127.0.0.1:" + gateway.getAddress().getPort() + "/a.txt");
        HttpRequest put =
            HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.ofFile(letter)).build();

        assertThat(http.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(201);
        assertThat(root.resolve("a.txt")).hasSameBinaryContentAs(letter);
        assertThat(http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofFile(copy)).body())
            .hasSameBinaryContentAs(letter);
        URI missing = uri.resolve("/missing");
        assertThat(
                http.send(HttpRequest.newBuilder(missing).build(), BodyHandlers.discarding())
                    .statusCode())
            .isEqualTo(404);
        assertThat(
                http.send(
                        HttpRequest.newBuilder(uri.resolve("/")).build(), BodyHandlers.discarding())
                    .statusCode())
            .isEqualTo(404);
      } finally {
        gateway.stop(0);
      }
    }
  }

  @Test
  void fileGateway_whoseClientIsCut_storesNothing() throws Exception {
    try (FerryServer server = serve(LocalFileStore.open(root));
        FerryClient ferry = connect(server)) {
      HttpServer gateway = FileGateway.start(ferry, 0);
      try (Socket socket =
          new Socket(gateway.getAddress().getAddress(), gateway.getAddress().getPort())) {
        String head = "PUT /cut HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\n";
        socket.getOutputStream().write((head + "0123456789").getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();
        String response =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

        assertThat(response).doesNotContain("201");
        assertThat(root.resolve("cut")).doesNotExist();
      } finally {
        gateway.stop(0);
      }
    }
  }

  @Test
  void module_thatRequiresTheLibrary_movesFilesOverEachProtocol() throws Exception {
    String libraries = System.getProperty("java.class.path");
    Path sources = Path.of("src/test/module");
    Path classes = local.resolve("classes");
    StringWriter messages = new StringWriter();
    int compiled =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                new PrintWriter(messages),
                new PrintWriter(messages),
                "--module-path",
                libraries,
                "-d",
                classes.toString(),
                sources.resolve("module-info.java").toString(),
                sources.resolve("program/Program.java").toString());
    assertThat(compiled).as(messages.toString()).isZero();

    String printed =
        run(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "--module-path",
            libraries + File.pathSeparator + classes,
            "--module",
            "program/program.Program",
            root.toString(),
            letter.toString());

    assertThat(printed.lines())
        .containsExactly(
            "grpc gzip 2", "missing: no such file", "http gzip 4", "missing: no such file");
    assertThat(root.resolve("grpc.copy")).hasSameTextualContentAs(letter);
    assertThat(root.resolve("http.copy")).hasSameTextualContentAs(letter);
  }

  @Test
  void inboxStore_takesAFileAndHidesIt() throws Exception {
    try (FerryServer server = serve(new InboxStore(LocalFileStore.open(root)));
        FerryClient ferry = connect(server)) {
      ferry.upload("letter.txt", letter);

      assertThat(root.resolve("letter.txt")).hasSameBinaryContentAs(letter);
      assertThatThrownBy(() -> ferry.download("letter.txt", copy))
          .hasMessageContaining("takes files only");
      assertThat(copy).doesNotExist();
    }
  }

  @Test
  void python_overHttp_movesAFile() throws Exception {
    assumeTrue(works(PYTHON, "--version"), "python3 is missing");
    try (FerryServer server = serve(LocalFileStore.open(root))) {
      String url = "http://127.0.0.1:" + server.port(Protocol.HTTP) + "/files/a.txt";
      assertThat(run(PYTHON, "python/files_http.py", url, letter.toString()))
          .isEqualTo(Files.readString(letter));
    }
  }

  @Test
  void python_byTheProto_movesAFile() throws Exception {
    assumeTrue(
        works(PYTHON, "-c", "import grpc, google.protobuf"), "grpcio or protobuf is missing");
    assumeTrue(works("protoc", "--version"), "protoc is missing");
    String unused =
        run("protoc", "-I" + PROTO, "--python_out=" + local, PROTO + "/ferry/v1/files.proto");
    try (FerryServer server = serve(LocalFileStore.open(root))) {
      String address = "127.0.0.1:" + server.port(Protocol.GRPC);
      assertThat(run(PYTHON, "python/files_grpc.py", address, "a.txt", letter.toString()))
          .isEqualTo(Files.readString(letter));
    }
  }

  @Test
  void node_overHttp_movesAFile() throws Exception {
    assumeTrue(works("node", "-e", "fetch"), "node 18 or newer is missing");
    try (FerryServer server = serve(LocalFileStore.open(root))) {
      String url = "http://127.0.0.1:" + server.port(Protocol.HTTP) + "/files/a.txt";
      assertThat(run("node", "node/files_http.mjs", url, letter.toString()))
          .isEqualTo(Files.readString(letter));
    }
  }

  @Test
  void node_byTheProto_movesAFile() throws Exception {
    assumeTrue(
        works("node", "-e", "require('@grpc/grpc-js'); require('@grpc/proto-loader')"),
        "node, @grpc/grpc-js or @grpc/proto-loader is missing");
    try (FerryServer server = serve(LocalFileStore.open(root))) {
      String address = "127.0.0.1:" + server.port(Protocol.GRPC);
      String proto = PROTO + "/ferry/v1/files.proto";
      assertThat(run("node", "node/files_grpc.mjs", proto, address, "a.txt", letter.toString()))
          .isEqualTo(Files.readString(letter));
    }
  }
}
