package dev.ferry.grpc.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.message.ChunkWriter;
import dev.ferry.wire.internal.v1.FilePart;
import io.grpc.stub.StreamObserver;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a stream to a file: what an upload on a server and a download on a client
 * have in common.
 *
 * <p>Exactly one of {@link #commit} and {@link #abort} takes effect: the first call wins. Both may
 * be called from any thread. {@link #onNext} must be called by one thread at a time. Neither {@code
 * commit} nor {@code abort} takes effect while it writes.
 */
abstract class FileReceiver implements StreamObserver<ChunkMessage> {
  /** Opens the file when its facts arrive. */
  @FunctionalInterface
  interface SinkOpener {
    Opened open(FilePart first) throws FerryException;
  }

  /**
   * A file to write.
   *
   * @param sumsWrites whether the sink computes the expected digest while it writes
   */
  record Opened(FileSink sink, boolean sumsWrites) {}

  private record Open(FileSink sink, ChunkWriter writer) {}

  private final ChunkFormat format;
  private final SinkOpener opener;
  private final LongSupplier arrived;
  private final Progress progress;
  private volatile long expectedSize = -1;
  private volatile @Nullable Digest digest;

  /** Whether the first message said that the last one will have a digest. */
  private volatile boolean digestFollows;

  private volatile boolean sumsWrites;
  private @Nullable Open open;
  private volatile @Nullable FerryException failure;
  private boolean over;

  /**
   * @param arrived the message bytes of the stream received so far, as encoded; 0 if the transport
   *     does not count them
   */
  FileReceiver(ChunkFormat format, SinkOpener opener, LongSupplier arrived, Progress progress) {
    this.format = format;
    this.opener = opener;
    this.arrived = arrived;
    this.progress = progress;
  }

  /**
   * Returns the bytes that will come, of the file or a part of it; -1 if they are not announced.
   */
  long expectedSize(FilePart first) {
    return first.getFacts().hasSize() ? first.getFacts().getSize() : -1;
  }

  /** A message was processed, and another may be requested. Called on any thread. */
  abstract void taken();

  /**
   * The file cannot be written. Further messages are released without effect and {@link #commit}
   * throws, because the end of the stream may be processed before the failure is. Called on any
   * thread.
   */
  abstract void failed(FerryException failure);

  /** Returns why the file cannot be written; null if it can. */
  final @Nullable FerryException failure() {
    return failure;
  }

  /** Takes ownership of a message. */
  @Override
  public final void onNext(ChunkMessage message) {
    if (failure != null) {
      // Without the lock, for which an abort may wait for a write.
      message.release();
      return;
    }
    try {
      accept(message);
    } catch (FerryException e) {
      failed(e);
    }
  }

  private synchronized void accept(ChunkMessage message) throws FerryException {
    if (over || failure != null) {
      message.release();
      return;
    }
    try {
      take(message);
    } catch (FerryException e) {
      failure = e;
      throw e;
    } catch (RuntimeException | Error e) {
      // Netty throws OutOfMemoryError if direct memory is exhausted, and the receiver of the bytes
      // may throw anything. Only the stream must fail, not the thread; and not as grpc-java has it
      // fail, which looks like a lost connection.
      FerryException reason =
          new FerryException(ErrorKind.INTERNAL, "a message cannot be taken: " + e, e);
      failure = reason;
      throw reason;
    }
  }

  private void take(ChunkMessage message) throws FerryException {
    FilePart header = format.header(message, open == null);
    if (header == null) {
      write(message);
      return;
    }
    if (header.hasFacts() && open == null) {
      begin(header);
      taken();
    } else if (header.hasEnd() && open == null) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "an end came before the facts");
    } else {
      later(header);
    }
  }

  /** Processes a message that may follow the facts. */
  private void later(FilePart header) throws FerryException {
    if (header.hasFacts()) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "facts came twice");
    }
    if (!header.hasEnd()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "a message has none of facts, chunk and end");
    }
    Digest announced = Facts.digest(header.getEnd());
    digest = announced == null ? digest : announced;
    taken();
  }

  private void begin(FilePart first) throws FerryException {
    FileFacts facts = Facts.fromMessage(first.getFacts());
    expectedSize = expectedSize(first);
    digest = facts.sha256() != null ? facts.sha256() : facts.crc32c();
    Opened opened = opener.open(first);
    digestFollows = first.getOptions().getDigestFollows();
    sumsWrites = opened.sumsWrites();
    FileSink sink = opened.sink();
    open = new Open(sink, format.writer(sink, new Arrivals(sink)));
    if (expectedSize >= 0) {
      sink.expect(expectedSize);
    }
    progress.update(0, expectedSize);
  }

  private void write(ChunkMessage message) throws FerryException {
    Open current = open;
    if (current == null) {
      message.release();
      throw new FerryException(ErrorKind.INVALID_REQUEST, "a chunk came before the facts");
    }
    if (current.writer().write(message)) {
      taken(current.sink(), current.writer().bytes());
    }
  }

  private void taken(FileSink sink, long bytes) throws FerryException {
    sink.checkExpansion(arrived.getAsLong());
    progress.update(bytes, expectedSize);
    taken();
  }

  /**
   * Receives what the writer processes later. Its methods do not take the lock of this receiver,
   * because {@link #abort} holds the lock while it waits.
   */
  private final class Arrivals implements ChunkWriter.Arrivals {
    private final FileSink sink;

    Arrivals(FileSink sink) {
      this.sink = sink;
    }

    @Override
    public void taken(long bytes) throws FerryException {
      FileReceiver.this.taken(sink, bytes);
    }

    @Override
    public void header(FilePart part) throws FerryException {
      later(part);
    }

    @Override
    public void failed(FerryException reason) {
      failure = reason;
      FileReceiver.this.failed(reason);
    }
  }

  /**
   * Waits until all messages are processed. The stream must have ended.
   *
   * @return the digest that came with the file, which {@link #commit} can check; null if none came
   */
  final @Nullable Digest awaitDigest() throws FerryException {
    Open current;
    synchronized (this) {
      current = open;
    }
    if (current != null) {
      current.writer().flush();
    }
    return digest;
  }

  /**
   * Returns whether {@link #commit} may take long, because the file is read for its digest or
   * forced to the disk, or because messages are still being decompressed.
   */
  final synchronized boolean isCommitSlow() {
    Digest announced = digest;
    boolean read =
        announced != null && !(sumsWrites && announced.algorithm() == Digest.Algorithm.CRC32C);
    return read || (open != null && (open.sink().commitsSlowly() || open.writer().busy()));
  }

  /**
   * Writes the remaining data, checks the file, and then renames or discards it. As soon as this
   * method has begun, {@link #abort} has no effect and does not wait, because checking a digest
   * takes time in proportion to the file size.
   *
   * @param verify whether to check a digest that came with the file
   * @throws FerryException with {@link ErrorKind#CANCELLED} if the transfer was aborted before;
   *     with the failure of a message if a message could not be processed
   */
  final FileFacts commit(boolean verify) throws FerryException {
    Open received = end();
    try {
      received.writer().flush();
      if (digestFollows && digest == null) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST, "the stream ended without the digest that it announced");
      }
      Digest expected = verify ? digest : null;
      return received.sink().commit(expectedSize, expected).withDigest(expected);
    } finally {
      discard(received);
    }
  }

  private synchronized Open end() throws FerryException {
    if (over) {
      throw new FerryException(ErrorKind.CANCELLED, "the transfer was cancelled");
    }
    FerryException reason = failure;
    if (reason != null) {
      throw reason;
    }
    over = true;
    Open received = open;
    open = null;
    if (received == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, "the stream ended before the facts");
    }
    return received;
  }

  /** Discards the received data unless a commit has begun. */
  final synchronized void abort() {
    over = true;
    Open received = open;
    open = null;
    if (received != null) {
      discard(received);
    }
  }

  private static void discard(Open received) {
    received.writer().close();
    try {
      received.sink().close();
    } catch (FerryException e) {
      // The original failure is reported instead. The next start deletes the leftover file.
      return;
    }
  }
}
