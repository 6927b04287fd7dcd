package dev.ferry.grpc.internal.message;

import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has workers decompress received messages, several at once, and writes them in the order they
 * came.
 *
 * <p>In order, although the place of a well-behaved message is known before it is decompressed:
 * whoever finishes the next one writes it, and all that are ready behind it, with one call, while
 * the others go on decompressing. Nothing is then believed about a message that was not checked,
 * and small ones are gathered. Messages that are not compressed take their turn like the others.
 * Thread-safe.
 */
final class DecompressingWriter implements ChunkCodec.ChunkWriter<ZeroCopyMessage> {
  /**
   * Decompressed bytes of messages at work or waiting for their turn, at most, beside one message.
   */
  private static final long BYTES_AT_WORK = 2 * 1024 * 1024;

  /**
   * Bytes in the line, as they arrived, beyond which the call's thread waits, as it does where it
   * writes to the disk itself. Honest streams do not get there unless the disk is slow; there may
   * be messages of {@link Limits#MAX_MESSAGE} bytes each under way.
   */
  private static final long BYTES_IN_LINE = 8 * 1024 * 1024;

  /**
   * Decompressed bytes that a worker takes at once: small messages share the cost of the taking.
   */
  private static final int WORK_BYTES = 64 * 1024;

  private enum State {
    WAITING,
    DECOMPRESSING,
    READY
  }

  /** A message in the line; its fields are the writer's to guard. */
  private static final class Slot {
    final ZeroCopyMessage message;
    State state;
    @Nullable Piece piece;
    @Nullable FilePart header;

    Slot(ZeroCopyMessage message) {
      this.message = message;
      this.state =
          message instanceof ZeroCopyMessage.CompressedIncoming ? State.WAITING : State.READY;
    }

    long cost() {
      return message instanceof ZeroCopyMessage.CompressedIncoming compressed
          ? Math.max(compressed.statedLength(), compressed.detached().length())
          : 0;
    }

    /** Bytes as they arrived. */
    long size() {
      return message instanceof ZeroCopyMessage.CompressedIncoming compressed
          ? compressed.detached().length()
          : message instanceof Piece plain ? plain.length() : 0;
    }

    void release() {
      if (piece != null) {
        piece.release();
      } else if (state != State.DECOMPRESSING) {
        // Whoever decompresses it releases it.
        message.release();
      }
    }
  }

  private final GatheringWriter writer;
  private final MessageDecompressor decompressor;
  private final CompressionWorkers workers;
  private final ChunkCodec.Arrivals arrivals;

  /** What came and is not written, in order. */
  private final Deque<Slot> line = new ArrayDeque<>();

  /** Those of the line that wait for a worker. */
  private final Deque<Slot> waiting = new ArrayDeque<>();

  private long bytesInLine;
  private long bytesAtWork;
  private int working;
  private boolean writing;
  private boolean closed;
  private @Nullable FerryException failure;

  DecompressingWriter(
      GatheringWriter writer,
      MessageDecompressor decompressor,
      CompressionWorkers workers,
      ChunkCodec.Arrivals arrivals) {
    this.writer = writer;
    this.decompressor = decompressor;
    this.workers = workers;
    this.arrivals = arrivals;
  }

  @Override
  public synchronized boolean write(ZeroCopyMessage message) throws FerryException {
    Slot slot = new Slot(message);
    awaitRoom();
    if (failure != null || closed) {
      slot.release();
      throw failure == null ? cancelled() : failure;
    }
    if (slot.state == State.READY && line.isEmpty() && !writing) {
      return writer.write(message);
    }
    line.add(slot);
    bytesInLine += slot.size();
    if (slot.state == State.WAITING) {
      waiting.add(slot);
      if (working < workers.threads() && mayWork()) {
        workers.execute(this::work);
        working++;
      }
    }
    return false;
  }

