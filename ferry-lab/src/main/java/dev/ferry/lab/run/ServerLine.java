package dev.ferry.lab.run;

import dev.ferry.lab.model.Usage;
import java.io.IOException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The lines a fork and its server's process exchange: a word each way, figures after the answer.
 *
 * <p>Answers begin with a mark, since a JVM prints warnings of its own on the same stream.
 */
final class ServerLine {
  /** Begins every answer. */
  private static final String MARK = "ferry-server: ";

  /** Answer to nothing: the server listens on the port that follows. */
  static final String READY = "ready";

  /** Answer to nothing: the server did not start, for the reason that follows. */
  static final String FAILED = "failed";

  /** An operation is about to begin. */
  static final String START = "start";

  /** It has ended; the answer is what it used. */
  static final String STOP = "stop";

  /** The answer is the milliseconds spent compiling so far. */
  static final String COMPILED = "compiled";

  /** Collect the garbage. */
  static final String COLLECT = "collect";

  private ServerLine() {}

  static String answer(String word, String figures) {
    return MARK + word + " " + figures;
  }

  /** What follows the word of an answer; null where the line is no such answer. */
  static @Nullable String figures(String line, String word) {
    String head = MARK + word + " ";
    return line.startsWith(head) ? line.substring(head.length()) : null;
  }

  static boolean isAnswer(String line) {
    return line.startsWith(MARK);
  }

  static String text(Usage usage) {
    return "%d %d %d %d %d %d %d"
        .formatted(
            usage.allocatedBytes(),
            usage.cpuNanos(),
            usage.young(),
            usage.old(),
            usage.heapPeakBytes(),
            usage.directPeakBytes(),
            usage.switches());
  }

  static Usage usage(String text) throws IOException {
    String[] figures = text.split(" ", -1);
    if (figures.length != 7) {
      throw new IOException("the server's JVM answered '" + text + "', not seven figures");
    }
    long[] n = LongStream.range(0, 7).map(i -> Long.parseLong(figures[(int) i])).toArray();
    return new Usage(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
  }
}
