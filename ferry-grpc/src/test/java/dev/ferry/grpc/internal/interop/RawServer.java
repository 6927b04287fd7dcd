package dev.ferry.grpc.internal.interop;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A server that knows HTTP/2 and leaves gRPC to its caller; every call ends well. */
final class RawServer implements AutoCloseable {
  private static final int SECONDS = 30;

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final Channel listening;

  /**
   * Starts a server.
   *
   * @param encoding of the messages
   * @param response the frames of the response to what came
   */
  RawServer(String encoding, Function<RawCall.Received, List<? extends Http2StreamFrame>> response)
      throws Exception {
    listening =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    connection
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer().build(),
                            new Http2MultiplexHandler(
                                new ChannelInitializer<>() {
                                  @Override
                                  protected void initChannel(Channel stream) {
                                    serve(stream, encoding, response);
                                  }
                                }));
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
  }

  private static void serve(
      Channel stream,
      String encoding,
      Function<RawCall.Received, List<? extends Http2StreamFrame>> response) {
    RawCall call = new RawCall();
    stream.pipeline().addLast(call);
    call.received()
        .thenAccept(
            received -> {
              List<Http2StreamFrame> frames = new ArrayList<>();
              frames.add(
                  new DefaultHttp2HeadersFrame(
                      new DefaultHttp2Headers()
                          .status("200")
                          .set("content-type", "application/grpc")
                          .set("grpc-encoding", encoding)));
              frames.addAll(response.apply(received));
              frames.add(
                  new DefaultHttp2HeadersFrame(
                      new DefaultHttp2Headers().set("grpc-status", "0"), true));
              RawCall.write(stream, frames);
            });
  }

  int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  @Override
  public void close() throws Exception {
    listening.close().sync();
    loops.shutdownGracefully(0, SECONDS, TimeUnit.SECONDS).sync();
  }
}
