package dev.ferry.suites.rival;

import dev.ferry.lab.run.server.Folders;
import dev.ferry.lab.suite.RowServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server that is another program, with a new folder for its own files in the system's temporary
 * one. It ends with {@link #close}, or when this JVM ends for any reason. Thread-safe.
 */
public record ForeignServer(String name, Process guard, Path folder, int port)
    implements RowServer {
  private static final int START_MILLIS = 10_000;
  private static final int STOP_SECONDS = 5;

  /** Another process may take a port between the moment it was free and the program's start. */
  private static final int ATTEMPTS = 3;

  /** Waits for the end of its input, which the end of this JVM brings even when it is killed. */
  private static final String GUARD =
      "\"$@\" </dev/null & child=$!; read -r _; kill $child 2>/dev/null; wait $child";

  /** How a program starts, and what it says if it does not. */
  public interface Program {
    /** Writes the settings to its folder, and returns the command that serves on a port. */
    List<String> command(Path folder, int port) throws IOException;

    /** Returns why it does not start, of a line of its error output; empty if it says nothing. */
    String failure(String line);
  }

  /**
   * Starts a server.
   *
   * @param name of the program
   * @throws IOException if it does not start, with its error output
   */
  public static ForeignServer start(String name, String host, Program program) throws IOException {
    IOException failure = new IOException(name + " does not start");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ForeignServer server = launch(name, host, program);
      try {
        server.awaitReady(host, program);
        return server;
      } catch (IOException e) {
        failure = e;
        server.close();
      }
    }
    throw failure;
  }

  private static ForeignServer launch(String name, String host, Program program)
      throws IOException {
    Path folder = Files.createTempDirectory("ferry-" + name + "-").toAbsolutePath();
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      port = socket.getLocalPort();
    }
    List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "sh"));
    command.addAll(program.command(folder, port));
    Process guard =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("error.log").toFile())
            .start();
    return new ForeignServer(name, guard, folder, port);
  }

  private void awaitReady(String host, Program program) throws IOException {
    long start = System.nanoTime();
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, port), START_MILLIS);
        return;
      } catch (IOException e) {
        String said = said(program);
        if (!said.isEmpty() || System.nanoTime() - start > START_MILLIS * 1_000_000L) {
          throw new IOException(name + " does not start: " + said, e);
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + name + " starts", e);
      }
    }
  }

  private String said(Program program) throws IOException {
    for (String line : Files.readAllLines(folder.resolve("error.log"))) {
      String failure = program.failure(line);
      if (!failure.isEmpty()) {
        return failure;
      }
    }
    return "";
  }

  /** Stops the program and deletes its own files; a second call does nothing. */
  @Override
  public void close() {
    try {
      // The guard ends the program when its input ends.
      guard.getOutputStream().close();
      if (!guard.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        guard.descendants().forEach(ProcessHandle::destroyForcibly);
        guard.destroyForcibly();
      }
      Folders.delete(folder);
    } catch (IOException e) {
      throw new IllegalStateException(name + " does not stop: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      guard.descendants().forEach(ProcessHandle::destroyForcibly);
      guard.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
