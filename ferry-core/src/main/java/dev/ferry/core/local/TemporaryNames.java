package dev.ferry.core.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ferry.core.StorePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Names of temporary files: {@code .ferry-PID-START-PLACE-RANDOM.part}. The name contains the
 * process ID and the start time of the process in milliseconds since the epoch. A later process can
 * thus tell files of killed processes from files of running ones.
 *
 * <p>It can do so in the same place, which is a run of the operating system and, on Linux, a
 * container. A process elsewhere, whose folder is shared, cannot be seen: it counts as ended when
 * its file has not changed for {@link #UNSEEN}. Names of earlier versions have no place; they are
 * taken to be of this one.
 *
 * <p>Those of a {@link RememberedDownload} end with {@code .kept}: a later process may go on with
 * them. Folders end with {@code .tree}.
 */
final class TemporaryNames {
  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(StorePath.RESERVED_PREFIX)
              + "(\\d{1,18})-(\\d{1,18})-(?:([0-9a-f]{8})-)?[0-9a-f]{16}\\.(?:part|kept|tree)");

  /** No transfer waits this long for its next byte. */
  static final Duration UNSEEN = Duration.ofDays(1);

  private static final int PLACE_GROUP = 3;

  private static final String PART = ".part";
  private static final String KEPT = ".kept";
  private static final String TREE = ".tree";

  private static final String PLACE = place();

  private static final String PREFIX =
      StorePath.RESERVED_PREFIX
          + ProcessHandle.current().pid()
          + "-"
          + start(ProcessHandle.current()).map(Instant::toEpochMilli).orElse(0L)
          + "-"
          + PLACE
          + "-";

  private TemporaryNames() {}

  static Path fresh(Path directory) {
    return directory.resolve(PREFIX + random() + PART);
  }

  /** Returns the name of a file with which a later process may go on. */
  static Path freshKept(Path directory) {
    return directory.resolve(PREFIX + random() + KEPT);
  }

  /** Returns the name of a folder for a tree that gets its name when it is complete. */
  static Path freshTree(Path directory) {
    return directory.resolve(PREFIX + random() + TREE);
  }

  /** Whether this is the name of such a folder. */
  static boolean isTree(String fileName) {
    return fileName.endsWith(TREE) && NAME.matcher(fileName).matches();
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

  /**
   * Whether this is a temporary file whose process no longer runs.
   *
   * @param now the time
   */
  static boolean isLeftover(Path file, Instant now) {
    Matcher matcher = NAME.matcher(String.valueOf(file.getFileName()));
    return matcher.matches()
        && (isOfThisPlace(matcher)
            ? hasEnded(matcher)
            : lastChange(file).isBefore(now.minus(UNSEEN)));
  }

  /** Whether this is the name of a temporary file of a process that is not seen to run. */
  static boolean isOfNoneRunning(String fileName) {
    Matcher matcher = NAME.matcher(fileName);
    return matcher.matches() && (!isOfThisPlace(matcher) || hasEnded(matcher));
  }

  private static boolean isOfThisPlace(Matcher name) {
    String place = name.group(PLACE_GROUP);
    return place == null || place.equals(PLACE);
  }

  private static boolean hasEnded(Matcher name) {
    long startMillis = Long.parseLong(name.group(2));
    Optional<ProcessHandle> writer =
        ProcessHandle.of(Long.parseLong(name.group(1))).filter(ProcessHandle::isAlive);
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

  /** Returns when a file was last written to. A complete one may have the time of its original. */
  private static Instant lastChange(Path file) {
    boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
    try {
      Object time =
          Files.getAttribute(
              file, unix ? "unix:ctime" : "lastModifiedTime", LinkOption.NOFOLLOW_LINKS);
      return ((FileTime) time).toInstant();
    } catch (IOException e) {
      // Its owner may just have given it its name.
      return Instant.MAX;
    }
  }

  /** Identifies what the numbers of processes are of, in 8 hexadecimal digits. */
  private static String place() {
    CRC32C crc = new CRC32C();
    crc.update((UploadRecord.THIS_BOOT + processNumbers()).getBytes(UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /** Returns the name of the namespace of this process, which a container has of its own. */
  private static String processNumbers() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux: all processes of the machine see each other.
      return "";
    }
  }

  private static Optional<Instant> start(ProcessHandle process) {
    return process.info().startInstant();
  }
}
