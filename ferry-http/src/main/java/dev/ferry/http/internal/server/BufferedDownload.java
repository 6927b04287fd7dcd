package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Pace;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.OutgoingBody;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that a worker produces while it is sent, for instance by reading and compressing a file.
 * The buffers are pooled and direct.
 *
 * <p>The worker returns when enough bytes are in flight, and is started again when they are sent.
 * Therefore a slow reader occupies no thread and at most {@value #HIGH_WATER} bytes plus one
 * buffer. It also returns after {@value #STEP_MILLIS} ms, and waits for its next turn.
 */
final class BufferedDownload implements BodySender {
  private static final Logger LOG = LoggerFactory.getLogger(BufferedDownload.class);

  private static final int HIGH_WATER = 1024 * 1024;

  private static final int STEP_MILLIS = 5;

  /** Small buffers are flushed together. */
  private static final int FLUSH_BYTES = 64 * 1024;

  private final ChannelHandlerContext context;
  private final OutgoingBody body;
  private final Executor workers;
  private final @Nullable Pace pace;
  private final LongSupplier moved;
  private final Listener listener;
  private final int bufferSize;

  private final Object lock = new Object();
  private long underWay;
  private boolean running;
  private boolean ended;

  /** The part of what is under way that the connection has not tried to send yet. */
  private int unflushed;

  /** The part of that which it was not asked to send. */
  private int unasked;

  private @Nullable Throwable failure;

  /** The buffer that is being filled. Only the worker uses it. */
  private @Nullable ByteBuf filling;

  private volatile boolean cut;

  /**
   * @param body the body; this object takes ownership of it
   * @param bufferSize bytes of one buffer
   * @param pace runs on a worker what goes on; null for no limit
   * @param moved returns how many bytes of the file the buffers so far have; asked for the pace
   */
  BufferedDownload(
      ChannelHandlerContext context,
      OutgoingBody body,
      int bufferSize,
      Executor workers,
      @Nullable Pace pace,
      LongSupplier moved,
      Listener listener) {
    this.context = context;
    this.body = body;
    this.workers = workers;
    this.pace = pace;
    this.moved = moved;
    this.listener = listener;
    this.bufferSize = bufferSize;
  }

  @Override
  public void start() {
    synchronized (lock) {
      running = true;
    }
    work();
  }

  private void work() {
    try {
      workers.execute(this::run);
    } catch (RejectedExecutionException e) {
      fail(e);
    }
  }

  private void run() {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STEP_MILLIS);
    BooleanSupplier enough = () -> System.nanoTime() - until >= 0;
    try {
      for (boolean first = true; goOn(); first = false) {
        if (!first && enough.getAsBoolean()) {
          flush();
          work();
          return;
        }
        if (pace != null && !pace.mayGoOn(this::runUnlessClosed)) {
          failIfCut();
          break;
        }
        ByteBuf buffer = filling;
        if (buffer == null) {
          buffer = context.alloc().directBuffer(bufferSize, bufferSize);
          filling = buffer;
        }
        ByteBuffer room = buffer.nioBuffer(buffer.writerIndex(), buffer.writableBytes());
        boolean last = body.fill(room, enough);
        buffer.writerIndex(buffer.writerIndex() + room.position());
        if (!last && buffer.isWritable()) {
          if (!context.channel().isActive()) {
            // There may be nothing under way that would fail.
            fail(new ClosedChannelException());
            return;
          }
          // At least the head, so that the client knows that something comes.
          flush();
          work();
          return;
        }
        filling = null;
        if (pace != null) {
          pace.moved(moved.getAsLong());
        }
        boolean much = send(buffer);
        if (last) {
          LastHttpContent end = last(body.trailingDigest());
          body.close();
          end(end);
          return;
        }
        if (much) {
          flush();
        }
      }
      flush();
    } catch (FerryException | RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the response must end.
      fail(e);
    }
  }

  /** Goes on after a wait. The connection may just have been closed. */
  private void runUnlessClosed() {
    if (context.channel().isActive()) {
      run();
    } else {
      fail(new ClosedChannelException());
    }
  }

  @Override
  public void gone() {
    cut = true;
    failIfCut();
  }

  @Override
  public boolean holdsBack() {
    synchronized (lock) {
      return !ended && underWay <= unflushed && (running || underWay > 0);
    }
  }

  /** Called after the loss of the connection and after the begin of a wait, in either order. */
  private void failIfCut() {
    if (cut && pace != null && pace.cancel()) {
      Closing.on(workers, () -> fail(new ClosedChannelException()));
    }
  }

  private static LastHttpContent last(@Nullable Digest digest) {
    if (digest == null) {
      return LastHttpContent.EMPTY_LAST_CONTENT;
    }
    LastHttpContent last = new DefaultLastHttpContent();
    last.trailingHeaders().set(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
    return last;
  }

  /**
   * Returns whether this worker continues. If not, the completion of a write starts the next
   * worker.
   */
  private boolean goOn() {
    Throwable failed;
    boolean more;
    synchronized (lock) {
      failed = failure;
      more = underWay < HIGH_WATER;
      running = failed != null || more;
    }
    if (failed != null) {
      fail(failed);
      return false;
    }
    return more;
  }

  /** Writes a buffer, and returns whether it is time to flush. */
  private boolean send(ByteBuf buffer) {
    int bytes = buffer.readableBytes();
    boolean much;
    synchronized (lock) {
      underWay += bytes;
      unflushed += bytes;
      unasked += bytes;
      much = unasked >= FLUSH_BYTES;
    }
    context
        .write(new DefaultHttpContent(buffer))
        .addListener(f -> left(bytes, ((ChannelFuture) f).cause()));
    return much;
  }

  /**
   * Has the connection send what was written. Bytes wait for the client from when its event loop
   * has done so.
   */
  private void flush() {
    int bytes;
    synchronized (lock) {
      bytes = unasked;
      unasked = 0;
    }
    try {
      context
          .executor()
          .execute(
              () -> {
                context.flush();
                synchronized (lock) {
                  unflushed -= bytes;
                }
              });
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop has ended, so the writes fail", e);
    }
  }

  /** Ends the response. */
  private void end(LastHttpContent last) {
    ChannelPromise sent = context.newPromise();
    // A listener that is added later would be told after the stream is closed.
    sent.addListener(f -> sentLast(((ChannelFuture) f).cause()));
    context
        .executor()
        .execute(
            () -> {
              context.writeAndFlush(last, sent);
              synchronized (lock) {
                ended = true;
              }
            });
  }

  private void left(int bytes, @Nullable Throwable cause) {
    boolean call;
    synchronized (lock) {
      underWay -= bytes;
      if (failure == null) {
        failure = cause;
      }
      call = !running && (failure != null || underWay <= HIGH_WATER / 2);
      running |= call;
    }
    if (call) {
      work();
    }
  }

  private void sentLast(@Nullable Throwable cause) {
    if (cause == null) {
      listener.sent();
    } else {
      listener.failed(cause);
    }
  }

  private void fail(Throwable cause) {
    if (filling != null) {
      filling.release();
      filling = null;
    }
    body.close();
    listener.failed(cause);
  }
}
