package dev.ferry.calls.grpc;

import dev.ferry.grpc.transport.CallerLoop;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** How those who make calls wait for what a channel's event loop brings. Thread-safe. */
interface Waiting {
  /**
   * Makes a call.
   *
   * @param start sends the request
   * @param call returns when it is over
   */
  void until(Runnable start, AwaitedCall<?> call) throws InterruptedException;

  /** A call begins that nobody waits for. */
  void callBegins();

  /** Such a call has ended. */
  void callEnds();

  /** Ends a channel's calls and waits until it is closed, for some seconds at most. */
  void close(ManagedChannel channel) throws InterruptedException;

  /** On threads that the channel has for itself. */
  static Waiting parked() {
    return new Parked();
  }

  /** On a loop that the waiting caller turns, when no other call is under way. */
  static Waiting turning(CallerLoop loop) {
    return new Turning(loop);
  }

  /** Sleeps until another thread wakes it. */
  record Parked() implements Waiting {
    private static final int CLOSE_SECONDS = 3;

    @Override
    public void until(Runnable start, AwaitedCall<?> call) throws InterruptedException {
      start.run();
      call.await();
    }

    @Override
    public void callBegins() {}

    @Override
    public void callEnds() {}

    @Override
    public void close(ManagedChannel channel) throws InterruptedException {
      channel.shutdownNow().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /**
   * Turns the loop.
   *
   * @param loop has the channel's connections
   */
  record Turning(CallerLoop loop) implements Waiting {
    @Override
    public void until(Runnable start, AwaitedCall<?> call) throws InterruptedException {
      if (loop.enter()) {
        call.onEnd(loop::wakeup);
        try {
          start.run();
          loop.turnUntil(call::isOver);
        } finally {
          loop.leave();
        }
      } else {
        call.onEnd(loop::callEnds);
        loop.callBegins(true);
        start.run();
      }
      call.await();
    }

    @Override
    public void callBegins() {
      loop.callBegins(false);
    }

    @Override
    public void callEnds() {
      loop.callEnds();
    }

    @Override
    public void close(ManagedChannel channel) throws InterruptedException {
      if (loop.inEventLoop()) {
        channel.shutdownNow();
      } else {
        new Parked().close(channel);
      }
    }
  }
}
