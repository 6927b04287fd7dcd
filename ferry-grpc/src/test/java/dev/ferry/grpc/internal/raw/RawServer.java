package dev.ferry.grpc.internal.raw;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Responds to every call with the same DATA frames, whatever the request. */
public final class RawServer implements AutoCloseable {
  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("raw-server", true), NioIoHandler.newFactory());
  private final Channel listening;
  private volatile List<byte[]> frames = List.of();

  public RawServer() throws InterruptedException {
    listening =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel connection) {
                    connection.pipeline().addLast(Http2FrameCodecBuilder.forServer().build());
                    connection.pipeline().addLast(new Http2MultiplexHandler(new Calls()));
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
  }

  /** Where it listens. */
  public int port() {
    return ((InetSocketAddress) listening.localAddress()).getPort();
  }

  /** Sets the frames of the next responses. */
  public void respondWith(List<byte[]> next) {
    frames = next;
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private final class Calls extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel stream) {
      stream.pipeline().addLast(new Call());
    }

    @Override
    public boolean isSharable() {
      return true;
    }
  }

  private final class Call extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
      boolean last =
          frame instanceof Http2DataFrame data
              ? data.isEndStream()
              : frame instanceof Http2HeadersFrame headers && headers.isEndStream();
      ReferenceCountUtil.release(frame);
      if (last) {
        respond(context);
      }
    }

    private void respond(ChannelHandlerContext context) {
      context.writeAndFlush(
          new DefaultHttp2HeadersFrame(
              new DefaultHttp2Headers()
                  .status("200")
                  .set("content-type", "application/grpc")
                  .set("grpc-encoding", "gzip")));
      for (byte[] frame : frames) {
        context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(frame)));
      }
      context.writeAndFlush(
          new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().set("grpc-status", "0"), true));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      // The client has reset the stream: as it should.
      context.close();
    }
  }
}
