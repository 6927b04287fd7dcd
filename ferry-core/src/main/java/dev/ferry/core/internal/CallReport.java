package dev.ferry.core.internal;

import dev.ferry.core.ByteSize;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.Outage;
import dev.ferry.core.TransferOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of one client call: its peer, its progress, its {@link StallWatch}, and its rate limit.
 * It creates the exceptions for failures of the call, with the same messages on every carrier.
 * Thread-safe.
 */
public final class CallReport implements TransferOptions.Progress {
  /** Messages print sizes in megabytes from this size up. */
  private static final long MEGABYTE = 1_000_000;

  /** What the short form of an IPv6 address leaves out. */
  private static final String ZEROS = "(^|:)(0(:|$)){2,}";

  private static final InetAddress[] NO_ADDRESSES = {};

  /** What a port is that does not speak the protocol of the client. */
  public enum Peer {
    GRPC("is a gRPC port; use gRPC there (Protocol.GRPC), or its HTTP port"),
    HTTP("is an HTTP port; use HTTP there (Protocol.HTTP), or its gRPC port"),
    TLS("speaks TLS; use ferrys:// or https://");

    private final String remedy;

    Peer(String remedy) {
      this.remedy = remedy;
    }
  }

  private final String name;
  private final String server;
  private final @Nullable Duration timeout;
  private final TransferOptions.Progress progress;
  private final StallWatch watch;
  private final @Nullable Throttle throttle;
  private final AtomicLong done = new AtomicLong();
  private volatile long total = -1;
  private volatile Duration connectTimeout = Carrier.CONNECT_TIMEOUT;

  // The lock of this object guards the following.
  private @Nullable WaitingSink receiver;
  private boolean ended;

  /**
   * Creates the report of a new call.
   *
   * @param name path of the file or directory, for messages; empty for the root
   * @param server {@code host:port}
   * @param options only the timeout, the stall timeout, the progress and the rate limit are used
   * @param limitsWork as for {@link StallWatch}
   */
  public CallReport(String name, String server, TransferOptions options, boolean limitsWork) {
    this.name = name;
    this.server = server;
    this.timeout = options.timeout();
    this.progress = options.progress();
    this.watch = new StallWatch(options.limits().stallTimeout(), limitsWork);
    this.throttle = Throttle.of(options);
  }

  /**
   * Says that the server is one of several, so that the call soon fails if it is gone.
   *
   * @param timeout the time to establish a connection
   * @param reachable as for {@link StallWatch#probeBy}
   */
  public void oneOfSeveral(Duration timeout, BooleanSupplier reachable) {
    connectTimeout = timeout;
    watch.probeBy(reachable);
  }

  /** Detects that the call has stalled. */
  public StallWatch watch() {
    return watch;
  }

  /** Path of the file or directory, for messages. */
  public String name() {
    return name;
  }

  /**
   * Records the progress. If the call has a rate limit, this waits until the bytes may have moved,
   * in steps of about 50 ms for each transfer that has the same limit.
   */
  @Override
  public void update(long newDone, long newTotal) {
    done.setOpaque(newDone);
    if (total != newTotal) {
      total = newTotal;
    }
    if (newDone == newTotal) {
      watch.expectResponse(newTotal);
    } else {
      watch.moved();
    }
    progress.update(newDone, newTotal);
    if (throttle != null) {
      throttle.moved(newDone, watch);
    }
  }

  /** Ends the waits of {@link #update} and of the receiver, because the call is to end. */
  public void endPauses() {
    if (throttle != null) {
      throttle.end();
    }
    WaitingSink waiting;
    synchronized (this) {
      ended = true;
      waiting = receiver;
    }
    if (waiting != null) {
      waiting.interrupt();
    }
  }

  /**
   * Wraps the sink of a receiver that may wait for long, on a thread that nobody else knows. {@link
   * #endPauses} interrupts it.
   */
  public FileSink waiting(FileSink sink) {
    WaitingSink waiting = new WaitingSink(sink, name);
    boolean over;
    synchronized (this) {
      receiver = waiting;
      over = ended;
    }
    if (over) {
      waiting.interrupt();
    }
    return waiting;
  }

