package dev.ferry.cli.progress;

import dev.ferry.core.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Says in one line how far a transfer is.
 *
 * @param columns characters that there is room for
 */
record ProgressText(int columns) {
  private static final String GAP = "  ";

  /** A shorter end of a name tells nothing. */
  private static final int LEAST_NAME = 8;

  /** A shorter bar tells nothing. */
  private static final int LEAST_BAR = 12;

  private static final int MOST_BAR = 40;
  private static final long DAY_SECONDS = 86_400;

  /**
   * The progress of one file. The name is first, and a bar is last if there is room.
   *
   * @param total negative if it is not known
   * @param before the part of the bytes that an earlier command has transferred
   */
  String file(String name, long done, long total, long before, double seconds) {
    List<String> facts = new ArrayList<>();
    if (total > 0) {
      facts.add(ProgressDisplay.percent(done, total));
    }
    facts.add(bytes(done, total));
    addRate(facts, done, total, before, seconds);
    String text = String.join(GAP, facts);
    int room = columns - text.length() - GAP.length();
    String shown = room < LEAST_NAME ? "" : end(name, room) + GAP;
    return shown + text + bar(done, total, columns - shown.length() - text.length());
  }

  /**
   * The progress of a tree. The name of the current file is last, if there is room.
   *
   * @param foundAll whether there are no more files than those that were found
   */
  String tree(
      String name,
      long files,
      long filesOf,
      long done,
      long total,
      boolean foundAll,
      double seconds) {
    List<String> facts = new ArrayList<>();
    String more = foundAll ? "" : "+";
    facts.add("%d of %d%s files".formatted(files, filesOf, more));
    facts.add(bytes(done, total) + more);
    addRate(facts, done, foundAll ? total : -1, 0, seconds);
    String text = String.join(GAP, facts);
    int room = columns - text.length() - GAP.length();
    return room < LEAST_NAME || name.isEmpty() ? cut(text) : text + GAP + end(name, room);
  }

  private String cut(String text) {
    return text.length() <= columns ? text : text.substring(0, columns);
  }

  private static String bytes(long done, long total) {
    String reached = ByteSize.megabytes((double) done);
    return total < 0
        ? reached
        : reached.substring(0, reached.length() - " MB".length())
            + " of "
            + ByteSize.megabytes((double) total);
  }

  private static void addRate(
      List<String> facts, long done, long total, long before, double seconds) {
    if (seconds <= 0 || done <= before) {
      return;
    }
    double rate = (done - before) / seconds;
    facts.add(ByteSize.amount(rate) + "/s");
    if (total > done) {
      facts.add(time((total - done) / rate) + " left");
    }
  }

  private static String time(double seconds) {
    if (seconds >= DAY_SECONDS) {
      return "over a day";
    }
    long whole = (long) Math.ceil(seconds);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }

  /** The end of a name differs more from others than its beginning. */
  private static String end(String name, int room) {
    return name.length() <= room ? name : "..." + name.substring(name.length() - room + 3);
  }

  private static String bar(long done, long total, int room) {
    int length = Math.min(room - GAP.length() - 2, MOST_BAR);
    if (total <= 0 || length < LEAST_BAR) {
      return "";
    }
    int full = (int) Math.min(length, length * done / total);
    return GAP + "[" + "=".repeat(full) + " ".repeat(length - full) + "]";
  }
}
