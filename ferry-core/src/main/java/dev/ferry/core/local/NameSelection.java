package dev.ferry.core.local;

import dev.ferry.core.Listing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The first names, in the order of {@link Listing}, of those that are added: as many as fit. Holds
 * them as UTF-8, which is small and in that order. For one thread.
 */
final class NameSelection {
  static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  /** Bytes of an array's head, its reference and what alignment takes, at most. */
  private static final int OVERHEAD = 32;

  private final long mostBytes;
  private final PriorityQueue<byte[]> lastFirst = new PriorityQueue<>(ORDER.reversed());
  private long bytes;
  private boolean whole = true;

  /**
   * @param mostBytes of memory that the names take together; one name is held however long it is
   */
  NameSelection(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(byte[] name) {
    // Nothing may follow a name that was dropped.
    if (!whole && ORDER.compare(name, lastFirst.peek()) > 0) {
      return;
    }
    lastFirst.add(name);
    bytes += cost(name);
    while (bytes > mostBytes && lastFirst.size() > 1) {
      bytes -= cost(lastFirst.remove());
      whole = false;
    }
  }

  private static int cost(byte[] name) {
    return OVERHEAD + name.length;
  }

  /** Bytes of memory that the names take. */
  long bytes() {
    return bytes;
  }

  /** Whether no name was dropped. */
  boolean whole() {
    return whole;
  }

  /** The names that fit, in order. */
  List<byte[]> sorted() {
    List<byte[]> names = new ArrayList<>(lastFirst);
    names.sort(ORDER);
    return names;
  }
}
