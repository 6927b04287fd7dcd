package dev.ferry.core.local;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.TimeLeft;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A {@link Download} from its first byte on, until the file changes. */
final class RunningDownload {
  private final int streams;
  private final StorePath path;
  private final Path target;
  private final TransferOptions options;
  private final TimeLeft left;
  private final CallReport report;
  private final Connections connections;
  private final Steps steps;
  private final RememberedDownload memory;
  private final StatedDigest digest;

  /** Whether a later process is to go on. */
  private boolean kept;

  // The lock of this object guards the following.
  private @Nullable Received received;
  private boolean inParts;
  private @Nullable PartRequest second;
  private @Nullable Transfer last;
  private long done;
  private long resumedAt;
  private long wireBytes;

  /** The file at both ends. */
  private record Received(LocalFileSink file, FileFacts facts) {}

  RunningDownload(
      Connections connections,
      Steps steps,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options,
      RememberedDownload memory,
      TimeLeft left) {
    this.connections = connections;
    this.steps = steps;
    this.streams = streams;
    this.path = path;
    this.target = target;
    this.options = options;
    this.memory = memory;
    this.digest = new StatedDigest(path, options.digest(), steps);
    this.left = left;
    // Its requests keep to the rate limit.
    TransferOptions unlimited = options.withRateLimit(null);
    this.report = new CallReport(path.value(), "the server", unlimited, false);
  }

  /**
   * Downloads the file.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if it changed meanwhile
   */
  Transfer run() throws FerryException {
    try {
      try {
        if (streams == 1) {
          // A thread for each small file would be slow.
          steps.run(this::firstStream);
        } else {
          steps.begin(this::firstStream);
        }
        return awaited();
      } catch (FerryException e) {
        return readAgain(e);
      }
    } catch (TimeoutException e) {
      throw report.overdue(e);
    } catch (FerryException e) {
      kept = memory.remembersAfter(e);
      throw e.kind() == ErrorKind.VERSION_MISMATCH ? StatedDigest.changed(path, e) : e;
    } finally {
      stop();
    }
  }

  private Transfer awaited() throws FerryException, TimeoutException {
    Duration timeout = left.get();
    steps.await(timeout == null ? 0 : timeout.toNanos());
    return result();
  }

  /**
   * Compares what has arrived again, with a digest that the server computes now: it may remember
   * that of other bytes, of a file whose change did not show.
   *
   * @throws FerryException the failure, unless it is that all bytes have arrived and are not those
   *     of the digest
   */
  private Transfer readAgain(FerryException failure) throws FerryException, TimeoutException {
    // While other steps run, the lock of this object may be held for as long as they do.
    Received all = failure.kind() == ErrorKind.DIGEST_MISMATCH ? received() : null;
    if (all == null || all.file().written() != all.facts().size()) {
      throw failure;
    }
    synchronized (this) {
      inParts = true;
    }
    digest.request(all.facts(), connections.first(steps, left.get()), true);
    try {
      return awaited();
    } catch (FerryException e) {
      // A server of others may give no digest but in its response.
      throw e.kind() == ErrorKind.INVALID_REQUEST ? failure : e;
    }
  }

  /**
   * Receives the first response. What follows it is a step of its own if there are others, whose
   * failures then end it.
   */
  private void firstStream() throws FerryException {
    Connections.Connection connection = connections.first(steps, left.get());
    RememberedDownload.Arrived arrived = memory.adopt(options);
    if (arrived != null) {
      PartRequest missing = goOn(arrived);
      steps.begin(() -> receive(connection, missing));
      return;
    }
    while (true) {
      Reply reply = new Reply(null);
      try {
        ask(connection.carrier(), reply);
        break;
      } catch (FerryException e) {
        long written = reply.fail();
        connection.again(e, written > 0 && canGoOn());
        if (keep(written)) {
          PartRequest rest = reply.rest();
          steps.begin(
              () -> {
                receive(connection, rest);
                receive(connection, second());
              });
          return;
        }
      }
    }
    receive(connection, second());
  }

