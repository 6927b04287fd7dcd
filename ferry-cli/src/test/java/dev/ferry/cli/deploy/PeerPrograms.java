package dev.ferry.cli.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Programs of Debian that tests run beside servers of Ferry. */
final class PeerPrograms {
  private static final Path INSTALLER = Path.of("../tools/install-peers.sh");
  private static final Path LOG = Path.of("target/install-peers.log");
  private static final int INSTALL_SECONDS = 300;

  private PeerPrograms() {}

  /** Whether a program can run; installs it if it is missing. */
  static boolean isAvailable(Path program) throws Exception {
    if (Files.isExecutable(program)) {
      return true;
    }
    Files.createDirectories(LOG.toAbsolutePath().getParent());
    Process install =
        new ProcessBuilder(INSTALLER.toString())
            .redirectErrorStream(true)
            .redirectOutput(LOG.toFile())
            .start();
    install.getOutputStream().close();
    if (!install.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
      install.destroyForcibly();
    }
    return Files.isExecutable(program);
  }
}
