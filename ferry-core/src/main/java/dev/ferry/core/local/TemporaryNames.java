package dev.ferry.core.local;

import dev.ferry.core.StorePath;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of temporary files: {@code .ferry-PID-START-RANDOM.part}. The name contains the process ID
 * and the start time of the process in milliseconds since the epoch. A later process can thus tell
 * files of killed processes from files of running ones.
 *
 * <p>Those of a {@link RememberedDownload} end with {@code .kept}: a later process may go on with
 * them.
 */
final class TemporaryNames {
  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(StorePath.RESERVED_PREFIX)
              + "(\\d{1,18})-(\\d{1,18})-[0-9a-f]{16}\\.(?:part|kept)");

  private static final String PART = ".part";
  private static final String KEPT = ".kept";

  private static final String PREFIX =
      StorePath.RESERVED_PREFIX
          + ProcessHandle.current().pid()
          + "-"
          + start(ProcessHandle.current()).map(Instant::toEpochMilli).orElse(0L)
          + "-";

  private TemporaryNames() {}

  static Path fresh(Path directory) {
    return directory.resolve(PREFIX + random() + PART);
  }

  /** Returns the name of a file with which a later process may go on. */
  static Path freshKept(Path directory) {
    return directory.resolve(PREFIX + random() + KEPT);
  }

  private static String random() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  /** Whether this is the name of a file with which a later process may go on. */
  static boolean isKept(String fileName) {
    return fileName.endsWith(KEPT) && NAME.matcher(fileName).matches();
  }

  /**
   * Whether a name is that of a temporary file, or of the folder of uploads. Other names with
   * Ferry's prefix are not Ferry's: no request can name them, but they are somebody's files.
   */
  static boolean isFerrys(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith(StorePath.RESERVED_PREFIX)
        && (name.equals(PartialUploads.FOLDER) || NAME.matcher(name).matches());
  }

  /** Whether this is the name of a temporary file of this process. */
  static boolean isOwn(String fileName) {
    return fileName.startsWith(PREFIX);
  }

  /** Whether this is the name of a temporary file whose process no longer runs. */
  static boolean isLeftover(String fileName) {
    Matcher matcher = NAME.matcher(fileName);
    if (!matcher.matches()) {
      return false;
    }
    long startMillis = Long.parseLong(matcher.group(2));
    Optional<ProcessHandle> writer =
        ProcessHandle.of(Long.parseLong(matcher.group(1))).filter(ProcessHandle::isAlive);
    if (writer.isEmpty()) {
      return true;
    }
    return writer
        .flatMap(TemporaryNames::start)
        // Linux derives the start time from the boot time, which may shift by a clock tick between
        // reads.
        .map(start -> Math.abs(start.toEpochMilli() - startMillis) > 2_000)
        .orElse(false);
  }

  private static Optional<Instant> start(ProcessHandle process) {
    return process.info().startInstant();
  }
}
