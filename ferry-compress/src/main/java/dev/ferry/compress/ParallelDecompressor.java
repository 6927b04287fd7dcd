package dev.ferry.compress;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has several threads decompress what was received, and writes the results in the order in which it
 * came. The thread that finishes the next result writes it, and all that are ready behind it, while
 * the others go on. So nothing is believed of data that was not checked, and a writer may gather
 * small results. What becomes larger than it said is decompressed in its turn, so that no more than
 * one such result is in memory. What needs no decompressing takes its turn like everything else.
 * Thread-safe.
 *
 * <p>What is added belongs to this object: it is given to {@link Steps#decompress} and {@link
 * Steps#write}, or released. A thread returns to the pool when others wait for it: one long stream
 * must not keep the threads from all others.
 *
 * @param <I> what is received, for instance a buffer
 * @param <O> what it is decompressed to
 * @param <X> what decompressing and writing fail with
 */
public final class ParallelDecompressor<I, O, X extends Exception> implements AutoCloseable {
  /** Decompressed bytes that a thread takes at once: small items share the cost of the taking. */
  private static final int BYTES_AT_ONCE = 64 * 1024;

  /**
   * What is done with each item, and what is said of the whole.
   *
   * @param <I> what is received
   * @param <O> what it is decompressed to
   * @param <X> what decompressing and writing fail with
   */
  public interface Steps<I, O, X extends Exception> {
    /**
     * Decompresses an item, and releases it whether that succeeds or not; by several threads.
     *
     * @param inTurn whether the result is written next
     * @return null if the item becomes larger than it said; it is then not released, and given to
     *     this method again in its turn, when there must be a result
     */
    @Nullable O decompress(I item, boolean inTurn) throws X;

    /** Takes a result over, whether it succeeds or not; one at a time, in order. */
    void write(O result) throws X;

    /** A result of the line was written; called next after that, and not during a write. */
    default void written(O result) throws X {}

    /** Gives back an item that will not be decompressed. */
    void discard(I item);

    /** Gives back a result that will not be written. */
    void release(O result);

    /** A step failed, so that nothing more is written. Called once at most. */
    void failed(X failure);

    /** What is thrown if a step breaks down. */
    X broken(String what, Throwable cause);

    /** What is thrown after {@link #close}. */
    X closed();
  }

  private enum State {
    WAITING,
    DECOMPRESSING,
    /** It became larger than it said. */
    LARGE,
    READY
  }

  /** An item in the line; its fields are guarded by the decompressor. */
  private final class Slot {
    final @Nullable I item;
    final long decompressedBytes;
    final long receivedBytes;
    State state;
    @Nullable O result;

    Slot(@Nullable I item, @Nullable O result, long decompressedBytes, long receivedBytes) {
      this.item = item;
      this.result = result;
      this.decompressedBytes = decompressedBytes;
      this.receivedBytes = receivedBytes;
      this.state = item == null ? State.READY : State.WAITING;
    }

    void release() {
      if (result != null) {
        steps.release(result);
        result = null;
      } else if ((state == State.WAITING || state == State.LARGE) && item != null) {
        state = State.READY;
        steps.discard(item);
      }
    }
  }

  private final CompressionThreads<X> threads;
  private final Steps<I, O, X> steps;
  private final long maxBytesAtWork;
  private final long maxBytesInLine;

  /** What came and is not written, in order. */
  private final Deque<Slot> line = new ArrayDeque<>();

  /** Those of the line that wait for a thread. */
  private final Deque<Slot> waiting = new ArrayDeque<>();

  private long bytesInLine;
  private long bytesAtWork;
  private int working;
  private boolean writing;
  private boolean closed;
  private @Nullable X failure;

  /**
   * Begins with nothing in the line.
   *
   * @param maxBytesAtWork decompressed bytes that are being decompressed or wait for their turn at
   *     most, beside one item
   * @param maxBytesInLine received bytes in the line from which on {@link #add} waits
   */
  public ParallelDecompressor(
      CompressionThreads<X> threads,
      Steps<I, O, X> steps,
      long maxBytesAtWork,
      long maxBytesInLine) {
    this.threads = threads;
    this.steps = steps;
    this.maxBytesAtWork = maxBytesAtWork;
    this.maxBytesInLine = maxBytesInLine;
  }

  /**
   * Takes an item over, whether it succeeds or not; waits while the line is too long.
   *
   * @param decompressedBytes what it says it decompresses to, which need not be true
   * @param receivedBytes its own bytes
   * @throws X if a step has failed, or this is closed
   */
  public synchronized void add(I item, long decompressedBytes, long receivedBytes) throws X {
    Slot slot = new Slot(item, null, decompressedBytes, receivedBytes);
    queue(slot);
    waiting.add(slot);
    if (working < threads.threads() && mayWork()) {
      threads.execute(this::work);
      working++;
    }
  }

  /**
   * As {@link #add}, for what needs no decompressing.
   *
   * @return whether it was written at once, because the line was empty
   */
  public synchronized boolean addReady(O result, long receivedBytes) throws X {
    awaitRoom();
    if (goesOn() && line.isEmpty() && !writing) {
      steps.write(result);
      return true;
    }
    queue(new Slot(null, result, 0, receivedBytes));
    return false;
  }

  private void queue(Slot slot) throws X {
    awaitRoom();
    if (!goesOn()) {
      slot.release();
      throw reason();
    }
    line.add(slot);
    bytesInLine += slot.receivedBytes;
  }

  private void awaitRoom() {
    boolean interrupted = false;
    while (goesOn() && bytesInLine >= maxBytesInLine) {
      try {
        wait();
      } catch (InterruptedException e) {
        // The threads make room in any case; who interrupted finds out from the transfer.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean goesOn() {
    return !closed && failure == null;
  }

  private X reason() {
    return failure == null ? steps.closed() : failure;
  }

  private boolean mayWork() {
    Slot next = waiting.peek();
    return next != null
        && (bytesAtWork == 0 || bytesAtWork + next.decompressedBytes <= maxBytesAtWork);
  }

  /** A thread's part: it decompresses what waits, and writes what is ready. */
  private void work() {
    for (List<Slot> taken = take(); !taken.isEmpty(); taken = take()) {
      taken.forEach(this::decompress);
      writeWhatIsReady();
      if (threads.areBusy() && isContinuedLater()) {
        return;
      }
    }
  }

  private boolean isContinuedLater() {
    try {
      threads.execute(this::work);
      return true;
    } catch (Exception e) {
      // No more work is accepted: this thread finishes what it began.
      return false;
    }
  }

  private synchronized List<Slot> take() {
    List<Slot> taken = new ArrayList<>();
    for (long bytes = 0; bytes < BYTES_AT_ONCE && goesOn() && mayWork(); ) {
      Slot slot = waiting.remove();
      slot.state = State.DECOMPRESSING;
      bytesAtWork += slot.decompressedBytes;
      bytes += slot.decompressedBytes;
      taken.add(slot);
    }
    if (taken.isEmpty()) {
      working--;
    }
    return taken;
  }

  @SuppressWarnings("unchecked") // The steps throw no other checked exception.
  private void decompress(Slot slot) {
    O result = null;
    boolean large = false;
    try {
      result = steps.decompress(Objects.requireNonNull(slot.item), false);
      large = result == null;
    } catch (RuntimeException | Error e) {
      // An Error too, for instance no direct memory: the transfer must fail and not wait for ever.
      fail(steps.broken("decompressing failed: " + e, e), false);
    } catch (Exception e) {
      fail((X) e, false);
    }
    synchronized (this) {
      slot.state = large ? State.LARGE : State.READY;
      slot.result = result;
      if (closed) {
        slot.release();
      }
    }
  }

  /** Writes from the head of the line while it is ready, unless another thread does so already. */
  @SuppressWarnings("unchecked") // The steps throw no other checked exception.
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
    } catch (RuntimeException | Error e) {
      fail(steps.broken("writing failed: " + e, e), true);
    } catch (Exception e) {
      fail((X) e, true);
    }
  }

  /** Takes the head of the line if it is ready; null ends the caller's turn. */
  private synchronized @Nullable Slot nextReady() {
    Slot head = line.peek();
    boolean ready =
        head != null && (head.state == State.READY || head.state == State.LARGE) && goesOn();
    if (ready) {
      return line.remove();
    }
    stopWriting();
    return null;
  }

  private synchronized void stopWriting() {
    writing = false;
    notifyAll();
  }

  private void write(Slot slot) throws X {
    O result =
        Objects.requireNonNull(
            slot.state == State.LARGE
                ? steps.decompress(Objects.requireNonNull(slot.item), true)
                : slot.result);
    steps.write(result);
    synchronized (this) {
      bytesAtWork -= slot.decompressedBytes;
      bytesInLine -= slot.receivedBytes;
      notifyAll();
    }
    steps.written(result);
  }

  /** At once, so that nobody finds the writing stopped and does not find why. */
  private void fail(X reason, boolean wasWriting) {
    boolean first;
    synchronized (this) {
      first = goesOn();
      if (first) {
        failure = reason;
        notifyAll();
      }
      if (wasWriting) {
        stopWriting();
      }
    }
    if (first) {
      steps.failed(reason);
    }
  }

  /** Whether anything is being written or waits for it. */
  public synchronized boolean busy() {
    return writing || !line.isEmpty();
  }

  /**
   * Waits until everything is written.
   *
   * @throws X if a step fails, or this is closed
   * @throws InterruptedException if the thread is interrupted
   */
  public synchronized void awaitWritten() throws X, InterruptedException {
    while (goesOn() && busy()) {
      wait();
    }
    if (!goesOn()) {
      throw reason();
    }
  }

  /**
   * Releases what is not written, and waits for a write under way. After that no step is called but
   * {@link Steps#decompress}, whose result is released.
   */
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
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
