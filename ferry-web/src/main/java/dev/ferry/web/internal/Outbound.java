package dev.ferry.web.internal;

import dev.ferry.web.internal.frame.TextEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
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
 * Sends a head and a body. While one buffer waits for the socket, only a limited number of further
 * bytes may be written. Written parts are collected and sent at the end of the event loop's turn.
 * This keeps them in order regardless of the writing thread, and a large body does not block the
 * other connections of the loop. For one writing thread at a time.
 */
final class Outbound {
  /** Maximum number of bytes that may wait in addition to the buffer that waits for the socket. */
  private static final long AHEAD = 128L * 1024;

  /** The last frames of a body. */
  private record End(ByteBuf frames) {}

  private final ChannelOutboundInvoker connection;
  private final EventLoop loop;
  private final @Nullable TextEncoder text;
  private final ByteBufAllocator allocator;
  private final Runnable onReady;
  private final Consumer<@Nullable Throwable> onEnd;
  private final Queue<Object> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final AtomicLong waiting = new AtomicLong();
  private volatile boolean closed;

  /** What the connection has and the peer has not taken. Only the event loop uses it. */
  private long sending;

  /**
   * @param connection takes the parts
   * @param loop its event loop
   * @param text encodes base64; null if the body is binary
   * @param onReady runs on the event loop when more may be written again
   * @param onEnd runs on the event loop when the last buffer was sent or could not be sent
   */
  Outbound(
      ChannelOutboundInvoker connection,
      EventLoop loop,
      @Nullable TextEncoder text,
      ByteBufAllocator allocator,
      Runnable onReady,
      Consumer<@Nullable Throwable> onEnd) {
    this.connection = connection;
    this.loop = loop;
    this.text = text;
    this.allocator = allocator;
    this.onReady = onReady;
    this.onEnd = onEnd;
  }

  /** Returns whether more may be written. */
  boolean isReady() {
    return !closed && waiting.get() < AHEAD;
  }

  /**
   * Returns whether the connection has data that waits for the peer to read. Call on the event
   * loop.
   */
  boolean isWaiting() {
    return sending > 0;
  }

  /**
   * Writes a head, which may also be the complete message.
   *
   * @param head creates the head in order on the event loop
   */
  void head(Supplier<? extends HttpMessage> head) {
    add(head, 1);
  }

  /** Writes frames and takes ownership of them. */
  void write(ByteBuf frames) {
    add(frames, frames.readableBytes());
  }

  /**
   * Writes the last frames of the body, takes ownership of them, and ends the body. Both are sent
   * together: a client that has read its status may close the connection before it has read the
   * end, which would then look as if it had cancelled the call.
   */
  void end(ByteBuf frames) {
    add(new End(frames), 1);
  }

  /** Releases waiting parts, and all parts written later. Call on the event loop. */
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
        // Netty runs tasks for up to a second before it polls its sockets again. If the reader is
        // as fast as the sender, the body would add new tasks all the time.
        own.executeAfterEventLoopIteration(this::send);
      } else {
        loop.execute(this::send);
      }
    }
  }

  private void send() {
    scheduled.set(false);
    boolean any = false;
    for (Object part = queue.poll(); part != null; part = queue.poll()) {
      // A terminated loop sends nothing. The remaining parts are released here.
      if (closed || !loop.inEventLoop()) {
        drop(part);
      } else {
        send(part);
        any = true;
      }
    }
    if (any) {
      connection.flush();
    }
  }

  private static void drop(Object part) {
    if (part instanceof ByteBuf frames) {
      frames.release();
    } else if (part instanceof End end) {
      end.frames().release();
    }
  }

  private void send(Object part) {
    if (part instanceof ByteBuf frames) {
      int bytes = frames.readableBytes();
      ByteBuf encoded = text == null ? frames : encoded(text, frames);
      taken(connection.write(new DefaultHttpContent(encoded)), bytes);
    } else if (part instanceof End end) {
      ByteBuf encoded = text == null ? end.frames() : ended(text, end.frames());
      last(connection.write(new DefaultLastHttpContent(encoded)));
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

  private ByteBuf ended(TextEncoder encoder, ByteBuf frames) {
    ByteBuf encoded = encoded(encoder, frames);
    return Unpooled.wrappedBuffer(encoded, encoder.end());
  }

  private void taken(ChannelFuture sent, int bytes) {
    sending += bytes;
    sent.addListener(
        f -> {
          sending -= bytes;
          long before = waiting.getAndAdd(-bytes);
          if (before >= AHEAD && before - bytes < AHEAD) {
            onReady.run();
          }
        });
  }

  private void last(ChannelFuture sent) {
    sending++;
    sent.addListener(
        f -> {
          sending--;
          waiting.decrementAndGet();
          onEnd.accept(f.cause());
        });
  }
}
