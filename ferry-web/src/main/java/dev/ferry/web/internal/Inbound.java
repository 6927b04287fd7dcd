package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.TextDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way in: pieces come on an event loop, where base64 is undone, and messages are
 * given out on another executor, as many as were asked for. Beside them little is read ahead.
 * Thread-safe.
 */
final class Inbound {
  /** Who takes what comes; called in order, and not after the end or a failure. */
  interface Target {
    /** The head of a response. */
    default void head(HttpResponse response) throws FerryException {}

    /** The trailers of HTTP, if there are any. */
    default void trailers(HttpHeaders fields) throws FerryException {}

    /** A message, which the target closes. */
    void message(Deframer.Frame frame) throws FerryException;

    /** The body has ended and all of it was sound. */
    void ended() throws FerryException;

    /** The body is not sound, or ends before its end. */
    void failed(Throwable failure);
  }

  /** Bytes that may wait for a target which is busy. */
  private static final long AHEAD = 512L * 1024;

  /** What a piece counts for at least: however small, it may keep a whole read buffer. */
  private static final int MIN_COST = 8 * 1024;

  private static final Object END = new Object();

  private final Deframer deframer;
  private final @Nullable TextDecoder text;
  private final ByteBufAllocator allocator;
  private final Executor executor;
  private final Runnable resume;
  private final Target target;
  private final Queue<Object> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong cost = new AtomicLong();
  private final AtomicLong credit = new AtomicLong();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicBoolean paused = new AtomicBoolean();
  private volatile boolean endSeen;
  private volatile @Nullable Throwable failure;
  private volatile boolean over;

  /**
   * Creates a way in.
   *
   * @param text undoes base64; null if the body is plain
   * @param executor one task at a time
   * @param resume lets more pieces come, on any thread
   */
  Inbound(
      Deframer deframer,
      @Nullable TextDecoder text,
      ByteBufAllocator allocator,
      Executor executor,
      Runnable resume,
      Target target) {
    this.deframer = deframer;
    this.text = text;
    this.allocator = allocator;
    this.executor = executor;
    this.resume = resume;
    this.target = target;
  }

  /** Asks for more messages. */
  void request(int messages) {
    credit.addAndGet(messages);
    proceed();
  }

  /**
   * Takes nothing more. What still comes is released: cut off, a peer that is sending would not
   * listen to the answer.
   */
  void close() {
    over = true;
    proceed();
  }

  /** Whether it is the peer that has to send something now. */
  boolean isWaiting() {
    return !endSeen && !over && failure == null && !paused.get();
  }

  /** Takes the head of a response; on the event loop. */
  void head(HttpResponse response) {
    waiting.add(response);
    proceed();
  }

  /** Takes the trailers of HTTP; on the event loop. */
  void trailers(HttpHeaders fields) {
    waiting.add(fields);
    proceed();
  }

  /**
   * Takes a piece over; on the event loop.
   *
   * @return whether more may come before {@code resume} is called
   */
  boolean add(ByteBuf piece) {
    if (over || failure != null || !piece.isReadable()) {
      piece.release();
      return true;
    }
    ByteBuf plain = plain(piece);
    if (plain == null) {
      return true;
    }
    cost.addAndGet(costOf(plain));
    waiting.add(plain);
    proceed();
    if (cost.get() < AHEAD) {
      return true;
    }
    paused.set(true);
    // What waits may have been taken meanwhile.
    return cost.get() < AHEAD && paused.compareAndSet(true, false);
  }

  private @Nullable ByteBuf plain(ByteBuf piece) {
    TextDecoder decoder = text;
    if (decoder == null) {
      return piece;
    }
    ByteBuf plain = allocator.directBuffer(TextDecoder.bound(piece.readableBytes()));
    try {
      decoder.decode(piece, plain);
      return plain;
    } catch (FerryException e) {
      plain.release();
      fail(e);
      return null;
    } finally {
      piece.release();
    }
  }

  private static long costOf(ByteBuf piece) {
    return Math.max(piece.readableBytes(), MIN_COST);
  }

  /** The body has ended; on the event loop. */
  void end() {
    endSeen = true;
    try {
      if (text != null) {
        text.end();
      }
      if (failure == null) {
        waiting.add(END);
        proceed();
      }
    } catch (FerryException e) {
      fail(e);
    }
  }

  /** The body will never be whole. */
  void fail(Throwable cause) {
    failure = cause;
    proceed();
  }

  private void proceed() {
    if (calls.getAndIncrement() == 0) {
      executor.execute(this::run);
    }
  }

  private void run() {
    int seen = calls.get();
    do {
      try {
        take();
      } catch (FerryException | RuntimeException | Error e) {
        // An error too, for instance no direct memory: the stream must end and not wait for ever.
        end(e);
      }
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  private void take() throws FerryException {
    while (!over && takeOne()) {}
    Throwable cause = failure;
    if (!over && cause != null) {
      end(cause);
    }
    if (over) {
      release();
    }
  }

  /** Whether there may be more to take. */
  private boolean takeOne() throws FerryException {
    if (credit.get() > 0) {
      Deframer.Frame frame = deframer.next();
      if (frame != null) {
        credit.addAndGet(frame.isTrailers() ? 0 : -1);
        target.message(frame);
        return true;
      }
    } else if (deframer.held() > 0) {
      return false;
    }
    Object next = waiting.poll();
    if (next == null) {
      return false;
    }
    if (next == END) {
      deframer.end();
      over = true;
      target.ended();
      return false;
    }
    if (next instanceof HttpResponse response) {
      target.head(response);
    } else if (next instanceof HttpHeaders fields) {
      target.trailers(fields);
    } else {
      ByteBuf piece = (ByteBuf) next;
      uncount(costOf(piece));
      deframer.add(piece);
    }
    return true;
  }

  private void uncount(long bytes) {
    if (cost.addAndGet(-bytes) < AHEAD) {
      resumeIfPaused();
    }
  }

  private void resumeIfPaused() {
    if (paused.compareAndSet(true, false)) {
      resume.run();
    }
  }

  private void end(Throwable cause) {
    if (!over) {
      over = true;
      target.failed(cause);
    }
    release();
  }

  private void release() {
    for (Object rest = waiting.poll(); rest != null; rest = waiting.poll()) {
      if (rest instanceof ByteBuf piece) {
        piece.release();
      }
    }
    deframer.close();
    resumeIfPaused();
  }
}
