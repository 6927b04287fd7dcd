package dev.ferry.core.local;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Downloads a file over several connections at once, a part of it over each. The parts are written
 * to one temporary file.
 *
 * <p>The first request is for the first {@value #LEAST_PART} bytes. Its response states the size
 * and the version of the file. The rest is then divided into equal parts, one for each connection,
 * all of that version, and the digest of the file is requested beside them. A file of less than
 * {@value #LEAST_PART} bytes for each connection uses fewer. A server that does not know parts
 * responds with the whole file, which this one request then downloads.
 *
 * <p>If a part fails, all end, and nothing is left.
 */
public final class ParallelDownload {
  /** Maximum number of connections. */
  public static final int MAX_STREAMS = 64;

  /** Bytes of the first part, and of the file for each connection at least. */
  public static final long LEAST_PART = 1024 * 1024;

  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final Carrier first;
  private final Connector connector;
  private final int streams;
  private final StorePath path;
  private final Path target;
  private final TransferOptions options;
  private final CallReport report;
  private final Steps steps;
  private final long start = System.nanoTime();

  // The lock of this object guards the following.
  private final List<Carrier> connected = new ArrayList<>();
  private boolean answered;
  private @Nullable Received received;
  private @Nullable PartRequest second;
  private @Nullable Transfer firstTransfer;
  private @Nullable Digest digest;
  private long done;
  private long wireBytes;

  /** Opens a connection. */
  @FunctionalInterface
  public interface Connector {
    /** Returns a new carrier to the same server, which the download closes. */
    Carrier connect() throws FerryException;
  }

  /** The file at both ends, if it is received in parts. */
  private record Received(LocalFileSink file, FileFacts facts) {}

  private ParallelDownload(
      Carrier first,
      Connector connector,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options) {
    this.first = first;
    this.connector = connector;
    this.streams = streams;
    this.path = path;
    this.target = target;
    this.options = options;
    this.report = new CallReport(path.value(), "the server", options, false);
    this.steps = new Steps(path.value());
  }

  /**
   * Downloads a file, as {@link Carrier#download} does.
   *
   * @param first the carrier of the first connection
   * @param connector opens the other connections, on any thread
   * @param streams connections, from 1 to {@value #MAX_STREAMS}
   * @param options options without compression
   * @throws IllegalArgumentException if the number of connections or the compression is not allowed
   */
  public static Transfer run(
      Carrier first,
      Connector connector,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options)
      throws FerryException {
    if (streams < 1 || streams > MAX_STREAMS) {
      throw new IllegalArgumentException(streams + " streams are not from 1 to " + MAX_STREAMS);
    }
    if (options.compression() != null) {
      throw new IllegalArgumentException("parts of a file are not compressed");
    }
    return new ParallelDownload(first, connector, streams, path, target, options).run();
  }

  private Transfer run() throws FerryException {
    Duration timeout = options.timeout();
    try {
      steps.begin(this::firstStream);
      steps.await(timeout == null ? 0 : timeout.toNanos());
      return result();
    } catch (TimeoutException e) {
      throw report.overdue(e);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.VERSION_MISMATCH ? changed(e) : e;
    } finally {
      stop();
    }
  }

  private FerryException changed(@Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded", cause);
  }

  private void firstStream() throws FerryException {
    Transfer transfer = firstPart();
    PartRequest next;
    synchronized (this) {
      firstTransfer = transfer;
      next = second;
    }
    if (next != null) {
      part(first, next, new NextPart(next));
    }
  }

  private Transfer firstPart() throws FerryException {
    try {
      return part(first, new PartRequest(0, LEAST_PART, null), new FirstPart());
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.INVALID_REQUEST || answered()) {
        throw e;
      }
      // An empty file has no part. Some servers refuse parts, or do not say to which version they
      // belong.
      steps.requireOpen();
      return first.download(path, target, limited(report));
    }
  }

  private void nextStream(PartRequest part) throws FerryException {
    Carrier carrier = connector.connect();
    synchronized (this) {
      connected.add(carrier);
    }
    part(carrier, part, new NextPart(part));
  }

  private Transfer part(Carrier carrier, PartRequest part, PartReceiver receiver)
      throws FerryException {
    Transfer transfer = carrier.downloadPart(path, part, receiver, limited(new PartProgress()));
    synchronized (this) {
      wireBytes += transfer.wireBytes();
    }
    return transfer;
  }

  /** Returns the options of a part: the time that is left of the download limits it. */
  private TransferOptions limited(Progress progress) {
    Duration timeout = options.timeout();
    Duration left = timeout == null ? null : timeout.minusNanos(System.nanoTime() - start);
    return options
        .withTimeout(left == null || left.compareTo(SHORTEST) > 0 ? left : SHORTEST)
        .withProgress(progress);
  }

  private synchronized boolean answered() {
    return answered;
  }

  private synchronized @Nullable Received received() {
    return received;
  }

  /** Opens the file and begins the other parts. */
  private synchronized FileSink begin(FileFacts facts, long length) throws FerryException {
    steps.requireOpen();
    answered = true;
    long size = facts.size();
    if (length != Math.min(LEAST_PART, size)) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": the server sends " + length + " bytes as its first part");
    }
    LocalFileSink file = LocalFileSink.create(target, options.sink());
    received = new Received(file, facts);
    file.expect(size);
    Digest.Algorithm algorithm = options.digest();
    if (algorithm != null) {
      steps.begin(() -> requestDigest(algorithm, facts));
    }
    int parts = (int) Math.max(1, Math.min(streams, size / LEAST_PART));
    long each = (size - length) / parts;
    for (int i = 0; i < parts && length < size; i++) {
      long from = length + i * each;
      long to = i == parts - 1 ? size : from + each;
      PartRequest part = new PartRequest(from, to - from, facts.version());
      if (i == 0) {
        second = part;
      } else {
        steps.begin(() -> nextStream(part));
      }
    }
    return file.part(0, length);
  }

  private synchronized FileSink beginWhole() throws FerryException {
    steps.requireOpen();
    answered = true;
    return LocalFileSink.create(target, options.sink());
  }

  private void requestDigest(Digest.Algorithm algorithm, FileFacts remote) throws FerryException {
    FileFacts facts = first.stat(path, algorithm);
    if (!Objects.equals(facts.version(), remote.version())) {
      throw changed(null);
    }
    Digest stated = facts.digest(algorithm) == null ? facts.sha256() : facts.digest(algorithm);
    if (stated == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": the server gives no digest to verify; request the file without verifying");
    }
    synchronized (this) {
      digest = stated;
    }
  }

  private synchronized Transfer result() throws FerryException {
    Transfer transfer = Objects.requireNonNull(firstTransfer);
    if (received == null) {
      return transfer;
    }
    FileFacts facts = received.file().commit(received.facts().size(), digest);
    return new Transfer(facts, wireBytes, transfer.protocol(), transfer.encoding());
  }

  /** Ends what still runs, and deletes the file unless it is complete. */
  private void stop() {
    steps.end();
    List<Carrier> carriers;
    synchronized (this) {
      carriers = List.copyOf(connected);
    }
    try (steps) {
      // Some clients end a call only when they are closed.
      carriers.forEach(Carrier::close);
    }
    Received left = received();
    try {
      if (left != null) {
        left.file().close();
      }
    } catch (FerryException e) {
      // The original failure is reported instead. The next start deletes the leftover file.
      return;
    }
  }

  private final class FirstPart implements PartReceiver {
    @Override
    public FileSink part(FileFacts facts, long length) throws FerryException {
      return begin(facts, length);
    }

    @Override
    public FileSink whole() throws FerryException {
      return beginWhole();
    }
  }

  private final class NextPart implements PartReceiver {
    private final PartRequest part;

    NextPart(PartRequest part) {
      this.part = part;
    }

    @Override
    public FileSink part(FileFacts facts, long length) throws FerryException {
      Received whole = received();
      if (whole == null || length != part.length()) {
        throw changed(null);
      }
      return whole.file().part(part.offset(), length);
    }

    @Override
    public FileSink whole() throws FerryException {
      throw changed(null);
    }
  }

  /** Adds the progress of a part to that of the file. */
  private final class PartProgress implements Progress {
    private long before;

    @Override
    public void update(long now, long total) {
      synchronized (ParallelDownload.this) {
        if (received == null) {
          report.update(now, total);
        } else {
          done += now - before;
          before = now;
          report.update(done, received.facts().size());
        }
      }
    }
  }
}
