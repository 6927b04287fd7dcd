package dev.ferry.lab.run.server;

import dev.ferry.core.Sha256;
import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a row's server, for a client on another machine. Names are those of files in the
 * folder, never paths. Used by one thread.
 */
record ServerFiles(Path folder) {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final Pattern LEFT = Pattern.compile("(" + NAME + "):([A-Za-z0-9+/]*)");
  private static final Pattern CONTENT = Pattern.compile("(\\d{1,18}) ([0-9a-f]{64})");

  /** A certificate has less. */
  private static final int MOST_LEFT_BYTES = 1 << 16;

  private static final int MOST_LEFT = 8;

  private Path file(String name) throws IOException {
    if (!name.matches(NAME)) {
      throw new IOException("'" + name + "' is not a name of a target");
    }
    return folder.resolve(name);
  }

  /** Returns size and digest of a file, as {@link #content} reads them. */
  String read(String name) throws IOException {
    Path file = file(name);
    return Files.size(file) + " " + Sha256.ofFile(file).toHex();
  }

  /** Deletes a file. */
  String delete(String name) throws IOException {
    Files.delete(file(name));
    return "";
  }

  /** As {@link TargetFolder#renew}. */
  String renew(String name) throws IOException {
    file(name);
    TargetFolder.of(folder).renew(name);
    return "";
  }

  /** Returns the small files in the folder, as {@link #write} reads them. */
  String left() throws IOException {
    List<String> left = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.matches(NAME)
            && !name.startsWith(Workplace.SOURCE)
            && Files.isRegularFile(file)
            && Files.size(file) <= MOST_LEFT_BYTES
            && left.size() < MOST_LEFT) {
          left.add(
              name
                  + ":"
                  + Base64.getEncoder().withoutPadding().encodeToString(Files.readAllBytes(file)));
        }
      }
    }
    return String.join(" ", left);
  }

  /** Reads what a server says of a file. */
  static TargetFolder.Content content(String text) throws IOException {
    Matcher content = CONTENT.matcher(text);
    if (!content.matches()) {
      throw new IOException("the server's JVM answered '" + text + "', not a size and a digest");
    }
    return new TargetFolder.Content(
        Long.parseLong(content.group(1)), Sha256.of(HexFormat.of().parseHex(content.group(2))));
  }

  /** Writes the files that a server has left to the client's folder. */
  void write(String left) throws IOException {
    if (left.isEmpty()) {
      return;
    }
    for (String each : left.split(" ", -1)) {
      Matcher file = LEFT.matcher(each);
      if (!file.matches() || file.group(1).startsWith(Workplace.SOURCE)) {
        throw new IOException("the server's JVM left a file that no server leaves");
      }
      Files.write(folder.resolve(file.group(1)), Base64.getDecoder().decode(file.group(2)));
    }
  }
}
