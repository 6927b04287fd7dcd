package dev.ferry.suites.rival.nginx;

import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.ForeignServer;
import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs nginx for a folder, as the user of this JVM on the address of {@link ServerHost}: {@code
 * GET} by sendfile or gzip at level 1, {@code PUT} by a temporary file that is renamed. It ends
 * with {@link #close}, or when this JVM ends for any reason. Thread-safe.
 */
public final class NginxServer {
  /** What to do if nginx or curl is missing. */
  public static final String HOW_TO_INSTALL = "install nginx and curl (tools/install-peers.sh)";

  private static final String HOST = ServerHost.name();

  private NginxServer() {}

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
  public static ForeignServer start(Path root, boolean gzip) throws IOException {
    Path nginx =
        Programs.find("nginx").orElseThrow(() -> new IOException("no nginx; " + HOW_TO_INSTALL));
    return ForeignServer.start(
        "nginx",
        HOST,
        new ForeignServer.Program() {
          @Override
          public List<String> command(Path folder, int port) throws IOException {
            String text = config(root.toAbsolutePath(), folder, port, gzip);
            Path config = Files.writeString(folder.resolve("nginx.conf"), text);
            return List.of(
                nginx.toString(), "-p", folder.toString(), "-c", config.toString(), "-e", "stderr");
          }

          @Override
          public String failure(String line) {
            return line.contains("[emerg]") ? line : "";
          }
        });
  }

  private static String config(Path root, Path folder, int port, boolean gzip) throws IOException {
    try (InputStream in = NginxServer.class.getResourceAsStream("nginx.conf")) {
      if (in == null) {
        throw new IOException("nginx.conf is not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("{{FOLDER}}", folder.toString())
          .replace("{{FILES}}", FerryRoutes.FILES)
          .replace("{{ROOT}}", root.toString())
          .replace("{{LISTEN}}", HOST + ":" + port)
          .replace("{{GZIP}}", gzip ? "on" : "off");
    }
  }
}