  private synchronized void awaitRoom() {
    boolean interrupted = false;
    while (goesOn() && bytesInLine >= BYTES_IN_LINE) {
      try {
        wait();
      } catch (InterruptedException e) {
        // Workers make room in any case; who interrupted will find out from the call.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean mayWork() {
    Slot next = waiting.peek();
    return next != null && (bytesAtWork == 0 || bytesAtWork + next.cost() <= BYTES_AT_WORK);
  }

  /**
   * A worker's part: decompresses what waits and writes what is ready, until there is no more to do
   * here or others wait: one long stream must not keep the workers from all others.
   */
  private void work() {
    for (List<Slot> taken = take(); !taken.isEmpty(); taken = take()) {
      taken.forEach(this::decompress);
      writeWhatIsReady();
      if (workers.areBusy() && isContinuedLater()) {
        return;
      }
    }
  }

  private boolean isContinuedLater() {
    try {
      workers.execute(this::work);
      return true;
    } catch (FerryException e) {
      // The workers are closing: this one finishes what it began.
      return false;
    }
  }

  private synchronized List<Slot> take() {
    List<Slot> taken = new ArrayList<>();
    for (long cost = 0; cost < WORK_BYTES && goesOn() && mayWork(); ) {
      Slot slot = waiting.remove();
      slot.state = State.DECOMPRESSING;
      bytesAtWork += slot.cost();
      cost += slot.cost();
      taken.add(slot);
    }
    if (taken.isEmpty()) {
      working--;
    }
    return taken;
  }

  private boolean goesOn() {
    return !closed && failure == null;
  }

  private void decompress(Slot slot) {
    MessageDecompressor.Decompressed decompressed = null;
    try {
      decompressed = decompressor.decompress((ZeroCopyMessage.CompressedIncoming) slot.message);
    } catch (FerryException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      // An Error too, for instance no direct memory: the stream must end and not wait for ever.
      fail(new FerryException(ErrorKind.INTERNAL, "decompressing failed: " + e, e));
    } finally {
      slot.message.release();
    }
    synchronized (this) {
      slot.state = State.READY;
      if (decompressed instanceof MessageDecompressor.Decompressed.Chunk chunk) {
        slot.piece = chunk.piece();
      } else if (decompressed instanceof MessageDecompressor.Decompressed.Header header) {
        slot.header = header.part();
      }
      if (closed) {
        slot.release();
      }
    }
  }

  /** Writes from the head of the line while it is ready, unless another thread does so already. */
  private void writeWhatIsReady() {
    synchronized (this) {
      if (writing) {
        return;
      }
      writing = true;
    }
    try {
      for (Slot slot = nextReady(); slot != null; slot = nextReady()) {
        write(slot);
      }
    } catch (FerryException e) {
      failWriting(e);
    } catch (RuntimeException | Error e) {
      failWriting(new FerryException(ErrorKind.INTERNAL, "writing failed: " + e, e));
    }
  }

  /** Takes the head of the line if it is ready; null ends the caller's turn. */
  private synchronized @Nullable Slot nextReady() {
    Slot head = line.peek();
    if (head != null && head.state == State.READY && goesOn()) {
      return line.remove();
    }
    stopWriting();
    return null;
  }

  private synchronized void stopWriting() {
    writing = false;
    notifyAll();
  }

  private void write(Slot slot) throws FerryException {
    if (slot.piece != null) {
      writer.write(slot.piece);
    } else if (slot.header == null) {
      writer.write(slot.message);
    }
    synchronized (this) {
      bytesAtWork -= slot.cost();
      bytesInLine -= slot.size();
      notifyAll();
    }
    if (slot.header != null) {
      arrivals.header(slot.header);
    } else {
      arrivals.taken(writer.bytes());
    }
  }

  private void fail(FerryException e) {
    if (noted(e)) {
      arrivals.failed(e);
    }
  }

  /** At once, so that nobody finds the writing ended and does not find why. */
  private void failWriting(FerryException e) {
    boolean first;
    synchronized (this) {
      first = noted(e);
      stopWriting();
    }
    if (first) {
      arrivals.failed(e);
    }
  }

  private synchronized boolean noted(FerryException e) {
    if (!goesOn()) {
      return false;
    }
    failure = e;
    notifyAll();
    return true;
  }

  private static FerryException cancelled() {
    return new FerryException(ErrorKind.CANCELLED, "the transfer was cancelled");
  }

  @Override
  public long bytes() {
    return writer.bytes();
  }

  @Override
  public synchronized boolean busy() {
    return writing || !line.isEmpty();
  }

  @Override
  public void flush() throws FerryException {
    awaitWritten();
    writer.flush();
  }

  private synchronized void awaitWritten() throws FerryException {
    try {
      while (goesOn() && busy()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cancelled();
    }
    if (!goesOn()) {
      throw failure == null ? cancelled() : failure;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
    boolean interrupted = false;
    while (writing) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The buffers that are being written cannot be released before.
        interrupted = true;
      }
    }
    line.forEach(Slot::release);
    line.clear();
    waiting.clear();
    writer.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
