package dev.ferry.calls.grpc;

import dev.ferry.grpc.internal.transport.CallerLoop;
import dev.ferry.grpc.internal.transport.Shutdown;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** How those who make calls wait for what a channel's event loop brings. Thread-safe. */
interface Waiting {
  /** For how long a caller turns its loop until the channel is closed. */
  int CLOSE_SECONDS = 3;

  /**
   * Makes a call and waits until it is over. Where that fails the call is given up first.
   *
   * @param start sends the request
   */
  void until(Runnable start, BlockingCall<?, ?> call) throws InterruptedException;

  /**
   * A call begins that nobody waits for.
   *
   * @return is to be run when it has ended, or could not begin
   */
  Runnable begin();

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
    @Override
    public void until(Runnable start, BlockingCall<?, ?> call) throws InterruptedException {
      until(start, call, () -> {});
    }

    private static void until(Runnable start, BlockingCall<?, ?> call, Runnable end)
        throws InterruptedException {
      call.isServed(end);
      try {
        start.run();
        call.await();
      } catch (Throwable e) {
        call.giveUp(e);
        throw e;
      }
    }

    @Override
    public Runnable begin() {
      return () -> {};
    }

    @Override
    public void close(ManagedChannel channel) {
      Shutdown.now(channel);
    }
  }

  /**
   * Turns the loop.
   *
   * @param loop has the channel's connections
   */
  record Turning(CallerLoop loop) implements Waiting {
    @Override
    public void until(Runnable start, BlockingCall<?, ?> call) throws InterruptedException {
      if (loop.enter()) {
        call.isTurned(loop::wakeup);
        turn(start, call);
        // Over already, unless the loop was closed beneath it.
        call.await();
      } else {
        CallerLoop.Served served = loop.serve(true);
        try {
          Parked.until(start, call, served::end);
        } finally {
          served.end();
        }
      }
    }

    private void turn(Runnable start, BlockingCall<?, ?> call) throws InterruptedException {
      try {
        start.run();
        loop.turnUntil(call::isOver);
      } catch (Throwable e) {
        // While nobody else can have the loop, and give out more of the answer.
        call.giveUp(e);
        throw e;
      } finally {
        loop.leave();
      }
    }

    @Override
    public Runnable begin() {
      return loop.serve(false)::end;
    }

    @Override
    public void close(ManagedChannel channel) throws InterruptedException {
      if (loop.inEventLoop()) {
        channel.shutdownNow();
      } else if (loop.enter()) {
        try {
          channel.shutdownNow();
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
          loop.turnUntil(() -> channel.isTerminated() || System.nanoTime() - end > 0);
        } finally {
          loop.leave();
        }
      } else {
        new Parked().close(channel);
      }
    }
  }
}
