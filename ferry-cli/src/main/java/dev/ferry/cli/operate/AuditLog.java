package dev.ferry.cli.operate;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each request that has ended, or loses it as a {@link LineQueue} does. The first
 * loss is a warning in the log.
 */
final class AuditLog implements RequestListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final int MAX_WAITING_BYTES = 16 * 1024 * 1024;
  private static final Duration LONGEST_END = Duration.ofSeconds(5);

  private final LineQueue lines;
  private final Clock clock;

  private AuditLog(AuditFile file, Clock clock) {
    this.lines = LineQueue.start("ferry-audit", new Target(file, clock), MAX_WAITING_BYTES);
    this.clock = clock;
  }

  /**
   * Opens a log, and goes on with the file if it exists.
   *
   * @throws FerryException if the file cannot be written; the message is one line with the remedy
   */
  static AuditLog open(AuditFile file, Clock clock) throws FerryException {
    try {
      file.open();
    } catch (IOException e) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED,
          "--audit-log: "
              + file.path()
              + " cannot be written ("
              + e.getClass().getSimpleName()
              + "); check its folder and the permissions there",
          e);
    }
    return new AuditLog(file, clock);
  }

  private record Target(AuditFile file, Clock clock) implements LineQueue.Target {
    @Override
    public void append(byte[] line) throws IOException {
      file.append(line);
    }

    @Override
    public byte[] ofLost(long lines) {
      return LineText.ofLost(lines, clock.instant());
    }

    @Override
    public void fails(Exception why) {
      LOG.warn(
          "{}: cannot be written ({}); requests are served, and their lines are lost until it can",
          file.path(),
          why.toString());
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn("{}: may not be complete on the disk: {}", file.path(), e.toString());
      }
    }
  }

  /** Returns how many lines were lost. */
  long lost() {
    return lines.lost();
  }

  @Override
  public void began(ServedRequest request) {}

  @Override
  public void ended(EndedRequest request) {
    lines.add(LineText.of(request, clock.instant()));
  }

  /** Writes what waits, for five seconds at most. No request may end afterwards. */
  @Override
  public void close() {
    boolean unused = lines.end(LONGEST_END);
  }
}
