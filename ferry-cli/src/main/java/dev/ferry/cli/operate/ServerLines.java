package dev.ferry.cli.operate;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What a server prints on standard output. A reader who does not take it keeps the server neither
 * from serving nor from its end. Thread-safe.
 */
public final class ServerLines implements AutoCloseable {
  private static final int MAX_WAITING_BYTES = 64 * 1024;
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final LineQueue lines;

  /**
   * @param out standard output
   */
  public ServerLines(PrintWriter out) {
    lines = LineQueue.start("ferry-output", new Target(out), MAX_WAITING_BYTES);
  }

  private record Target(PrintWriter out) implements LineQueue.Target {
    @Override
    public void append(byte[] line) {
      out.println(new String(line, StandardCharsets.UTF_8));
      out.flush();
    }

    @Override
    public byte[] ofLost(long count) {
      return ("lines are missing here, since nobody took them: " + count)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Has a line printed. */
  public void print(String line) {
    lines.add(line.getBytes(StandardCharsets.UTF_8));
  }

  /** Prints what waits, for a second at most. */
  @Override
  public void close() {
    boolean unused = lines.end(LONGEST_END);
  }
}
