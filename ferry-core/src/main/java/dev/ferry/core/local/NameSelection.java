package dev.ferry.core.local;

import dev.ferry.core.Listing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Keeps the first of the added names, in the order of {@link Listing}, up to a memory limit. Names
 * are stored as UTF-8, which is compact and sorts in that order. Not thread-safe.
 */
final class NameSelection {
  static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  /** Bytes of an array's header, its reference and its alignment, at most. */
  private static final int OVERHEAD = 32;

  private final long mostBytes;
  private final PriorityQueue<byte[]> lastFirst = new PriorityQueue<>(ORDER.reversed());
  private long bytes;
  private boolean whole = true;

  /**
   * @param mostBytes maximum memory of all names in bytes; a single name is kept at any length
   */
  NameSelection(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(byte[] name) {
    // Names after a dropped name must be dropped as well.
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

  /** Memory of the names in bytes. */
  long bytes() {
    return bytes;
  }

  /** Whether no name was dropped. */
  boolean whole() {
    return whole;
  }

  /** The kept names, in order. */
  List<byte[]> sorted() {
    List<byte[]> names = new ArrayList<>(lastFirst);
    names.sort(ORDER);
    return names;
  }
}
