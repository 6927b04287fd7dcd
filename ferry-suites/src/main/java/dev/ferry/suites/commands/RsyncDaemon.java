package dev.ferry.suites.commands;

import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs rsync's daemon for a folder, as the module {@value #MODULE}, until it is closed. */
final class RsyncDaemon implements AutoCloseable {
  static final String MODULE = "files";

  private static final int START_MILLIS = 10_000;
  private static final int STOP_SECONDS = 5;

  private final Process process;
  private final Path settings;
  private final int port;

  private RsyncDaemon(Process process, Path settings, int port) {
    this.process = process;
    this.settings = settings;
    this.port = port;
  }

  /**
   * Starts it.
   *
   * @throws IOException if it is not installed or does not start
   */
  static RsyncDaemon start(Path root, String host) throws IOException {
    Path program = Programs.find("rsync").orElseThrow(() -> new IOException("no rsync"));
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      port = socket.getLocalPort();
    }
    Path settings = Files.createTempFile("ferry-rsync-", ".conf");
    // Without a change of user, as Ferry's server runs.
    Files.writeString(
        settings,
        """
        use chroot = no
        [%s]
        path = %s
        read only = no
        uid = %s
        gid = %s
        """
            .formatted(
                MODULE,
                root.toAbsolutePath(),
                Files.getAttribute(root, "unix:uid"),
                Files.getAttribute(root, "unix:gid")));
    Process process =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--daemon",
                    "--no-detach",
                    "--address=" + host,
                    "--port=" + port,
                    "--config=" + settings))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    RsyncDaemon daemon = new RsyncDaemon(process, settings, port);
    try {
      daemon.awaitReady(host);
    } catch (IOException e) {
      daemon.close();
      throw e;
    }
    return daemon;
  }

  private void awaitReady(String host) throws IOException {
    long start = System.nanoTime();
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(host, port), START_MILLIS);
        return;
      } catch (IOException e) {
        boolean late = System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
        if (late || !process.isAlive()) {
          throw new IOException("rsync's daemon does not start", e);
        }
        Thread.onSpinWait();
      }
    }
  }

  int port() {
    return port;
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
    Files.deleteIfExists(settings);
  }
}
