package dev.ferry.suites.rival;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/**
 * The class path of a rival whose libraries clash with those of the bench: one jar, which stands in
 * the folder of the bench's own jar.
 *
 * @param path where it is, absolute
 */
public record RivalJar(Path path) {
  /** The jar of a name beside the one that holds this class. */
  public static RivalJar beside(String name) {
    return new RivalJar(folder().resolve(name).toAbsolutePath());
  }

  private static Path folder() {
    CodeSource source = RivalJar.class.getProtectionDomain().getCodeSource();
    try {
      return Path.of(source.getLocation().toURI()).resolveSibling("");
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the place of the bench's jar is no file: " + source, e);
    }
  }

  /** What to do if it is missing; empty if it is there. */
  public Optional<String> obstacle() {
    return Files.isReadable(path)
        ? Optional.empty()
        : Optional.of(
            "no %s beside the jar of the bench; './ferry bench --list --tables rivals-download' builds it"
                .formatted(path.getFileName()));
  }
}
