package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The body of a request that is small, and is needed as a whole: a form, or XML. */
final class SmallBody implements RequestHandler.Body {
  private final FilesHandler handler;
  private final ChannelHandlerContext context;
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
      FilesHandler handler,
      ChannelHandlerContext context,
      int mostBytes,
      Supplier<FerryException> tooLarge,
      Consumer<byte[]> then) {
    this.handler = handler;
    this.context = context;
    this.mostBytes = mostBytes;
    this.tooLarge = tooLarge;
    this.then = then;
  }

  @Override
  public boolean receive(ByteBuf buffer, boolean last) {
    byte[] part = new byte[buffer.readableBytes()];
    buffer.readBytes(part).release();
    if (bytes.size() + part.length > mostBytes) {
      handler.bodyEnded();
      handler.refuse(context, tooLarge.get());
    } else {
      bytes.writeBytes(part);
      if (last) {
        handler.bodyEnded();
        then.accept(bytes.toByteArray());
      }
    }
    return true;
  }

  @Override
  public void abort() {}
}
