package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** Runs blocking work of a connection on a worker and its completion on the event loop. */
final class Offload {
  /** Work that may block. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws FerryException;
  }

  private Offload() {}

  /**
   * Runs work on a worker.
   *
   * @param then receives the result on the event loop if the connection is still open
   * @param discard receives the result, on any thread, if the connection is closed by then
   * @param failed receives a failure on the event loop
   */
  static <T> void run(
      Executor workers,
      ChannelHandlerContext context,
      Work<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    try {
      workers.execute(() -> runNow(context, work, then, discard, failed));
    } catch (RejectedExecutionException e) {
      failed.accept(e);
    }
  }

  private static <T> void runNow(
      ChannelHandlerContext context,
      Work<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    T result;
    try {
      result = work.run();
    } catch (FerryException | RuntimeException e) {
      onLoop(context, () -> failed.accept(e));
      return;
    }
    boolean accepted =
        onLoop(
            context,
            () -> {
              if (context.channel().isActive()) {
                accept(context, result, then, discard);
              } else {
                discard.accept(result);
              }
            });
    if (!accepted) {
      discard.accept(result);
    }
  }

  private static <T> void accept(
      ChannelHandlerContext context, T result, Consumer<T> then, Consumer<T> discard) {
    try {
      then.accept(result);
    } catch (RuntimeException | Error e) {
      discard.accept(result);
      context.fireExceptionCaught(e);
      context.close();
    }
  }

  /**
   * Runs a task on the event loop of the connection. Returns false if the event loop has terminated
   * with the server.
   */
  static boolean onLoop(ChannelHandlerContext context, Runnable task) {
    try {
      context.executor().execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }
}
