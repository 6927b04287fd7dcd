package dev.ferry.suites.rival;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Programs that may be installed. */
public final class Programs {
  /** Where servers are that are not on everyone's path. */
  private static final List<String> MORE = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");

  private Programs() {}

  /** If a program is; empty if it is not installed. */
  public static Optional<Path> find(String name) {
    List<String> folders =
        new ArrayList<>(
            List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
    folders.addAll(MORE);
    return folders.stream()
        .filter(f -> !f.isEmpty())
        .map(f -> Path.of(f, name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
