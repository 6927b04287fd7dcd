package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The body of a request that is small, and is needed as a whole: a form, or XML. */
final class SmallBody implements Exchange.Body {
  private final Exchange exchange;
  private final int mostBytes;
  private final Supplier<FerryException> tooLarge;
  private final Consumer<byte[]> then;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /**
   * @param mostBytes bytes that it may have
   * @param tooLarge makes what refuses one with more
   * @param then receives it, on the event loop
   */
  SmallBody(
      Exchange exchange, int mostBytes, Supplier<FerryException> tooLarge, Consumer<byte[]> then) {
    this.exchange = exchange;
    this.mostBytes = mostBytes;
    this.tooLarge = tooLarge;
    this.then = then;
  }

  @Override
  public boolean receive(ByteBuf buffer, boolean last) {
    byte[] part = new byte[buffer.readableBytes()];
    buffer.readBytes(part).release();
    if (bytes.size() + part.length > mostBytes) {
      exchange.bodyEnded();
      exchange.refuse(tooLarge.get());
    } else {
      bytes.writeBytes(part);
      if (last) {
        exchange.bodyEnded();
        then.accept(bytes.toByteArray());
      }
    }
    return true;
  }

  @Override
  public void abort() {}
}
