package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.http.internal.Closing;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Runs blocking work of a connection on a worker and its completion on the event loop. */
final class Offload {
  private Offload() {}

  /**
   * Runs work on a worker.
   *
   * @param then receives the result on the event loop if the connection is still open
   * @param discard receives the result, on a worker, if the connection is closed by then
   * @param failed receives a failure on the event loop
   */
  static <T> void run(
      Executor workers,
      ChannelHandlerContext context,
      Retries.Call<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    try {
      workers.execute(() -> runNow(workers, context, work, then, discard, failed));
    } catch (RejectedExecutionException e) {
      failed.accept(e);
    }
  }

  private static <T> void runNow(
      Executor workers,
      ChannelHandlerContext context,
      Retries.Call<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    T result;
    try {
      result = work.run();
    } catch (FerryException | RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the client waits for a response.
      onLoop(context, () -> failed.accept(e));
      return;
    }
    boolean accepted =
        onLoop(
            context,
            () -> {
              if (context.channel().isActive()) {
                accept(workers, context, result, then, discard);
              } else {
                Closing.on(workers, () -> discard.accept(result));
              }
            });
    if (!accepted) {
      discard.accept(result);
    }
  }

  /** Passes on a result on the event loop. */
  static <T> void accept(
      Executor workers,
      ChannelHandlerContext context,
      T result,
      Consumer<T> then,
      Consumer<T> discard) {
    try {
      then.accept(result);
    } catch (RuntimeException | Error e) {
      Closing.on(workers, () -> discard.accept(result));
      end(context, e);
    }
  }

  /**
   * Runs a task on the event loop of the connection, which is closed if the task fails: its client
   * would wait forever. Returns false if the event loop has terminated with the server.
   */
  static boolean onLoop(ChannelHandlerContext context, Runnable task) {
    try {
      context.executor().execute(() -> runOrEnd(context, task));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private static void runOrEnd(ChannelHandlerContext context, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      end(context, e);
    }
  }

  private static void end(ChannelHandlerContext context, Throwable failure) {
    context.fireExceptionCaught(failure);
    context.close();
  }
}
