package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Modification times of local files, of which each file system has a range of its own. */
public final class FileTimes {
  /** Every file system has the times up to this one that are after 1970. */
  private static final Instant LAST_OF_32_BITS = Instant.ofEpochSecond(Integer.MAX_VALUE);

  /** The coarsest time stamps, those of FAT. */
  private static final Duration COARSEST = Duration.ofSeconds(2);

  /** The JDK sets times as nanoseconds in 64 bits. */
  private static final Instant JDK_FIRST = Instant.EPOCH.minusNanos(Long.MAX_VALUE);

  private static final Instant JDK_LAST = Instant.EPOCH.plusNanos(Long.MAX_VALUE);

  private FileTimes() {}

  /**
   * Checks that a file can be given a time at all.
   *
   * @param label the name in messages
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it cannot
   */
  public static void require(Instant time, String label) throws FerryException {
    if (time.isBefore(JDK_FIRST) || time.isAfter(JDK_LAST)) {
      throw notKept(time, label, "Java can only set times from 1677 to 2262");
    }
  }

  private static FerryException notKept(Instant time, String label, String why) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST,
        label
            + ": cannot have its modification time "
            + time.truncatedTo(ChronoUnit.MILLIS)
            + " there, "
            + why
            + "; give the file another one, for instance with touch");
  }

  /**
   * Gives a file, or a link and not what it leads to, its modification time; one before 1970 to the
   * second. The time of its last access is now: to keep that one, the JDK would have to read it
   * first.
   *
   * @param label the name in messages
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the file system cannot keep
   *     the time. Linux then takes the nearest one that it can, and says nothing
   */
  public static void set(Path file, Instant time, String label) throws IOException {
    require(time, label);
    BasicFileAttributeView view =
        Files.getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    // The JDK sets 1970 in place of an earlier time with a fraction of a second.
    boolean early = time.isBefore(Instant.EPOCH);
    FileTime set = FileTime.from(early ? time.truncatedTo(ChronoUnit.SECONDS) : time);
    view.setTimes(set, FileTime.from(Instant.now()), null);
    if (time.isAfter(Instant.EPOCH) && time.isBefore(LAST_OF_32_BITS)) {
      return;
    }
    Instant kept = view.readAttributes().lastModifiedTime().toInstant();
    if (Duration.between(time, kept).abs().compareTo(COARSEST) > 0) {
      throw notKept(time, label, "the file system keeps none of that year");
    }
  }
}