  /**
   * Wraps the sink of a download, so that time spent on the local disk does not count as a stall.
   */
  public FileSink watched(FileSink sink) {
    return watch.limited() ? new WatchedSink(sink, watch) : sink;
  }

  /** Creates the exception for a call whose watch has detected a silent peer. */
  public FerryException stalled() {
    if (watch.isGone()) {
      return lost(ErrorKind.UNAVAILABLE, null);
    }
    return stalled(watch.allowed(), null);
  }

  /** Creates the exception for a call without progress for this time. */
  public FerryException stalled(Duration silence, @Nullable Throwable cause) {
    String time = Amounts.time(silence);
    String text;
    if (total >= 0 && done.get() == total) {
      text = "no response for " + time + " after " + howFar();
    } else if (total < 0 && done.get() == 0) {
      text = "no response from " + server + " for " + time;
    } else {
      text = "no byte for " + time + ": " + howFar();
    }
    return new FerryException(ErrorKind.UNAVAILABLE, Outage.STALLED, prefix() + text, cause);
  }

  /** Creates the exception for a call that exceeded its timeout. */
  public FerryException overdue(@Nullable Throwable cause) {
    String limit = timeout == null ? "time" : Amounts.time(timeout);
    String reached = total < 0 && done.get() == 0 ? "no response from " + server : howFar();
    return new FerryException(
        ErrorKind.DEADLINE_EXCEEDED,
        Outage.OVERDUE,
        prefix() + "not finished in " + limit + ": " + reached,
        cause);
  }

  /** Whether any byte of a file has been transferred. */
  public boolean begun() {
    return done.get() > 0;
  }

  /** Whether the call has a timeout. */
  public boolean isTimed() {
    return timeout != null;
  }

  /**
   * Creates the exception for a connection that could not be established or was lost.
   *
   * @param kind the kind to use if the connection was lost
   */
  public FerryException failedConnection(ErrorKind kind, Throwable cause) {
    if (SystemError.TOO_MANY_FILES.isCauseOf(cause)) {
      return new FerryException(ErrorKind.INTERNAL, prefix() + SystemError.RAISE_LIMIT, cause);
    }
    Outage outage = Outage.ofConnecting(cause);
    if (outage == null || outage == Outage.LOST || (outage == Outage.NO_TLS && begun())) {
      return lost(kind, cause);
    }
    return new FerryException(ErrorKind.UNAVAILABLE, outage, connecting(outage, cause), cause);
  }

  private String connecting(Outage outage, Throwable cause) {
    return switch (outage) {
      case NO_SUCH_HOST -> host() + ": no such host";
      case NO_ROUTE -> "no network leads to " + server + tried();
      case NO_CONNECTION ->
          "no connection to " + server + " in " + Amounts.time(connectTimeout) + tried();
      case NO_TLS, UNTRUSTED -> server + " " + TlsFailures.describe(cause);
      default -> "connection refused at " + server + tried();
    };
  }

  /**
   * Names the addresses of the host if it has several, which were all tried. The JVM knows them, as
   * it has just looked them up.
   */
  private String tried() {
    try {
      InetAddress[] all = server.contains(":") ? InetAddress.getAllByName(host()) : NO_ADDRESSES;
      return all.length < 2
          ? ""
          : Stream.of(all)
              .map(ip -> ip.getHostAddress().replaceFirst(ZEROS, "::"))
              .collect(Collectors.joining(", ", " (", ")"));
    } catch (UnknownHostException e) {
      return "";
    }
  }

  private String host() {
    int colon = server.lastIndexOf(':');
    return colon < 0 ? server : server.substring(0, colon);
  }

  /** Creates the exception for a lost connection. */
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
   * Creates the exception for a peer that is not a Ferry server.
   *
   * @param what what the peer does instead, for instance {@code does not speak gRPC}
   */
  public FerryException foreign(ErrorKind kind, String what, @Nullable Throwable cause) {
    return new FerryException(kind, Outage.FOREIGN, server + " " + what, cause);
  }

  /** Creates the exception for a port that speaks another protocol. */
  public FerryException foreign(Peer peer, @Nullable Throwable cause) {
    return foreign(ErrorKind.UNAVAILABLE, peer.remedy, cause);
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
