package dev.ferry.web;

import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.stream.StreamWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A body on its way out: while one piece waits for the socket, the next one may be made, and little
 * more. Written to by one thread at a time.
 */
final class Outbound {
  /** Bytes that may wait behind the piece that waits for the socket. */
  private static final long AHEAD = 128L * 1024;

  private final StreamWriter<HttpObject> out;
  private final Executor executor;
  private final @Nullable TextEncoder text;
  private final ByteBufAllocator allocator;
  private final Runnable onReady;
  private final AtomicLong waiting = new AtomicLong();

  /**
   * @param loop where pieces are written, one after the other. What is written to a stream of
   *     Armeria's while another thread aborts it, before anybody has subscribed to it, is lost with
   *     its buffers: so pieces are written on the event loop that would abort
   * @param text does base64; null where the body is plain
   * @param onReady runs on an event loop when more may be written again
   */
  Outbound(
      StreamWriter<HttpObject> out,
      EventLoop loop,
      @Nullable TextEncoder text,
      ByteBufAllocator allocator,
      Runnable onReady) {
    this.out = out;
    this.executor = MoreExecutors.newSequentialExecutor(task -> runOn(loop, task));
    this.text = text;
    this.allocator = allocator;
    this.onReady = onReady;
  }

  /** Runs a task on an event loop, at once if this is its thread. */
  static void runOn(EventLoop loop, Runnable task) {
    if (loop.inEventLoop() || loop.isShuttingDown()) {
      // What a closing loop would refuse lets go of what the call holds.
      task.run();
    } else {
      loop.execute(task);
    }
  }

  boolean isReady() {
    return out.isOpen() && waiting.get() < AHEAD;
  }

  /** Writes what goes before the body. */
  void head(HttpHeaders fields) {
    // Whoever watches the stream hears that it has ended.
    boolean ignored = out.tryWrite(fields);
  }

  /** Takes frames over. */
  void write(ByteBuf frames) {
    int bytes = frames.readableBytes();
    waiting.addAndGet(bytes);
    executor.execute(() -> write(frames, bytes));
  }

  private void write(ByteBuf frames, int bytes) {
    if (text == null) {
      writePiece(frames, bytes);
      return;
    }
    try {
      writePiece(text.encode(frames, allocator), bytes);
    } finally {
      frames.release();
    }
  }

  private void writePiece(ByteBuf piece, int bytes) {
    if (!piece.isReadable()) {
      piece.release();
      taken(bytes);
      return;
    }
    // What cannot be written is released.
    if (out.tryWrite(HttpData.wrap(piece))) {
      out.whenConsumed().thenRun(() -> taken(bytes));
    }
  }

  private void taken(int bytes) {
    long before = waiting.getAndAdd(-bytes);
    if (before >= AHEAD && before - bytes < AHEAD) {
      onReady.run();
    }
  }

  /** Ends the body in an orderly way. */
  void end() {
    executor.execute(
        () -> {
          if (text != null) {
            writePiece(text.end(), 0);
          }
          out.close();
        });
  }

  /** Cuts the body. */
  void abort(Throwable cause) {
    executor.execute(() -> out.abort(cause));
  }
}
