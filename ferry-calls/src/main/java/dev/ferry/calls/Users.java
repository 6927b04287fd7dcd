package dev.ferry.calls;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.Locale;

/** A number of users, by their index. Thread-safe; nothing is kept but names and addresses. */
public final class Users {
  private static final Names NAMES = new Names(i -> String.format(Locale.ROOT, "user%04d", i));
  private static final Names EMAILS =
      new Names(i -> String.format(Locale.ROOT, "user%04d@example.org", i));
  private static final Names ADDRESSES =
      new Names(i -> String.format(Locale.ROOT, "%d Harbour Road, %05d Port Ferry", i % 200, i));
  private static final int YOUNGEST = 18;
  private static final int AGES = 80;
  private static final long FIRST_CREATED = 1_577_836_800_000L;
  private static final long CREATED_WITHIN = 5L * 365 * 24 * 3600 * 1000;

  private final long seed;
  private final long count;

  /**
   * Users of a seed.
   *
   * @param count how many there are, at least 1
   */
  public Users(long seed, long count) {
    if (count < 1) {
      throw new IllegalArgumentException("there are " + count + " users");
    }
    this.seed = seed;
    this.count = count;
  }

  /** How many there are. */
  public long count() {
    return count;
  }

  /** The user of an index, from 0. */
  public User at(long index) {
    long mixed = Mix.of(seed, index);
    return new User(
        NAMES.of(mixed),
        EMAILS.of(mixed),
        YOUNGEST + (int) Math.floorMod(mixed >>> 12, AGES),
        ADDRESSES.of(mixed >>> 24),
        FIRST_CREATED + Math.floorMod(mixed >>> 8, CREATED_WITHIN));
  }

  /**
   * The users of a page.
   *
   * @param page from 0
   * @param size users of each page but perhaps the last
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} for a negative page or a size out
   *     of range, with {@link ErrorKind#NOT_FOUND} for a page behind the last one
   */
  public Range page(long page, long size) throws FerryException {
    if (size < 1 || size > Limits.MAX_PAGE) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "page size " + size + " is not from 1 to " + Limits.MAX_PAGE);
    }
    if (page < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "page " + page + " is negative; the first is 0");
    }
    long pages = (count + size - 1) / size;
    if (page >= pages) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          "there is no page %d of %d users: the last one is %d".formatted(page, size, pages - 1));
    }
    long first = page * size;
    return new Range(first, (int) Math.min(size, count - first));
  }

  /**
   * Indexes that follow each other.
   *
   * @param first the first one
   * @param count how many, at least 1
   */
  public record Range(long first, int count) {}
}
