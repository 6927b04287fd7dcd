package dev.ferry.http.internal.server;

import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.Refusals;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.flow.FlowControlHandler;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks at the first bytes of a connection: with HTTP/2's preface it is HTTP/2, else HTTP/1.1, from
 * which a request may turn it to HTTP/2 yet. Leaves the pipeline once that is known.
 */
final class ProtocolChooser extends ByteToMessageDecoder {
  /** Paths have at most 4096 bytes, each of which may be three in a URI. */
  private static final int MAX_REQUEST_LINE = 16 * 1024;

  private static final int MAX_HEADERS = 16 * 1024;
  private static final int MAX_PIECE = 1024 * 1024;

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private final ServerSettings settings;
  private final Refusals refusals;
  private final Supplier<? extends RequestHandler> handlers;

  /**
   * @param refusals counts clients that fall silent
   * @param handlers makes what answers the requests of a connection, or of a stream
   */
  ProtocolChooser(
      ServerSettings settings, Refusals refusals, Supplier<? extends RequestHandler> handlers) {
    this.settings = settings;
    this.refusals = refusals;
    this.handlers = handlers;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    int start = PREFACE.readerIndex();
    int length = Math.min(in.readableBytes(), PREFACE.readableBytes());
    boolean prefix = ByteBufUtil.equals(PREFACE, start, in, in.readerIndex(), length);
    if (!prefix) {
      http1(context);
    } else if (length == PREFACE.readableBytes()) {
      new Http2Setup(settings, handlers).addAfter(context);
    } else {
      return;
    }
    context.pipeline().remove(this);
  }

  private void http1(ChannelHandlerContext context) {
    ChannelPipeline pipeline = context.pipeline();
    HttpServerCodec codec =
        new HttpServerCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_REQUEST_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                // Its default cuts what a read brought into 8 KiB.
                .setMaxChunkSize(MAX_PIECE));
    RequestHandler handler = handlers.get();
    handler.ownConnection(settings, refusals);
    pipeline
        .addLast(codec)
        .addLast(
            new H2cUpgrade(codec, handler, () -> new Http2Setup(settings, handlers).upgradeCodec()))
        .addLast(new FlowControlHandler())
        .addLast(handler);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == RequestHandler.SERVER_CLOSES) {
      context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // Whoever goes before the first byte has asked for nothing.
    context.close();
  }
}
