package dev.ferry.zerocopy;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;

/**
 * Configures connection settings for which grpc-java has no option: a cumulator that does not copy,
 * a large maximum frame size, windows that are returned early, and whole buffers for TLS. It uses
 * only the public API of Netty. It looks up the connection handler in the pipeline when the first
 * bytes of the peer arrive: the handler is then installed and has not cumulated any bytes.
 */
@Sharable
final class Http2Tuner extends ChannelInboundHandlerAdapter {
  static final Http2Tuner INSTANCE = new Http2Tuner();

  /**
   * Maximum DATA frame size that this end accepts. With the HTTP/2 default of 16 KiB, the slices
   * and promises per frame are most of what grpc-java allocates. A frame is passed on only when it
   * is complete, so a larger frame would only add delay.
   */
  static final int MAX_FRAME_SIZE = 512 * 1024;

  /**
   * Bytes that the TLS handler of Netty collects for a record; 0 encrypts each buffer that is
   * written by itself, a large one into one buffer of many records. With the default of 16 KiB the
   * handler allocates and writes a buffer for each record, and copies a record at both ends of each
   * DATA frame to join it with the nine bytes of the frame's header. In return the header is a
   * record of its own, which adds 22 bytes to a frame of 256 KiB.
   */
  static final int WHOLE_BUFFERS = 0;

  private Http2Tuner() {}

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Http2Exception {
    Http2ConnectionHandler http2 = context.pipeline().get(Http2ConnectionHandler.class);
    if (http2 != null) {
      Http2Reads.tune(http2);
    }
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.setWrapDataSize(WHOLE_BUFFERS);
    }
    context.fireChannelRead(message);
    if (http2 != null) {
      // Runs after the peer's preface was handled, because a server must send its SETTINGS first.
      ChannelHandlerContext handler = context.pipeline().context(http2);
      if (handler != null) {
        Http2Reads.tuneConnectionWindow(http2);
        Http2Settings settings = new Http2Settings().maxFrameSize(MAX_FRAME_SIZE);
        http2
            .encoder()
            .writeSettings(handler, settings, handler.newPromise())
            .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        handler.flush();
      }
      context.pipeline().remove(this);
    }
  }
}
