package dev.ferry.grpc.internal.interop;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code files_peer.py} at work. It is told what to do over its standard input and ends with that,
 * so that none outlives these tests. For one thread.
 */
final class PythonPeer implements AutoCloseable {
  private static final int RESPONSE_SECONDS = 90;
  private static final int CLOSE_SECONDS = 120;

  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader responses;

  PythonPeer(Process process) {
    this.process = process;
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.responses = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Gives a command of words without blanks; the response begins with {@code ok} or {@code failed}.
   */
  String run(Object... words) throws Exception {
    commands.write(Stream.of(words).map(Object::toString).collect(Collectors.joining(" ")));
    commands.newLine();
    commands.flush();
    return response();
  }

  /** The port of a server, which is all it ever says. */
  int port() throws Exception {
    return Integer.parseInt(response().substring("ok ".length()));
  }

  private String response() throws Exception {
    CompletableFuture<String> line = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                String read = responses.readLine();
                line.complete(
                    read == null ? "failed: it ended; see target/files_peer-*.log" : read);
              } catch (IOException e) {
                line.completeExceptionally(new UncheckedIOException(e));
              }
            },
            "files_peer-response");
    reader.setDaemon(true);
    reader.start();
    return line.get(RESPONSE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    try {
      commands.close();
      if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("files_peer.py did not end with its input");
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
