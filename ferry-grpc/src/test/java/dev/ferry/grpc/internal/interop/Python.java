package dev.ferry.grpc.internal.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs {@code files_peer.py}.
 *
 * @param interpreter a Python with the C core of gRPC and with protobuf
 * @param messages the folder of the messages that protoc generated for it
 */
record Python(String interpreter, Path messages) {
  /** Why tests with it did not run. */
  static final String SKIPPED = "skipped: install python3-grpcio (tools/install-peers.sh)";

  private static final Logger log = LoggerFactory.getLogger(Python.class);
  private static final Path PROGRAM = Path.of("src/test/python/files_peer.py").toAbsolutePath();
  private static final Path PROTOCOL = Path.of("../ferry-wire/src/main/protobuf");
  private static final Path INSTALLER = Path.of("../tools/install-peers.sh");
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Debian's first: one of the user's in front of it on the path has other packages. */
  private static final List<String> INTERPRETERS = List.of("/usr/bin/python3", "python3");

  private static final int CHECK_SECONDS = 60;
  private static final int INSTALL_SECONDS = 300;

  /** Whether there is one; installs what is missing, and says so where that fails. */
  static boolean isAvailable() throws Exception {
    if (findInterpreter() != null) {
      return true;
    }
    runs("install-peers", INSTALL_SECONDS, INSTALLER.toString());
    if (findInterpreter() != null) {
      return true;
    }
    log.warn("{}; see {}", SKIPPED, log("install-peers"));
    return false;
  }

  /** Finds one that {@link #isAvailable}, and generates the messages. */
  static Python find() throws Exception {
    return new Python(Objects.requireNonNull(findInterpreter()), generateMessages());
  }

  private static @Nullable String findInterpreter() throws Exception {
    if (!runs("protoc", CHECK_SECONDS, "protoc", "--version")) {
      return null;
    }
    for (String python : INTERPRETERS) {
      if (runs("python", CHECK_SECONDS, python, "-c", "import grpc, google.protobuf")) {
        return python;
      }
    }
    return null;
  }

  private static Path generateMessages() throws Exception {
    // Tests in other JVMs may make them at the same time.
    Path messages =
        Files.createDirectories(TARGET.resolve("python-" + ProcessHandle.current().pid()));
    if (!runs(
        "protoc",
        CHECK_SECONDS,
        "protoc",
        "--proto_path=" + PROTOCOL,
        "--python_out=" + messages,
        "ferry/v1/files.proto")) {
      throw new IOException("protoc failed; see " + log("protoc"));
    }
    return messages;
  }

  private static Path log(String name) {
    return TARGET.resolve(name + ".log");
  }

  /** Whether a program ends well, within seconds; its output goes to a log in the target folder. */
  private static boolean runs(String log, int seconds, String... command) throws Exception {
    Files.createDirectories(TARGET);
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log(log).toFile())
              .start();
    } catch (IOException e) {
      // There is no such program.
      return false;
    }
    process.getOutputStream().close();
    if (process.waitFor(seconds, TimeUnit.SECONDS)) {
      return process.exitValue() == 0;
    }
    process.destroyForcibly();
    return false;
  }

  /** A client that takes commands. */
  PythonPeer client() throws IOException {
    return start("batch");
  }

  /** A server over a folder; its first line is its port. */
  PythonPeer server(Path root) throws IOException {
    return start("serve", root.toString());
  }

  private PythonPeer start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(interpreter, PROGRAM.toString(), messages.toString()));
    command.addAll(List.of(arguments));
    return new PythonPeer(
        new ProcessBuilder(command)
            .redirectError(log("files_peer-" + arguments[0]).toFile())
            .start());
  }
}
