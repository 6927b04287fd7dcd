package dev.ferry.cli.program;

import dev.ferry.core.internal.LocalNames;
import dev.ferry.core.internal.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments and the current folder of this process. They are bytes, of which the JDK replaces
 * what is no UTF-8: the name of another file could result.
 */
final class NativeText {
  private static final String REPLACED = "\uFFFD";
  private static final Path ARGUMENTS = Path.of("/proc/self/cmdline");
  private static final Path FOLDER = Path.of("/proc/self/cwd");

  private NativeText() {}

  /** Returns one line on what is no UTF-8; null if all is, or if the system does not say it. */
  static @Nullable String problem(List<String> arguments) {
    String folder = System.getProperty("user.dir");
    try {
      if (String.join(" ", arguments).contains(REPLACED)) {
        String argument = firstThatIsNoText(Files.readAllBytes(ARGUMENTS));
        if (argument != null) {
          return "'"
              + argument
              + "' is not UTF-8, so Ferry cannot use it as a file name; rename the file";
        }
      }
      if (folder.contains(REPLACED)) {
        Path exact = Files.readSymbolicLink(FOLDER);
        if (!exact.equals(Path.of(folder))) {
          String shown = LocalNames.shown(exact);
          return "the current folder '" + shown + "' is not UTF-8; change to another one";
        }
      }
      return null;
    } catch (IOException e) {
      // Not Linux: the text has to do.
      return null;
    }
  }

  /** Returns the first of several texts, each with a NUL behind it, that is no UTF-8. */
  private static @Nullable String firstThatIsNoText(byte[] texts) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    for (byte b : texts) {
      if (b != 0) {
        text.write(b);
        continue;
      }
      if (LocalNames.text(text.toByteArray()) == null) {
        return PlainText.of(text.toByteArray());
      }
      text.reset();
    }
    return null;
  }
}
