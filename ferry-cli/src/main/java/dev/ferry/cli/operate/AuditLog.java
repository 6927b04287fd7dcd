package dev.ferry.cli.operate;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a line for each request that has ended. A thread of its own writes, so that no transfer
 * waits for the disk.
 *
 * <p>If the file cannot be written, or lines of 16 MiB wait, the server goes on and the lines are
 * lost: an audit log that stops the service would let whoever fills the disk stop it. The first
 * loss is a warning in the log, {@link #lost} counts them all, and when the file can be written
 * again, a line in it says how many are missing there.
 */
final class AuditLog implements RequestListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
  private static final int MAX_WAITING_BYTES = 16 * 1024 * 1024;
  private static final int CLOSE_MILLIS = 5_000;

  /** Stands for the end of the log. */
  private static final byte[] END = {};

  private final AuditFile file;
  private final Clock clock;
  private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private final AtomicInteger waitingBytes = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();
  private final Thread writer = new DaemonThreads("ferry-audit").newThread(this::write);
  private long lostInFile;
  private boolean failing;

  private AuditLog(AuditFile file, Clock clock) {
    this.file = file;
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
    AuditLog log = new AuditLog(file, clock);
    log.writer.start();
    return log;
  }

  /** Returns how many lines were lost. */
  long lost() {
    return lost.get();
  }

  @Override
  public void began(ServedRequest request) {}

  @Override
  public void ended(EndedRequest request) {
    byte[] line = LineText.of(request, clock.instant());
    if (waitingBytes.addAndGet(line.length) > MAX_WAITING_BYTES) {
      waitingBytes.addAndGet(-line.length);
      lost.incrementAndGet();
    } else {
      waiting.add(line);
    }
  }

  private void write() {
    try {
      for (byte[] line = waiting.take(); line != END; line = waiting.take()) {
        waitingBytes.addAndGet(-line.length);
        write(line);
      }
    } catch (InterruptedException e) {
      // Only close() interrupts, when it has waited for long enough.
      Thread.currentThread().interrupt();
    }
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("{}: may not be complete on the disk: {}", file.path(), e.toString());
    }
  }

  private void write(byte[] line) {
    try {
      long missing = lost.get() - lostInFile;
      if (missing > 0) {
        file.append(LineText.ofLost(missing, clock.instant()));
        lostInFile += missing;
      }
      file.append(line);
      failing = false;
    } catch (IOException | RuntimeException e) {
      lost.incrementAndGet();
      if (!failing) {
        LOG.warn(
            "{}: cannot be written ({}); requests are served, and their lines are lost until it"
                + " can",
            file.path(),
            e.toString());
      }
      failing = true;
    }
  }

  /** Writes what waits, for {@value #CLOSE_MILLIS} ms at most. No request may end afterwards. */
  @Override
  public void close() {
    waiting.add(END);
    try {
      writer.join(CLOSE_MILLIS);
      writer.interrupt();
    } catch (InterruptedException e) {
      writer.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
