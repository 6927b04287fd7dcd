package dev.ferry.calls.grpc;

import dev.ferry.core.FerryException;
import io.grpc.ClientCall;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives a stream: messages are given out where the call's events come, in order, with {@value
 * #AHEAD} asked for ahead, so that neither a slow taker is flooded nor a fast one waits for
 * permission.
 */
final class RowStream<T> extends AwaitedCall<T> {
  /**
   * Messages asked for at a time: a request for each alone would wake a thread for each. They are
   * taken as they come, so that what is not yet taken is bounded by the window of HTTP/2.
   */
  private static final int AHEAD = 1024;

  private final ClientCall<?, T> call;
  private final Consumer<T> taker;
  private int asked = AHEAD;
  private volatile boolean givenUp;
  private @Nullable RuntimeException thrown;

  private RowStream(ClientCall<?, T> call, Consumer<T> taker) {
    this.call = call;
    this.taker = taker;
  }

  /**
   * Makes a call and waits for its end.
   *
   * @param taker what it throws ends the call and is thrown on
   */
  static <I, T> void receive(
      ClientCall<I, T> call, I request, Consumer<T> taker, Waiting waiting, String server)
      throws FerryException {
    RowStream<T> stream = new RowStream<>(call, taker);
    try {
      stream.make(call, request, AHEAD, waiting, server);
    } catch (FerryException e) {
      stream.givenUp = true;
      stream.throwOn();
      throw e;
    }
    stream.throwOn();
  }

  private void throwOn() {
    RuntimeException failure = thrown;
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public void onMessage(T message) {
    if (givenUp || thrown != null) {
      return;
    }
    try {
      Giving.out(() -> taker.accept(message));
    } catch (RuntimeException e) {
      thrown = e;
      call.cancel("the taker failed", e);
      return;
    }
    if (--asked <= AHEAD / 2) {
      call.request(AHEAD - asked);
      asked = AHEAD;
    }
  }
}
