package dev.ferry.cli.operate;

import ch.qos.logback.classic.Level;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;

/**
 * Makes each line that a server prints a JSON object as those of its log, so that whoever collects
 * both streams, as journald and Kubernetes do, has one format. Used by one {@link PrintWriter},
 * which locks.
 */
final class JsonLog extends Writer {
  /** How commands begin a warning. */
  private static final String WARNING = "warning: ";

  private final PrintWriter out;
  private final Level level;
  private final InstantSource clock;
  private final StringBuilder line = new StringBuilder();

  private JsonLog(PrintWriter out, Level level, InstantSource clock) {
    this.out = out;
    this.level = level;
    this.clock = clock;
  }

  /**
   * Returns what to print on.
   *
   * @param out takes the objects
   * @param level of lines that are not warnings
   */
  static PrintWriter on(PrintWriter out, Level level) {
    return new PrintWriter(new JsonLog(out, level, InstantSource.system()), true);
  }

  @Override
  public void write(char[] text, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      if (text[i] == '\n') {
        print(line.toString());
        line.setLength(0);
      } else {
        line.append(text[i]);
      }
    }
  }

  private void print(String text) {
    boolean warns = text.startsWith(WARNING);
    Map<String, Object> fields = LineText.begin(clock.instant());
    fields.put("level", (warns ? Level.WARN : level).toString());
    fields.put("logger", "ferry");
    fields.put("message", warns ? text.substring(WARNING.length()) : text);
    out.print(new String(LineText.of(fields), StandardCharsets.US_ASCII));
  }

  @Override
  public void flush() {
    out.flush();
  }

  /** Leaves the stream open, which others use. */
  @Override
  public void close() {
    flush();
  }
}
