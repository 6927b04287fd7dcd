package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpUtil;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The body of a request that is small, and is needed as a whole: a file, a form, or XML. */
final class SmallBody implements Exchange.Body {
  private final Exchange exchange;
  private final int mostBytes;
  private final Supplier<FerryException> tooLarge;
  private final Taker taker;

  /** The announced length; negative if there is none. */
  private final long length;

  /** What has arrived; null if nothing has, or if the taker has it. */
  private @Nullable ByteBuf content;

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
    int arrived = content == null ? 0 : content.readableBytes();
    if (arrived + buffer.readableBytes() > mostBytes) {
      buffer.release();
      abort();
      exchange.bodyEnded();
      exchange.refuse(tooLarge.get());
      return true;
    }
    ByteBuf all = add(buffer);
    content = last ? null : all;
    if (last) {
      exchange.bodyEnded();
      taker.take(exchange, all, trailers);
    }
    return true;
  }

  private ByteBuf add(ByteBuf buffer) {
    ByteBuf all = content;
    if (all == null && buffer.readableBytes() == length) {
      return buffer;
    }
    // Copied, since each buffer may retain the bytes of a whole read.
    try {
      if (all == null) {
        // Of a large one no more is reserved than has arrived: a client may announce it and send
        // nothing.
        int capacity =
            length < 0 || length > ConnectionHandler.SMALL
                ? buffer.readableBytes()
                : (int) Math.min(length, mostBytes);
        all = exchange.context().alloc().directBuffer(capacity, mostBytes);
        content = all;
      }
      return all.writeBytes(buffer);
    } finally {
      buffer.release();
    }
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
