package dev.ferry.grpc.internal.interop;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client that knows HTTP/2 and leaves gRPC to its caller. */
final class RawClient implements AutoCloseable {
  private static final int SECONDS = 30;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final CompletableFuture<Http2SettingsFrame> settings = new CompletableFuture<>();
  private final Channel connection;

  /** Connects, and waits until the server has said how large frames may be. */
  RawClient(int port) throws Exception {
    connection =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forClient().build(),
                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
                            new Settings());
                  }
                })
            .connect("127.0.0.1", port)
            .sync()
            .channel();
    settings.get(SECONDS, TimeUnit.SECONDS);
  }

  private final class Settings extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof Http2SettingsFrame frame) {
        settings.complete(frame);
      }
      ReferenceCountUtil.release(message);
    }
  }

  /**
   * Calls a method of the service.
   *
   * @param more headers of the request beside the usual ones
   * @param data the last one ends the stream
   */
  RawCall.Received call(
      String method, Map<String, String> more, List<? extends Http2StreamFrame> data)
      throws Exception {
    RawCall call = new RawCall();
    Channel stream = new Http2StreamChannelBootstrap(connection).handler(call).open().get();
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method("POST")
            .scheme("http")
            .authority("localhost")
            .path("/ferry.v1.Files/" + method)
            .set("content-type", "application/grpc")
            .set("te", "trailers");
    more.forEach(headers::set);
    List<Http2StreamFrame> frames = new ArrayList<>(data);
    frames.add(0, new DefaultHttp2HeadersFrame(headers));
    RawCall.write(stream, frames);
    return call.received().get(SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    connection.close().sync();
    loops.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
  }
}
