package dev.ferry.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A locale in which the texts of the system are not English, made in a folder of the build. */
public final class GermanLocale {
  /** Why a test that needs the locale did not run. */
  public static final String SKIPPED = "skipped: install locales (tools/install-peers.sh)";

  private static final String NAME = "de_DE.UTF-8";
  private static final Path INSTALLER = Path.of("../tools/install-peers.sh");
  private static final Path FOLDER = Path.of("target/locale").toAbsolutePath();
  private static final Path LOG = Path.of("target/install-peers.log");

  private GermanLocale() {}

  /** Makes the locale. Installs what that needs if it is missing. Returns whether it is there. */
  public static boolean isReady() throws IOException, InterruptedException {
    return isMade() || (runs(INSTALLER.toString()) && isMade());
  }

  private static boolean isMade() throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    // The translations are in a package of their own.
    return Files.exists(Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo"))
        && runs("localedef", "-i", "de_DE", "-f", "UTF-8", FOLDER.resolve(NAME).toString());
  }

  private static boolean runs(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(LOG.toFile())
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** The variables of a process in this locale. */
  public static Map<String, String> environment() {
    return Map.of("LOCPATH", FOLDER.toString(), "LC_ALL", NAME);
  }
}
