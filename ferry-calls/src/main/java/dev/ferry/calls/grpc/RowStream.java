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
 * Receives a stream of lists: their elements are given out where the call's events come, in order,
 * with {@value #AHEAD} lists asked for ahead, so that neither a slow taker is flooded nor a fast
 * one waits for permission.
 */
final class RowStream<I, T> extends BlockingCall<I, List<T>> {
  /**
   * Lists asked for at a time: a request for each alone would wake a thread for each. They are
   * taken as they come, so that what is not yet taken is bounded by the window of HTTP/2.
   */
  private static final int AHEAD = 1024;

  /** How long a caller that is interrupted waits for a taker on another thread. */
  private static final int LAST_MESSAGE_SECONDS = 1;

  private final Consumer<T> taker;
  private final ReentrantLock giving = new ReentrantLock();
  private int asked = AHEAD;
  private volatile boolean givenUp;
  private @Nullable Throwable thrown;

  private RowStream(Supplier<ClientCall<I, List<T>>> opener, Consumer<T> taker) {
    super(opener);
    this.taker = taker;
  }

  /**
   * Makes a call and waits for its end.
   *
   * @param taker what it throws ends the call and is thrown on; is given nothing more when this
   *     returns
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
    if (--asked <= AHEAD / 2) {
      call().request(AHEAD - asked);
      asked = AHEAD;
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
