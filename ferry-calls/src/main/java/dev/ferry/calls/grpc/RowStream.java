package dev.ferry.calls.grpc;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.ferry.core.FerryException;
import io.grpc.ClientCall;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Receives a stream of lists and passes their elements in order to a consumer, on the thread of the
 * call's callbacks. It keeps up to {@value #AHEAD} lists requested.
 */
final class RowStream<I, T> extends BlockingCall<I, List<T>> {
  /**
   * Lists requested at a time. Requesting each list separately would wake a thread for each. Lists
   * are consumed as they arrive, so the HTTP/2 window limits the unconsumed data.
   */
  private static final int AHEAD = 1024;

  /** Seconds that an interrupted caller waits for a consumer on another thread. */
  private static final int LAST_MESSAGE_SECONDS = 1;

  private final Consumer<T> taker;
  private final ReentrantLock giving = new ReentrantLock();
  private int requested = AHEAD;
  private volatile boolean givenUp;
  private @Nullable Throwable thrown;

  private RowStream(Supplier<ClientCall<I, List<T>>> opener, Consumer<T> taker) {
    super(opener);
    this.taker = taker;
  }

  /**
   * Makes a call and waits for its end.
   *
   * @param taker receives the elements; an exception that it throws ends the call and is rethrown.
   *     It receives no elements after this method has returned, unless the caller is interrupted
   *     while the consumer blocks for over {@value #LAST_MESSAGE_SECONDS} s
   */
  static <I, T> void receive(
      Supplier<ClientCall<I, List<T>>> opener,
      I request,
      Consumer<T> taker,
      Waiting waiting,
      String server)
      throws FerryException {
    RowStream<I, T> stream = new RowStream<>(opener, taker);
    try {
      stream.make(request, AHEAD, waiting, server);
    } catch (FerryException e) {
      stream.throwOn();
      throw e;
    }
    stream.throwOn();
  }

  private void throwOn() {
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
  }

  @Override
  public void onMessage(List<T> message) {
    if (!served()) {
      give(message);
      return;
    }
    giving.lock();
    try {
      give(message);
    } finally {
      giving.unlock();
    }
  }

  private void give(List<T> message) {
    if (givenUp || thrown != null) {
      return;
    }
    try {
      CallbackThread.out(() -> giveEach(message));
    } catch (RuntimeException | Error e) {
      thrown = e;
      call().cancel("the taker failed", e);
      return;
    }
    if (--requested <= AHEAD / 2) {
      call().request(AHEAD - requested);
      requested = AHEAD;
    }
  }

  private void giveEach(List<T> message) {
    for (T element : message) {
      if (givenUp) {
        return;
      }
      taker.accept(element);
    }
  }

  @Override
  void giveUp(Throwable reason) {
    givenUp = true;
    super.giveUp(reason);
    if (served()
        && Uninterruptibles.tryLockUninterruptibly(
            giving, LAST_MESSAGE_SECONDS, TimeUnit.SECONDS)) {
      giving.unlock();
    }
  }
}
