package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request that is small, and is needed as a whole: a file, a form, or XML. What has
 * arrived of it is kept in direct memory, of which its caller has a share.
 */
final class SmallBody implements Exchange.Body {
  /** Bytes that are kept without a share: a connection has one such body at a time. */
  static final int FREE = 16 * 1024;

  private static final Duration TRY_AGAIN = Duration.ofSeconds(1);

  private final Exchange exchange;
  private final int mostBytes;
  private final Supplier<FerryException> tooLarge;
  private final Taker taker;

  /** The announced length; negative if there is none. */
  private final long length;

  /** What has arrived; null if nothing has, or if the taker has it. */
  private @Nullable ByteBuf content;

  private boolean reserved;

  private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;

  /** Takes the whole body and its trailer section, on the event loop. It releases the body. */
  @FunctionalInterface
  interface Taker {
    void take(Exchange exchange, ByteBuf body, HttpHeaders trailers);
  }

  /**
   * @param mostBytes bytes that it may have
   * @param tooLarge makes what refuses one with more
   */
  SmallBody(Exchange exchange, int mostBytes, Supplier<FerryException> tooLarge, Taker taker) {
    this.exchange = exchange;
    this.mostBytes = mostBytes;
    this.tooLarge = tooLarge;
    this.taker = taker;
    this.length = HttpUtil.getContentLength(exchange.http(), -1L);
  }

  @Override
  public void trailers(HttpHeaders fields) {
    trailers = fields;
  }

  @Override
  public boolean receive(ByteBuf buffer, boolean last) {
    int arrived = (content == null ? 0 : content.readableBytes()) + buffer.readableBytes();
    if (arrived > mostBytes || length > mostBytes) {
      return refuse(buffer, tooLarge.get());
    }
    ByteBuf all = content == null && arrived == length ? buffer : keep(buffer, arrived);
    if (all == null) {
      return refuse(buffer, tooMuch());
    }
    content = last ? null : all;
    if (last) {
      exchange.bodyEnded();
      taker.take(exchange, all, trailers);
    }
    return true;
  }

  /**
   * Copies what has arrived, since each buffer may retain the bytes of a whole read, and releases
   * it.
   *
   * @param arrived bytes of the body so far
   * @return all of them; null, with nothing released, if they are more than the caller's share
   */
  private @Nullable ByteBuf keep(ByteBuf buffer, int arrived) {
    ByteBuf all = content;
    int size = all == null && buffer.isReadable() ? Math.max(arrived, expected()) : arrived;
    if (size > FREE && !reserved) {
      reserved = exchange.reserve(length < 0 ? mostBytes : (int) length);
      if (!reserved) {
        return null;
      }
    }
    try {
      if (all == null) {
        all = exchange.context().alloc().directBuffer(size, mostBytes);
        content = all;
      }
      return all.writeBytes(buffer);
    } finally {
      buffer.release();
    }
  }

  /**
   * Returns how many bytes are reserved at once. Of a large body, no more are than have arrived: a
   * client may announce it and send nothing.
   */
  private int expected() {
    return length > ConnectionHandler.SMALL ? 0 : (int) Math.max(length, 0);
  }

  private boolean refuse(ByteBuf buffer, FerryException why) {
    buffer.release();
    abort();
    exchange.bodyEnded();
    exchange.refuse(why);
    return true;
  }

  private static FerryException tooMuch() {
    return new FerryException(
            ErrorKind.OVERLOADED,
            "too many requests with incomplete bodies of this user or address at a time; try again")
        .withRetryAfter(TRY_AGAIN);
  }

  /** Returns the bytes of a body that was taken, and releases it. */
  static byte[] bytes(ByteBuf body) {
    try {
      return ByteBufUtil.getBytes(body);
    } finally {
      body.release();
    }
  }

  @Override
  public void abort() {
    if (content != null) {
      content.release();
      content = null;
    }
  }
}
