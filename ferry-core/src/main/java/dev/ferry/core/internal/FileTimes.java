package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.time.Instant;

/** Modification times that peers send. */
public final class FileTimes {
  private static final Instant FIRST = Instant.parse("1901-12-14T00:00:00Z");
  private static final Instant LAST = Instant.parse("2446-05-10T00:00:00Z");

  private FileTimes() {}

  /**
   * Returns the same time if files of common file systems can have it: those of ext4 begin in 1901
   * and end in 2446.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if they cannot
   */
  public static Instant require(Instant time) throws FerryException {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "modification time " + time + " is not from " + FIRST + " to " + LAST);
    }
    return time;
  }
}
