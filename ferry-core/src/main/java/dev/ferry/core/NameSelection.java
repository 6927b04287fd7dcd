package dev.ferry.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The first names, in the order of {@link Listing}, of those that are added: as many as fit. Holds
 * them as UTF-8, which is small and in that order. For one thread.
 */
final class NameSelection {
  static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

  /** Bytes of an array's head, its reference and what alignment takes, at most. */
  private static final int OVERHEAD = 32;

  private final long mostBytes;
  private final ArrayList<byte[]> names = new ArrayList<>();
  private long bytes;
  private byte[] end = {};
  private boolean whole = true;

  /**
   * @param mostBytes of memory that the names take together; one name is held however long it is
   */
  NameSelection(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  void add(byte[] name) {
    if (!whole && ORDER.compare(name, end) >= 0) {
      return;
    }
    names.add(name);
    bytes += OVERHEAD + name.length;
    if (bytes > mostBytes && names.size() > 1) {
      dropLaterHalf();
    }
  }

  /** Half of them, because one alone would cost a sort for every name. */
  private void dropLaterHalf() {
    names.sort(ORDER);
    List<byte[]> dropped = names.subList(names.size() / 2, names.size());
    end = dropped.get(0);
    whole = false;
    for (byte[] name : dropped) {
      bytes -= OVERHEAD + name.length;
    }
    dropped.clear();
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
    names.sort(ORDER);
    return names;
  }
}
