package dev.ferry.calls.grpc;

import dev.ferry.grpc.internal.transport.CallerLoop;
import dev.ferry.grpc.internal.transport.Shutdown;
import io.grpc.ManagedChannel;
import java.util.concurrent.TimeUnit;

/** How callers wait for events of a channel. Thread-safe. */
interface Waiting {
  /** Maximum seconds for which a caller runs the event loop until the channel is closed. */
  int CLOSE_SECONDS = 3;

  /**
   * Makes a call and waits until it is over. Cancels the call before it throws.
   *
   * @param start sends the request
   */
  void until(Runnable start, BlockingCall<?, ?> call) throws InterruptedException;

  /**
   * Begins an asynchronous call.
   *
   * @return must be run when the call has ended or could not begin
   */
  Runnable begin();

  /** Aborts the calls of a channel and waits a few seconds at most until it is closed. */
  void close(ManagedChannel channel) throws InterruptedException;

  /** For channels with their own threads. */
  static Waiting parked() {
    return new Parked();
  }

  /** For an event loop that the waiting caller runs, if no other call is running. */
  static Waiting turning(CallerLoop loop) {
    return new Turning(loop);
  }

  /** Blocks until another thread completes the call. */
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
   * Runs the event loop while waiting.
   *
   * @param loop event loop of the channel
   */
  record Turning(CallerLoop loop) implements Waiting {
    @Override
    public void until(Runnable start, BlockingCall<?, ?> call) throws InterruptedException {
      if (loop.enter()) {
        call.isTurned(loop::wakeup);
        turn(start, call);
        // The call is over, unless the loop was closed during it.
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
        // Cancel before leaving the loop, so that no other thread delivers more of the response.
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