  private synchronized @Nullable PartRequest second() {
    return second;
  }

  /**
   * Goes on with what an earlier process has received.
   *
   * @return what is missing; null if nothing is
   */
  private synchronized @Nullable PartRequest goOn(RememberedDownload.Arrived arrived)
      throws FerryException {
    LocalFileSink file = arrived.file();
    FileFacts facts = arrived.facts();
    received = new Received(file, facts);
    inParts = true;
    done = file.written();
    resumedAt = done;
    file.expect(facts.size());
    long first = done;
    steps.begin(() -> arrived.addChecksum(first));
    digest.request(facts, connections.first(steps, left.get()), false);
    return done == facts.size()
        ? null
        : new PartRequest(done, facts.size() - done, facts.version());
  }

  /** Sends the first request, which {@link #streams} decides. */
  private void ask(Carrier carrier, Reply reply) throws FerryException {
    if (streams > 1) {
      try {
        reply.wanted = new PartRequest(0, Download.LEAST_PART, null);
        add(carrier.download(path, reply, limited(reply)));
        return;
      } catch (FerryException e) {
        if (e.kind() != ErrorKind.INVALID_REQUEST || received() != null) {
          throw e;
        }
        // An empty file has no part. Some servers refuse parts, or do not say to which version they
        // belong.
        steps.requireOpen();
        reply.wanted = null;
      }
    }
    add(carrier.download(path, reply, limited(reply)));
  }

  /**
   * Receives a part.
   *
   * @param part null for none
   */
  private void receive(Connections.Connection connection, @Nullable PartRequest part)
      throws FerryException {
    PartRequest missing = part;
    while (missing != null) {
      Reply reply = new Reply(missing);
      try {
        add(connection.carrier().download(path, reply, limited(reply)));
        return;
      } catch (FerryException e) {
        connection.again(e, reply.fail() > 0);
        missing = reply.rest();
      }
    }
  }

  /** The time that is left of the download limits each request. */
  private TransferOptions limited(Reply reply) {
    return options.withTimeout(left.get()).withProgress(reply);
  }

  private synchronized void add(Transfer transfer) {
    last = transfer;
    wireBytes += transfer.wireBytes();
  }

  private synchronized @Nullable Received received() {
    return received;
  }

