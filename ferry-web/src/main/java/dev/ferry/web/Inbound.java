package dev.ferry.web;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpObject;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * A body on its way in: pieces come on an event loop, where base64 is undone, and messages are
 * given out on another executor, as many as were asked for. Beside them little is read ahead.
 * Thread-safe.
 */
final class Inbound implements Subscriber<HttpObject> {
  /** Who takes what comes; called in order, and not after the end or a failure. */
  interface Target {
    /** A piece came, which holds what is given later; on the event loop. */
    default void arrived() {}

    /** The head of an answer, or its trailers. */
    void head(HttpHeaders fields) throws FerryException;

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

  private static final HttpHeaders END = HttpHeaders.of();

  private final Deframer deframer;
  private final @Nullable TextDecoder text;
  private final ByteBufAllocator allocator;
  private final Executor executor;
  private final Target target;
  private final Queue<Object> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong cost = new AtomicLong();
  private final AtomicLong credit = new AtomicLong();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicBoolean asked = new AtomicBoolean(true);
  private volatile @Nullable Subscription upstream;
  private volatile @Nullable Throwable failure;
  private volatile boolean over;

  /**
   * Creates a way in, which is to be subscribed to a body with pooled objects.
   *
   * @param text undoes base64; null where the body is plain
   * @param executor one task at a time
   */
  Inbound(
      Deframer deframer,
      @Nullable TextDecoder text,
      ByteBufAllocator allocator,
      Executor executor,
      Target target) {
    this.deframer = deframer;
    this.text = text;
    this.allocator = allocator;
    this.executor = executor;
    this.target = target;
  }

  /** Asks for more messages. */
  void request(int messages) {
    credit.addAndGet(messages);
    goOn();
  }

  /**
   * Takes nothing more. What comes is released until whoever gives it stops by itself: cut off, a
   * peer that is still sending would not listen to the answer.
   */
  void close() {
    over = true;
    goOn();
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    upstream = subscription;
    subscription.request(1);
  }

  @Override
  public void onNext(HttpObject object) {
    asked.set(false);
    target.arrived();
    if (object instanceof HttpData data) {
      add(data);
    } else {
      waiting.add(object);
    }
    goOn();
    if (cost.get() < AHEAD) {
      ask();
    }
  }

  private void add(HttpData data) {
    if (over) {
      data.close();
      ask();
      return;
    }
    ByteBuf piece = data.byteBuf();
    TextDecoder decoder = text;
    if (decoder != null) {
      try (data) {
        ByteBuf plain = allocator.directBuffer(TextDecoder.bound(piece.readableBytes()));
        piece = plain;
        decoder.decode(data.byteBuf(), plain);
      } catch (FerryException e) {
        piece.release();
        fail(e);
        return;
      }
    }
    cost.addAndGet(costOf(piece));
    waiting.add(piece);
  }

  private static long costOf(ByteBuf piece) {
    return Math.max(piece.readableBytes(), MIN_COST);
  }

  @Override
  public void onComplete() {
    try {
      if (text != null) {
        text.end();
      }
      if (failure == null) {
        waiting.add(END);
        goOn();
      }
    } catch (FerryException e) {
      fail(e);
    }
  }

  @Override
  public void onError(Throwable cause) {
    fail(cause);
  }

  private void fail(Throwable cause) {
    failure = cause;
    goOn();
  }

  private void ask() {
    Subscription body = upstream;
    if (body != null && asked.compareAndSet(false, true)) {
      body.request(1);
    }
  }

  private void goOn() {
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
      if (credit.get() > 0) {
        ask();
      }
      return false;
    }
    if (next == END) {
      deframer.end();
      over = true;
      target.ended();
      return false;
    }
    if (next instanceof HttpHeaders fields) {
      target.head(fields);
    } else {
      ByteBuf piece = (ByteBuf) next;
      if (cost.addAndGet(-costOf(piece)) < AHEAD) {
        ask();
      }
      deframer.add(piece);
    }
    return true;
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
    ask();
  }
}
