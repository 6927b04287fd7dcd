package dev.ferry.web.internal;

import dev.ferry.web.internal.frame.TextEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A head and a body on their way out: while one piece waits for the socket, the next one may be
 * made, and little more. What is written is collected and sent at the end of the event loop's turn,
 * so that it leaves in order whoever writes, and a large body lets the loop's other connections
 * have theirs. Written to by one thread at a time.
 */
final class Outbound {
  /** Bytes that may wait behind the piece that waits for the socket. */
  private static final long AHEAD = 128L * 1024;

  private static final Object END = new Object();

  private final EventLoop loop;
  private final @Nullable TextEncoder text;
  private final ByteBufAllocator allocator;
  private final Runnable onReady;
  private final Consumer<@Nullable Throwable> onEnd;
  private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong waiting = new AtomicLong();
  private volatile boolean closed;
  private @Nullable ChannelOutboundInvoker target;

  /**
   * @param loop of the connection
   * @param text does base64; null if the body is plain
   * @param onReady runs on the event loop when more may be written again
   * @param onEnd runs on the event loop when the last piece has left, or could not
   */
  Outbound(
      EventLoop loop,
      @Nullable TextEncoder text,
      ByteBufAllocator allocator,
      Runnable onReady,
      Consumer<@Nullable Throwable> onEnd) {
    this.loop = loop;
    this.text = text;
    this.allocator = allocator;
    this.onReady = onReady;
    this.onEnd = onEnd;
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

  /** Sends to a connection from now on, what was written before included; on the event loop. */
  void open(ChannelOutboundInvoker connection) {
    target = connection;
    send();
  }

  /** Whether the connection takes more. */
  boolean isReady() {
    return !closed && waiting.get() < AHEAD;
  }

  /** Whether it is the peer that has to take something now. */
  boolean isWaiting() {
    return waiting.get() > 0;
  }

  /**
   * Writes what goes before the body, or is all there is.
   *
   * @param head makes it when it is its turn, on the event loop
   */
  void head(Supplier<? extends HttpMessage> head) {
    add(head, 1);
  }

  /** Takes frames over. */
  void write(ByteBuf frames) {
    add(frames, frames.readableBytes());
  }

  /** Ends the body in an orderly way. */
  void end() {
    add(END, 1);
  }

  /** Releases what waits, and what is still written; on the event loop. */
  void close() {
    closed = true;
    send();
  }

  private void add(Object part, int bytes) {
    waiting.addAndGet(bytes);
    queue.add(part);
    if (scheduled.compareAndSet(false, true)) {
      if (loop.isShuttingDown()) {
        send();
      } else if (loop instanceof SingleThreadEventLoop own) {
        // Netty runs tasks for a second before it looks at its sockets again. A body that its
        // reader takes as fast as it is sent would make a new task all the time.
        own.executeAfterEventLoopIteration(this::send);
      } else {
        loop.execute(this::send);
      }
    }
  }

  private void send() {
    scheduled.set(false);
    ChannelOutboundInvoker connection = target;
    if (connection == null && !closed && !loop.isShuttingDown()) {
      return;
    }
    boolean any = false;
    for (Object part = queue.poll(); part != null; part = queue.poll()) {
      // A loop that has ended sends nothing more: what is left is let go of here.
      if (connection == null || closed || !loop.inEventLoop()) {
        drop(part);
      } else {
        send(connection, part);
        any = true;
      }
    }
    if (any && connection != null) {
      connection.flush();
    }
  }

  private static void drop(Object part) {
    if (part instanceof ByteBuf frames) {
      frames.release();
    }
  }

  private void send(ChannelOutboundInvoker connection, Object part) {
    if (part instanceof ByteBuf frames) {
      int bytes = frames.readableBytes();
      taken(sendPiece(connection, text == null ? frames : encoded(text, frames)), bytes);
    } else if (part == END) {
      if (text != null) {
        ByteBuf rest = text.end();
        if (rest.isReadable()) {
          ChannelFuture ignored = sendPiece(connection, rest);
        } else {
          rest.release();
        }
      }
      last(connection.write(LastHttpContent.EMPTY_LAST_CONTENT));
    } else {
      HttpMessage head = (HttpMessage) ((Supplier<?>) part).get();
      ChannelFuture sent = connection.write(head);
      if (head instanceof LastHttpContent) {
        last(sent);
      } else {
        taken(sent, 1);
      }
    }
  }

  private ByteBuf encoded(TextEncoder encoder, ByteBuf frames) {
    try {
      return encoder.encode(frames, allocator);
    } finally {
      frames.release();
    }
  }

  private static ChannelFuture sendPiece(ChannelOutboundInvoker connection, ByteBuf piece) {
    return connection.write(new DefaultHttpContent(piece));
  }

  private void taken(ChannelFuture sent, int bytes) {
    sent.addListener(
        f -> {
          long before = waiting.getAndAdd(-bytes);
          if (before >= AHEAD && before - bytes < AHEAD) {
            onReady.run();
          }
        });
  }

  private void last(ChannelFuture sent) {
    sent.addListener(
        f -> {
          waiting.decrementAndGet();
          onEnd.accept(f.cause());
        });
  }
}
