package dev.ferry.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Shows pages in the user's browser. */
final class Browser {
  /** The commands start the browser and end at once, unless the browser is their child. */
  private static final int WAIT_MILLIS = 500;

  private Browser() {}

  /** Shows a file. Returns whether a browser seems to have started. */
  static boolean show(Path page) {
    try {
      Process process =
          new ProcessBuilder(command(System.getProperty("os.name", ""), page))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !process.waitFor(WAIT_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() == 0;
    } catch (IOException e) {
      // There is no such command, as on a machine without a desktop.
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns the command of an operating system that opens a file with its program. */
  static List<String> command(String system, Path page) {
    String name = system.toLowerCase(Locale.ROOT);
    String address = page.toUri().toString();
    if (name.startsWith("mac")) {
      return List.of("open", address);
    }
    return name.startsWith("windows")
        ? List.of("rundll32", "url.dll,FileProtocolHandler", address)
        : List.of("xdg-open", address);
  }
}
