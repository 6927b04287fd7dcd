package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.Sha256;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.grpc.internal.message.ChunkCodec;
import dev.ferry.grpc.internal.message.ChunkCodec.ChunkWriter;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages of a stream to a file. Both a server's upload and a client's download are
 * this.
 *
 * <p>Exactly one of {@link #commit} and {@link #abort} takes effect, whichever comes first, from
 * any thread; {@link #accept} is for one thread at a time, and neither runs during it.
 */
final class FileReceiver<M> {
  /** Opens the file when its facts arrive. */
  @FunctionalInterface
  interface SinkOpener {
    FileSink open(FilePart first) throws FerryException;
  }

  /** Who is told of the stream's progress; on any thread. */
  interface Flow {
    /** A message was dealt with, so another may come. */
    void taken();

    /** The file cannot be written, as was found out beside {@link #accept}; heard at most once. */
    void failed(FerryException failure);
  }

  private record Open<M>(FileSink sink, ChunkWriter<M> writer) {}

  private final ChunkCodec<M> form;
  private final SinkOpener opener;
  private final LongSupplier arrived;
  private final Progress progress;
  private final Flow flow;
  private volatile long expectedSize = -1;
  private volatile @Nullable Sha256 digest;
  private @Nullable Open<M> open;
  private @Nullable FerryException failure;
  private boolean over;

  /**
   * @param arrived bytes of the stream's messages so far, as they were sent; 0 where nobody knows
   */
  FileReceiver(
      ChunkCodec<M> form, SinkOpener opener, LongSupplier arrived, Progress progress, Flow flow) {
    this.form = form;
    this.opener = opener;
    this.arrived = arrived;
    this.progress = progress;
    this.flow = flow;
  }

  /**
   * Takes a message over. After a failure {@link #abort} is due: messages are refused, and so is
   * {@link #commit}, since the stream's orderly end may overtake what is made of the failure.
   */
  synchronized void accept(M message) throws FerryException {
    if (over || failure != null) {
      form.release(message);
      return;
    }
    try {
      take(message);
    } catch (FerryException e) {
      failure = e;
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // Netty's error, too, for too little direct memory: the stream must end and not the thread.
      failure = new FerryException(ErrorKind.INTERNAL, "a message cannot be taken: " + e, e);
      throw failure;
    }
  }

  private void take(M message) throws FerryException {
    FilePart header = form.header(message, open == null);
    if (header == null) {
      write(message);
      return;
    }
    if (header.hasFacts() && open == null) {
      begin(header);
      flow.taken();
    } else {
      later(header);
    }
  }

  /** Takes what may come behind the facts. */
  private void later(FilePart header) throws FerryException {
    if (header.hasFacts()) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "facts came twice");
    }
    if (!header.hasEnd()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "a message has none of facts, chunk and end");
    }
    Sha256 announced = Facts.digest(header.getEnd().getSha256());
    digest = announced == null ? digest : announced;
    flow.taken();
  }

  private void begin(FilePart first) throws FerryException {
    FileFacts facts = Facts.fromMessage(first.getFacts());
    if (facts.size() < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "size " + Long.toUnsignedString(facts.size()) + " is over 2^63 - 1");
    }
    expectedSize = first.getFacts().hasSize() ? facts.size() : -1;
    digest = facts.sha256();
    FileSink sink = opener.open(first);
    open = new Open<>(sink, form.writer(sink, new Arrivals(sink)));
    if (expectedSize >= 0) {
      sink.expect(expectedSize);
    }
    progress.update(0, expectedSize);
  }

  private void write(M message) throws FerryException {
    Open<M> current = open;
    if (current == null) {
      form.release(message);
      throw new FerryException(ErrorKind.INVALID_REQUEST, "a chunk came before the facts");
    }
    if (current.writer().write(message)) {
      taken(current.sink(), current.writer().bytes());
    }
  }

  private void taken(FileSink sink, long bytes) throws FerryException {
    sink.checkExpansion(arrived.getAsLong());
    progress.update(bytes, expectedSize);
    flow.taken();
  }

  /** What the writer deals with later, without this receiver's lock, which {@link #abort} holds. */
  private final class Arrivals implements ChunkCodec.Arrivals {
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
    public void failed(FerryException failure) {
      flow.failed(failure);
    }
  }

  /**
   * Waits until all messages are dealt with; the stream has ended.
   *
   * @return whether a digest came with the file, which {@link #commit} would check
   */
  boolean awaitDigest() throws FerryException {
    Open<M> current;
    synchronized (this) {
      current = open;
    }
    if (current != null) {
      current.writer().flush();
    }
    return digest != null;
  }

  /**
   * Whether {@link #commit} takes its time: for a digest, or for what is still being decompressed.
   */
  synchronized boolean isCommitSlow() {
    return digest != null || (open != null && open.writer().busy());
  }

  /**
   * Ends the file: everything is written, checked and renamed, or discarded. From its first moment
   * an {@link #abort} comes too late, and does not wait: checking a digest takes as long as a file
   * is.
   *
   * @param verify whether a digest that came with the file is checked
   * @throws FerryException with {@link ErrorKind#CANCELLED} if the transfer was aborted before; the
   *     failure of a message that was not taken
   */
  FileFacts commit(boolean verify) throws FerryException {
    Open<M> received = end();
    try {
      received.writer().flush();
      return received.sink().commit(expectedSize, verify ? digest : null);
    } finally {
      discard(received);
    }
  }

  private synchronized Open<M> end() throws FerryException {
    if (over) {
      throw new FerryException(ErrorKind.CANCELLED, "the transfer was cancelled");
    }
    if (failure != null) {
      throw failure;
    }
    over = true;
    Open<M> received = open;
    open = null;
    if (received == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, "the stream ended before the facts");
    }
    return received;
  }

  /** Discards what was received unless it is being committed. */
  synchronized void abort() {
    over = true;
    Open<M> received = open;
    open = null;
    if (received != null) {
      discard(received);
    }
  }

  private static void discard(Open<?> received) {
    received.writer().close();
    try {
      received.sink().close();
    } catch (FerryException e) {
      // The failure that led here is the one to tell; the leftover is swept at the next start.
      return;
    }
  }
}