  /** Opens the file and begins the other parts. */
  private synchronized FileSink begin(FileFacts facts, long length) throws FerryException {
    long size = facts.size();
    if (length != Math.min(Download.LEAST_PART, size)) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": the server sends " + length + " bytes as its first part");
    }
    LocalFileSink file = open(facts);
    inParts = true;
    file.expect(size);
    digest.request(facts, connections.first(steps, left.get()), false);
    int parts = (int) Math.max(1, Math.min(streams, size / Download.LEAST_PART));
    long each = (size - length) / parts;
    for (int i = 0; i < parts && length < size; i++) {
      long from = length + i * each;
      long to = i == parts - 1 ? size : from + each;
      PartRequest part = new PartRequest(from, to - from, facts.version());
      if (i == 0) {
        second = part;
      } else {
        steps.begin(() -> receive(connections.another(steps, left.get()), part));
      }
    }
    return file.part(0, length);
  }

  private synchronized LocalFileSink open(FileFacts facts) throws FerryException {
    steps.requireOpen();
    LocalFileSink file =
        LocalFileSink.create(target, options.sink(facts), folder -> memory.begin(folder, facts));
    received = new Received(file, facts);
    return file;
  }

  /** Returns a sink for the whole file that does not close it, so that it can be continued. */
  private static FileSink keeping(LocalFileSink file) {
    return new ForwardingSink(file) {
      @Override
      public void close() {}
    };
  }

  /** Whether the rest can be requested, so that what has arrived is progress. */
  private synchronized boolean canGoOn() {
    return inParts || (received != null && received.facts().version() != null);
  }

  /**
   * Keeps what arrived of the first response, if the rest can be requested.
   *
   * @return whether it was kept; otherwise nothing is left
   */
  private synchronized boolean keep(long written) throws FerryException {
    if (received == null || inParts) {
      return inParts;
    }
    if (written == 0 || !canGoOn()) {
      received.file().close();
      received = null;
      return false;
    }
    received.file().keep();
    inParts = true;
    done = written;
    digest.request(received.facts(), connections.another(steps, left.get()), false);
    return true;
  }

  private synchronized Transfer result() throws FerryException {
    if (!inParts) {
      return Objects.requireNonNull(last);
    }
    Received all = Objects.requireNonNull(received);
    FileFacts facts = all.file().commit(all.facts().size(), digest.get());
    // Without a response that was complete, the last byte had arrived when the connection was lost.
    return new Transfer(
        facts,
        wireBytes,
        last == null ? "unknown" : last.protocol(),
        last == null ? "identity" : last.encoding(),
        resumedAt);
  }

  /** Ends what still runs, and deletes the file unless it is complete or kept. */
  private void stop() {
    steps.end();
    try (steps) {
      // Some clients end a call only when they are closed.
      connections.closeOthers();
    }
    Received begun = received();
    boolean keeps = kept && begun != null;
    try {
      if (begun != null && kept) {
        begun.file().release();
      } else if (begun != null) {
        begun.file().close();
      }
    } catch (IOException e) {
      // The original failure is reported instead. A later sweep deletes the leftover file.
      return;
    } finally {
      if (!keeps) {
        memory.forget();
      }
    }
  }

  /** The response to one request, and its progress. */
  private final class Reply implements PartReceiver, Progress {
    private final @Nullable PartRequest part;
    private @Nullable PartRequest wanted;
    private volatile @Nullable FileSink sink;
    private volatile long length;
    private long before;

    /**
     * @param part the requested part; null for the first request
     */
    Reply(@Nullable PartRequest part) {
      this.part = part;
      this.wanted = part;
    }

    @Override
    public @Nullable PartRequest wanted() {
      return wanted;
    }

    @Override
    public FileSink part(FileFacts facts, long bytes) throws FerryException {
      length = bytes;
      FileSink opened;
      if (part == null) {
        opened = begin(facts, bytes);
      } else {
        Received whole = received();
        if (whole == null || bytes != part.length()) {
          throw StatedDigest.changed(path, null);
        }
        opened = whole.file().part(part.offset(), bytes);
      }
      sink = opened;
      return opened;
    }

    @Override
    public FileSink whole(FileFacts facts) throws FerryException {
      if (part != null) {
        throw new FerryException(
            ErrorKind.FILE_CHANGED,
            path + ": the server sent the whole file, and not a part of it");
      }
      length = facts.size();
      FileSink opened = keeping(open(facts));
      sink = opened;
      return opened;
    }

    /** Adds the progress of a part to that of the file. */
    @Override
    public void update(long now, long total) {
      synchronized (RunningDownload.this) {
        if (inParts && received != null) {
          done += now - before;
          before = now;
          report.update(done, received.facts().size());
        } else {
          report.update(now, total);
        }
      }
    }

    /** Returns the bytes that were written before the request failed. */
    long fail() {
      FileSink opened = sink;
      long written = opened == null ? 0 : opened.written();
      synchronized (RunningDownload.this) {
        wireBytes += written;
        if (inParts) {
          // Bytes that were reported before they were written are requested again.
          update(written, length);
        }
      }
      return written;
    }

    /** Returns what is missing of the part, of the same version; null if nothing is. */
    @Nullable PartRequest rest() {
      FileSink opened = sink;
      if (opened == null) {
        return part;
      }
      long written = opened.written();
      long offset = part == null ? 0 : part.offset();
      Received whole = received();
      return written == length || whole == null
          ? null
          : new PartRequest(offset + written, length - written, whole.facts().version());
    }
  }
}
