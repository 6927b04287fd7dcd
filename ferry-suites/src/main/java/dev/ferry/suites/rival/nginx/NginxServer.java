package dev.ferry.suites.rival.nginx;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs nginx for a folder, as the user of this JVM on the address of {@link ServerHost}: {@code
 * GET} by sendfile or gzip at level 1, {@code PUT} by a temporary file that is renamed. It ends
 * with {@link #close}, or when this JVM ends for any reason. Thread-safe.
 */
public final class NginxServer implements AutoCloseable {
  /** What to do if nginx or curl is missing. */
  public static final String HOW_TO_INSTALL = "install nginx and curl (tools/install-peers.sh)";

  private static final String HOST = ServerHost.name();
  private static final int START_MILLIS = 10_000;
  private static final int STOP_SECONDS = 5;

  /** Another process may take a port between the moment it was free and nginx's start. */
  private static final int ATTEMPTS = 3;

  /** Waits for the end of its input, which the end of this JVM brings even when it is killed. */
  private static final String GUARD =
      "\"$@\" </dev/null & child=$!; read -r _; kill $child 2>/dev/null; wait $child";

  private final Process guard;
  private final Path folder;
  private final int port;

  private NginxServer(Process guard, Path folder, int port) {
    this.guard = guard;
    this.folder = folder;
    this.port = port;
  }

  /** Whether nginx and curl are installed. */
  public static boolean isInstalled() {
    return Programs.find("nginx").isPresent() && Programs.find("curl").isPresent();
  }

  /**
   * Starts it; its own files go to a new folder in the system's temporary one, which must be on the
   * file system of the root.
   *
   * @param root the folder that it serves
   * @param gzip whether it compresses for clients that accept that
   * @throws IOException if it is not installed or does not start, with its error output
   */
  public static NginxServer start(Path root, boolean gzip) throws IOException {
    Path nginx =
        Programs.find("nginx").orElseThrow(() -> new IOException("no nginx; " + HOW_TO_INSTALL));
    IOException failure = new IOException("nginx does not start");
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      NginxServer server = launch(nginx, root, gzip);
      try {
        server.awaitReady();
        return server;
      } catch (IOException e) {
        failure = e;
        server.close();
      }
    }
    throw failure;
  }

  private static NginxServer launch(Path nginx, Path root, boolean gzip) throws IOException {
    Path folder = Files.createTempDirectory("ferry-nginx-").toAbsolutePath();
    int port = freePort();
    Path config = folder.resolve("nginx.conf");
    Files.writeString(config, config(root.toAbsolutePath(), folder, port, gzip));
    List<String> command = new ArrayList<>(List.of("sh", "-c", GUARD, "sh", nginx.toString()));
    command.addAll(List.of("-p", folder.toString(), "-c", config.toString(), "-e", "stderr"));
    Process guard =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(folder.resolve("error.log").toFile())
            .start();
    return new NginxServer(guard, folder, port);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  private static String config(Path root, Path folder, int port, boolean gzip) throws IOException {
    try (InputStream in = NginxServer.class.getResourceAsStream("nginx.conf")) {
      if (in == null) {
        throw new IOException("nginx.conf is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("{{FOLDER}}", folder.toString())
          .replace("{{FILES}}", HttpRoutes.FILES)
          .replace("{{ROOT}}", root.toString())
          .replace("{{LISTEN}}", HOST + ":" + port)
          .replace("{{GZIP}}", gzip ? "on" : "off");
    }
  }

  private void awaitReady() throws IOException {
    long start = System.nanoTime();
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(HOST, port), START_MILLIS);
        return;
      } catch (IOException e) {
        if (!said().isEmpty() || System.nanoTime() - start > START_MILLIS * 1_000_000L) {
          throw new IOException("nginx does not start: " + said(), e);
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while nginx starts", e);
      }
    }
  }

  /** The first serious line of its log. */
  private String said() throws IOException {
    try (Stream<String> lines = Files.lines(folder.resolve("error.log"))) {
      return lines.filter(l -> l.contains("[emerg]")).findFirst().orElse("");
    }
  }

  /** The port it listens on. */
  public int port() {
    return port;
  }

  /** Stops nginx and deletes its own files; a second call does nothing. */
  @Override
  public void close() {
    try {
      // The guard ends nginx when its input ends.
      guard.getOutputStream().close();
      if (!guard.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        guard.descendants().forEach(ProcessHandle::destroyForcibly);
        guard.destroyForcibly();
      }
      if (Files.exists(folder)) {
        delete();
      }
    } catch (IOException e) {
      throw new IllegalStateException("nginx does not stop: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      guard.descendants().forEach(ProcessHandle::destroyForcibly);
      guard.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void delete() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(folder)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.deleteIfExists(file);
    }
  }
}
