package dev.ferry.suites.calls.service;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.Locale;

/**
 * A fixed number of users, by index. Users are computed from the seed; only names, email addresses
 * and postal addresses are stored. Thread-safe.
 */
public final class Users {
  /** Maximum users of a page. */
  private static final int MAX_PAGE = 10_000;

  private static final FixedTexts NAMES =
      new FixedTexts(i -> String.format(Locale.ROOT, "user%04d", i));
  private static final FixedTexts EMAILS =
      new FixedTexts(i -> String.format(Locale.ROOT, "user%04d@example.org", i));
  private static final FixedTexts ADDRESSES =
      new FixedTexts(
          i -> String.format(Locale.ROOT, "%d Harbour Road, %05d Port Ferry", i % 200, i));
  private static final int YOUNGEST = 18;
  private static final int AGES = 80;
  private static final long FIRST_CREATED = 1_577_836_800_000L;
  private static final long CREATED_WITHIN = 5L * 365 * 24 * 3600 * 1000;

  private final long seed;
  private final long count;

  /**
   * Creates the users of a seed.
   *
   * @param count number of users, at least 1
   */
  public Users(long seed, long count) {
    if (count < 1) {
      throw new IllegalArgumentException("there are " + count + " users");
    }
    this.seed = seed;
    this.count = count;
  }

  /** Returns the user of an index, from 0. */
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
   * Returns the range of users on a page.
   *
   * @param page from 0
   * @param size users per page; the last page may have fewer
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the page is negative or the
   *     size is out of range, or with {@link ErrorKind#NOT_FOUND} if the page is after the last one
   */
  public Range page(long page, long size) throws FerryException {
    if (size < 1 || size > MAX_PAGE) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "page size " + size + " is not from 1 to " + MAX_PAGE);
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
   * A range of consecutive indexes.
   *
   * @param first the first index
   * @param count number of indexes, at least 1
   */
  public record Range(long first, int count) {}
}
