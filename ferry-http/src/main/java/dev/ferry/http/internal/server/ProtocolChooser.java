package dev.ferry.http.internal.server;

import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.contract.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/**
 * Inspects the first bytes of a connection. With the HTTP/2 preface it sets up HTTP/2, otherwise
 * HTTP/1.1, which a request may still upgrade to HTTP/2. It then removes itself from the pipeline.
 */
final class ProtocolChooser extends ByteToMessageDecoder {
  /** A path has at most 4096 bytes, each of which may be percent-encoded as three. */
  static final int MAX_REQUEST_LINE = 16 * 1024;

  private static final int MAX_CHUNK_BYTES = 1024 * 1024;

  /** The type of the first record of TLS. */
  private static final int TLS_HANDSHAKE = 0x16;

  private static final String NO_TLS =
      "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

  private static final ByteBuf PREFACE = Http2CodecUtil.connectionPrefaceBuf();

  private final ServerSettings settings;
  private final Refusals refusals;
  private final Supplier<ConnectionHandler> handlers;

  /**
   * @param refusals counts clients that stall or send too much
   * @param handlers creates the handler for the requests of a connection or of a stream
   */
  ProtocolChooser(
      ServerSettings settings, Refusals refusals, Supplier<ConnectionHandler> handlers) {
    this.settings = settings;
    this.refusals = refusals;
    this.handlers = handlers;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.getUnsignedByte(in.readerIndex()) == TLS_HANDSHAKE) {
      refuseTls(context, in);
      return;
    }
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

  /** Responds with no TLS record, so that the client knows at once, and not after a timeout. */
  private static void refuseTls(ChannelHandlerContext context, ByteBuf in) {
    in.skipBytes(in.readableBytes());
    context
        .writeAndFlush(Unpooled.copiedBuffer(NO_TLS, StandardCharsets.US_ASCII))
        .addListener(ChannelFutureListener.CLOSE);
  }

  private void http1(ChannelHandlerContext context) {
    ChannelPipeline pipeline = context.pipeline();
    // A client that has ended its side of the connection still gets its responses. Over TLS, an
    // end without an alert may be an attack, and BoringSSL encrypts nothing after the alert.
    boolean plain = TlsContexts.session(context.channel()) == null;
    context.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, plain);
    HttpServerCodec codec =
        new HttpServerCodec(
            new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_REQUEST_LINE)
                .setMaxHeaderSize(Limits.MAX_FIELDS)
                // The default would split the data of one read into chunks of 8 KiB.
                .setMaxChunkSize(MAX_CHUNK_BYTES));
    ConnectionHandler handler = handlers.get();
    Http1Backlog backlog = new Http1Backlog(refusals);
    handler.ownConnection(settings, refusals, backlog);
    pipeline
        // Responses to requests that came together leave together.
        .addLast(new Consolidation())
        .addLast(codec)
        .addLast(
            new H2cUpgrade(codec, handler, () -> new Http2Setup(settings, handlers).upgradeCodec()))
        .addLast(backlog)
        .addLast(new FlowControlHandler())
        .addLast(handler);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == ConnectionHandler.SERVER_CLOSES) {
      context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A client that disconnects before its first byte has requested nothing.
    context.close();
  }

  /** Flushes once after what was read together. */
  private static final class Consolidation extends FlushConsolidationHandler {
    /**
     * Flushes nothing, unlike Netty's: the event also comes in the middle of a chunk, whose parts
     * are written one by one. A flush there may make the connection writable, and whoever goes on
     * with the next chunk then would write it into this one.
     */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      context.fireChannelWritabilityChanged();
    }
  }
}
