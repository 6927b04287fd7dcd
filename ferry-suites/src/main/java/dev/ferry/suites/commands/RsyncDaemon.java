package dev.ferry.suites.commands;

import dev.ferry.suites.rival.ForeignServer;
import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Runs rsync's daemon for a folder, as the module {@value #MODULE}. */
final class RsyncDaemon {
  static final String MODULE = "files";

  private RsyncDaemon() {}

  /**
   * Starts it.
   *
   * @throws IOException if it is not installed or does not start, with its error output
   */
  static ForeignServer start(Path root, String host) throws IOException {
    Path rsync = Programs.find("rsync").orElseThrow(() -> new IOException("no rsync"));
    return ForeignServer.start(
        "rsync",
        host,
        new ForeignServer.Program() {
          @Override
          public List<String> command(Path folder, int port) throws IOException {
            Path settings = Files.writeString(folder.resolve("rsyncd.conf"), settings(root));
            return List.of(
                rsync.toString(),
                "--daemon",
                "--no-detach",
                "--address=" + host,
                "--port=" + port,
                "--config=" + settings);
          }

          @Override
          public String failure(String line) {
            return line;
          }
        });
  }

  /** Without a change of user, as Ferry's server runs. */
  private static String settings(Path root) throws IOException {
    return """
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
            Files.getAttribute(root, "unix:gid"));
  }
}
