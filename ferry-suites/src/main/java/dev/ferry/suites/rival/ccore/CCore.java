package dev.ferry.suites.rival.ccore;

import dev.ferry.suites.rival.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The C core of gRPC, by way of Debian's Python, which has it. */
public final class CCore {
  /** What to do if it is missing. */
  public static final String HOW_TO_INSTALL = "install python3-grpcio (tools/install-peers.sh)";

  /** Looks for the packages without loading them, which would take half a second. */
  private static final String CHECK =
      "import importlib.util as u, sys; "
          + "sys.exit(not all(map(u.find_spec, ('grpc', 'google.protobuf'))))";

  private static final int CHECK_SECONDS = 20;

  private CCore() {}

  /** How its programs make their messages, and what they are called in tables. */
  public enum Messages {
    /** Generated ones, a new object for each chunk. */
    DEFAULT("Default"),
    /** The few bytes around a chunk by hand, and no object for it. */
    RENTED_ARRAY("RentedArray");

    private final String label;

    Messages(String label) {
      this.label = label;
    }

    /** As in tables. */
    public String label() {
      return label;
    }
  }

  /** Why it does not run on this machine, and what would help: one line; empty if it does. */
  public static Optional<String> obstacle() {
    return obstacle(find());
  }

  static Optional<String> obstacle(List<Path> interpreters) {
    return obstacle(find(interpreters));
  }

  private static Optional<String> obstacle(Optional<Path> python) {
    return python.isPresent() ? Optional.empty() : Optional.of(HOW_TO_INSTALL);
  }

  /** A Python with the packages; empty if there is none. Looked for once. */
  static Optional<Path> find() {
    return Found.PYTHON;
  }

  /** Found on first use, because every row of a table needs it. */
  private static final class Found {
    static final Optional<Path> PYTHON = find(interpreters());
  }

  private static Optional<Path> find(List<Path> interpreters) {
    return interpreters.stream().filter(CCore::hasPackages).findFirst();
  }

  /** Debian's first: one of the user's in front of it on the path has other packages. */
  private static List<Path> interpreters() {
    return Stream.concat(Stream.of(Path.of("/usr/bin/python3")), Programs.find("python3").stream())
        .distinct()
        .toList();
  }

  private static boolean hasPackages(Path python) {
    if (!Files.isExecutable(python)) {
      return false;
    }
    Process check;
    try {
      check =
          new ProcessBuilder(python.toString(), "-c", CHECK)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      // It is not a Python that runs here.
      return false;
    }
    try {
      return check.waitFor(CHECK_SECONDS, TimeUnit.SECONDS) && check.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      check.destroyForcibly();
    }
  }
}
