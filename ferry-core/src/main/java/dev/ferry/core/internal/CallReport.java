package dev.ferry.core.internal;

import dev.ferry.core.ByteSize;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.Outage;
import dev.ferry.core.TransferOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a client knows of one call: whom it is with, how far it got and whether it has fallen
 * silent. It says how the call failed, in the same words on every carrier. Thread-safe.
 */
public final class CallReport implements TransferOptions.Progress {
  /** From here on amounts are in megabytes. */
  private static final long MEGABYTE = 1_000_000;

  private final String name;
  private final String server;
  private final @Nullable Duration timeout;
  private final TransferOptions.Progress progress;
  private final StallWatch watch;
  private final AtomicLong done = new AtomicLong();
  private volatile long total = -1;

  /**
   * Creates the report of a call that begins.
   *
   * @param name what it is about, for messages; empty for the root
   * @param server {@code host:port}
   * @param options of which the two limits of time and the progress are heeded
   * @param limitsWork as for {@link StallWatch}
   */
  public CallReport(String name, String server, TransferOptions options, boolean limitsWork) {
    this.name = name;
    this.server = server;
    this.timeout = options.timeout();
    this.progress = options.progress();
    this.watch = new StallWatch(options.stallTimeout(), limitsWork);
  }

  /** Notices when the call falls silent. */
  public StallWatch watch() {
    return watch;
  }

  /** What the call is about. */
  public String name() {
    return name;
  }

  @Override
  public void update(long newDone, long newTotal) {
    done.setOpaque(newDone);
    if (total != newTotal) {
      total = newTotal;
    }
    if (newDone == newTotal) {
      watch.expectAnswer(newTotal);
    } else {
      watch.moved();
    }
    progress.update(newDone, newTotal);
  }

  /** The file a call receives, whose disk is nothing the server can be blamed for. */
  public FileSink watched(FileSink sink) {
    return watch.limited() ? new WatchedSink(sink, watch) : sink;
  }

  /** The call was silent for as long as its watch allows. */
  public FerryException stalled() {
    return stalled(watch.allowed(), null);
  }

  /** The call was silent for so long. */
  public FerryException stalled(Duration silence, @Nullable Throwable cause) {
    String time = Amounts.time(silence);
    String text;
    if (total >= 0 && done.get() == total) {
      text = "no answer for " + time + " after " + howFar();
    } else if (total < 0 && done.get() == 0) {
      text = "no answer from " + server + " for " + time;
    } else {
      text = "no byte for " + time + ": " + howFar();
    }
    return new FerryException(ErrorKind.UNAVAILABLE, Outage.STALLED, prefix() + text, cause);
  }

  /** The call took as long as its caller allows. */
  public FerryException overdue(@Nullable Throwable cause) {
    String limit = timeout == null ? "time" : Amounts.time(timeout);
    String reached = total < 0 && done.get() == 0 ? "no answer from " + server : howFar();
    return new FerryException(
        ErrorKind.DEADLINE_EXCEEDED,
        Outage.OVERDUE,
        prefix() + "not finished in " + limit + ": " + reached,
        cause);
  }

  /** Whether anything of a file has passed. */
  public boolean begun() {
    return done.get() > 0;
  }

  /** Whether the call has a limit of time. */
  public boolean isTimed() {
    return timeout != null;
  }

  /**
   * The connection could not be made, or is gone.
   *
   * @param kind what a connection that is gone means
   */
  public FerryException failedConnection(ErrorKind kind, Throwable cause) {
    Outage outage = Outage.ofConnecting(cause);
    if (outage == null || outage == Outage.LOST) {
      return lost(kind, cause);
    }
    return new FerryException(ErrorKind.UNAVAILABLE, outage, connecting(outage), cause);
  }

  private String connecting(Outage outage) {
    return switch (outage) {
      case NO_SUCH_HOST -> host() + ": no such host";
      case NO_ROUTE -> "no network leads to " + server;
      case NO_CONNECTION ->
          "no connection to " + server + " in " + Amounts.time(Carrier.CONNECT_TIMEOUT);
      default -> "connection refused at " + server;
    };
  }

  private String host() {
    int colon = server.lastIndexOf(':');
    return colon < 0 ? server : server.substring(0, colon);
  }

  /** The connection is gone. */
  public FerryException lost(ErrorKind kind, @Nullable Throwable cause) {
    return new FerryException(
        kind,
        Outage.LOST,
        prefix()
            + (done.get() == 0
                ? "connection to " + server + " lost before the first byte"
                : "connection lost after " + howFar()),
        cause);
  }

  /**
   * Something answers that is not Ferry.
   *
   * @param what it does instead, for instance {@code does not speak gRPC}
   */
  public FerryException foreign(ErrorKind kind, String what, @Nullable Throwable cause) {
    return new FerryException(kind, Outage.FOREIGN, server + " " + what, cause);
  }

  private String prefix() {
    return name.isEmpty() ? "" : name + ": ";
  }

  private String howFar() {
    long reached = done.get();
    long all = total;
    if (all < 0) {
      return ByteSize.megabytes(reached);
    }
    return all < MEGABYTE
        ? reached + " of " + all + " bytes"
        : ByteSize.megabytes(reached) + " of " + ByteSize.megabytes(all);
  }
}
