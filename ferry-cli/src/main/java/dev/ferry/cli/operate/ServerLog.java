package dev.ferry.cli.operate;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;

/**
 * The log of a server on standard error, which a {@link LineQueue} writes: if nobody reads it, the
 * server goes on without. Thread-safe.
 */
final class ServerLog implements AutoCloseable {
  private static final int MAX_WAITING_BYTES = 4 * 1024 * 1024;
  private static final Duration LONGEST_END = Duration.ofSeconds(1);

  private final ConsoleAppender<ILoggingEvent> console;
  private final OutputStream stream;
  private final LineQueue lines;

  /**
   * @param console what writes the log until now
   */
  ServerLog(ConsoleAppender<ILoggingEvent> console) {
    this.console = console;
    stream = ConsoleTarget.findByName(console.getTarget()).getStream();
    lines = LineQueue.start("ferry-log", new Target(), MAX_WAITING_BYTES);
    console.setOutputStream(new Waiting());
  }

  /** Takes the bytes of one line at a time. */
  private final class Waiting extends OutputStream {
    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      if (length > 0) {
        lines.add(Arrays.copyOfRange(bytes, offset, offset + length));
      }
    }
  }

  private final class Target implements LineQueue.Target {
    @Override
    public void append(byte[] line) throws IOException {
      stream.write(line);
      stream.flush();
    }

    @Override
    public byte[] ofLost(long count) {
      Logger logger = Logs.logger(ServerLog.class.getName());
      String text = "lines of this log are missing here, since nobody took them: " + count;
      return console
          .getEncoder()
          .encode(
              new LoggingEvent(ServerLog.class.getName(), logger, Level.WARN, text, null, null));
    }
  }

  /** Returns how many lines were lost. */
  long lost() {
    return lines.lost();
  }

  /**
   * Writes what waits, for a second at most. Later lines are written by whoever logs them; if
   * nobody takes them, they are lost.
   */
  @Override
  public void close() {
    if (lines.end(LONGEST_END)) {
      console.setOutputStream(stream);
    }
  }
}
