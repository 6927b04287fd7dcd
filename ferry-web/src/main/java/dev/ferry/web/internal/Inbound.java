package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.TextDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Processes the body of a request. Buffers arrive on an event loop, which decodes base64. Messages
 * are delivered on another executor, as many as were requested. Only a limited number of bytes is
 * read ahead. Thread-safe.
 */
final class Inbound {
  /** Receives the parts of a body in order. Not called after the end or a failure. */
  interface Target {
    /** Called with a message, which the target closes. */
    void message(Deframer.Frame frame);

    /** Called at the end of a valid body. */
    void ended();

    /** Called if the body is invalid or truncated. */
    void failed(Throwable failure);
  }

  /** Maximum number of bytes that may wait for a busy target. */
  private static final long AHEAD = 512L * 1024;

  /**
   * Minimum number of bytes to account for a buffer. Even a small buffer may retain a whole read
   * buffer.
   */
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
   * Creates the receiving side of a body.
   *
   * @param text decodes base64; null if the body is binary
   * @param executor runs one task at a time
   * @param resume allows more buffers to arrive; runs on any thread
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

  /** Requests more messages. */
  void request(int messages) {
    credit.addAndGet(messages);
    proceed();
  }

  /**
   * Stops the delivery. Buffers that still arrive are released. If the connection were closed
   * instead, a peer that is sending might not read the response.
   */
  void close() {
    over = true;
    proceed();
  }

  /** Returns whether the peer has to send next. */
  boolean isWaiting() {
    return !endSeen && !over && failure == null && !paused.get();
  }

  /**
   * Adds the next buffer and takes ownership of it. Call on the event loop.
   *
   * @return whether more may arrive before {@code resume} is called
   */
  boolean add(ByteBuf buffer) {
    if (over || failure != null || !buffer.isReadable()) {
      buffer.release();
      return true;
    }
    ByteBuf plain = plain(buffer);
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
    // The target may have consumed waiting buffers concurrently.
    return cost.get() < AHEAD && paused.compareAndSet(true, false);
  }

  private @Nullable ByteBuf plain(ByteBuf buffer) {
    TextDecoder decoder = text;
    if (decoder == null) {
      return buffer;
    }
    ByteBuf plain = allocator.directBuffer(TextDecoder.bound(buffer.readableBytes()));
    try {
      decoder.decode(buffer, plain);
      return plain;
    } catch (FerryException e) {
      plain.release();
      fail(e);
      return null;
    } finally {
      buffer.release();
    }
  }

  private static long costOf(ByteBuf buffer) {
    return Math.max(buffer.readableBytes(), MIN_COST);
  }

  /** Ends the body. Call on the event loop. */
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

  /** Fails the body, which will not be complete. */
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
        // Catches errors too, for instance if direct memory is exhausted. Otherwise the stream
        // would never end.
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

  /** Returns whether more parts may be available. */
  private boolean takeOne() throws FerryException {
    if (credit.get() > 0) {
      Deframer.Frame frame = deframer.next();
      if (frame != null) {
        credit.decrementAndGet();
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
    ByteBuf buffer = (ByteBuf) next;
    uncount(costOf(buffer));
    deframer.add(buffer);
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
      if (rest instanceof ByteBuf buffer) {
        buffer.release();
      }
    }
    deframer.close();
    resumeIfPaused();
  }
}
