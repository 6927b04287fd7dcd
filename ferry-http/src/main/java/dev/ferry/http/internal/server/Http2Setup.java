package dev.ferry.http.internal.server;

import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.zerocopy.Http2Reads;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.UpgradeCodec;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.flow.FlowControlHandler;
import java.util.function.Supplier;

/**
 * Sets up HTTP/2 on one connection of the server: its settings, its limits, and the handlers of
 * each stream.
 */
final class Http2Setup {
  /** Maximum size of a received frame: the size of an efficient write to the file. */
  private static final int MAX_FRAME = 256 * 1024;

  /** Netty's default of 64 KiB would limit each turn of a download to that size. */
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(512 * 1024, 1024 * 1024);

  private static final int RESETS_SECONDS = (int) Limits.RESETS_PERIOD.toSeconds();

  private final Supplier<ConnectionHandler> handlers;
  private final Http2Backlog backlog = new Http2Backlog();
  private final Http2Lifecycle lifecycle;
  private final Http2MultiplexHandler streams =
      new Http2MultiplexHandler(
          new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel stream) {
              addTo((Http2StreamChannel) stream);
            }
          });

  /**
   * @param handlers creates the handler for the request of a stream
   */
  Http2Setup(ServerSettings settings, Supplier<ConnectionHandler> handlers) {
    this.lifecycle = new Http2Lifecycle(settings.idleTimeout());
    this.handlers = handlers;
  }

  private static Http2FrameCodec newCodec() {
    Http2FrameCodec codec =
        Http2FrameCodecBuilder.forServer()
            .initialSettings(
                new Http2Settings()
                    .maxConcurrentStreams(Limits.MAX_CALLS_PER_CONNECTION)
                    .initialWindowSize(BodyMemory.SMALL)
                    .maxFrameSize(MAX_FRAME)
                    .maxHeaderListSize(Limits.MAX_FIELDS_READ))
            .validateRequiredPseudoHeaders(true)
            // GuardedConnection limits frames that move nothing and resets of running calls, and
            // counts who sent too many. Netty would count resets of calls that have ended too.
            .decoderEnforceMaxConsecutiveEmptyDataFrames(0)
            .decoderEnforceMaxRstFramesPerWindow(0, 0)
            .encoderEnforceMaxRstFramesPerWindow(Limits.MAX_RESETS_SENT, RESETS_SECONDS)
            .build();
    Http2Reads.tune(codec);
    return codec;
  }

  private void addTo(Http2StreamChannel stream) {
    lifecycle.opened(stream);
    stream.closeFuture().addListener(f -> backlog.closed(stream.stream()));
    stream
        .pipeline()
        .addLast(new Http2StreamAdapter(() -> backlog.read(stream.stream())))
        .addLast(new FlowControlHandler())
        .addLast(handlers.get());
  }

  /**
   * Adds the HTTP/2 handlers after a handler, for a client that uses HTTP/2 from the first byte.
   */
  void addAfter(ChannelHandlerContext context) {
    context.channel().config().setWriteBufferWaterMark(WATER_MARK);
    context.pipeline().addLast(newCodec(), backlog, streams, lifecycle);
  }

  /** Creates the codec that upgrades an HTTP/1.1 connection to HTTP/2. */
  UpgradeCodec upgradeCodec() {
    return new Http2ServerUpgradeCodec(newCodec(), backlog, streams, lifecycle) {
      @Override
      public void upgradeTo(ChannelHandlerContext context, FullHttpRequest request) {
        context.channel().config().setWriteBufferWaterMark(WATER_MARK);
        context.channel().config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, false);
        super.upgradeTo(context, request);
        context.pipeline().remove(Http1Backlog.class);
        context.pipeline().remove(FlowControlHandler.class);
        context.pipeline().remove(ConnectionHandler.class);
      }
    };
  }
}
