package dev.ferry.grpc.internal.raw;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Uploads over one connection of its own, byte by byte as it is told. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 120;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("raw-client", true), NioIoHandler.newFactory());
  private final Channel connection;

  /**
   * How a call ended.
   *
   * @param status gRPC's code, as it stands in the trailers; negative if the stream was reset
   * @param kind of Ferry's error; empty where there is none
   * @param message empty where there is none
   */
  public record IncomingResponse(int status, String kind, String message) {
    /** Whether the call succeeded. */
    public boolean ok() {
      return status == 0;
    }
  }

  /** What comes behind the last frame. */
  public enum Ending {
    /** An orderly end. */
    HALF_CLOSE,
    /** The stream is reset. */
    RESET
  }

  public RawClient(int port) throws InterruptedException {
    connection =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    // By default, 200 resets in half a minute are taken for an attack.
                    channel
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forClient()
                                .encoderEnforceMaxRstFramesPerWindow(0, 1)
                                .build());
                    channel.pipeline().addLast(new Http2MultiplexHandler(new Ignoring()));
                  }
                })
            .connect("127.0.0.1", port)
            .sync()
            .channel();
  }

  /**
   * Uploads, and waits for the response.
   *
   * @param encoding of the messages that are marked as compressed; null names none
   * @param frames the DATA frames
   */
  public IncomingResponse upload(@Nullable String encoding, List<byte[]> frames, Ending ending)
      throws Exception {
    CompletableFuture<IncomingResponse> response = new CompletableFuture<>();
    Http2StreamChannel stream =
        new Http2StreamChannelBootstrap(connection)
            .handler(new ResponseHandler(response))
            .open()
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    stream.eventLoop().execute(() -> send(stream, encoding, frames, ending, response));
    return response.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private static void send(
      Http2StreamChannel stream,
      @Nullable String encoding,
      List<byte[]> frames,
      Ending ending,
      CompletableFuture<IncomingResponse> response) {
    Http2Headers headers =
        new DefaultHttp2Headers()
            .method("POST")
            .scheme("http")
            .authority("localhost")
            .path("/ferry.v1.Files/Upload")
            .set("te", "trailers")
            .set("content-type", "application/grpc");
    if (encoding != null) {
      headers.set("grpc-encoding", encoding);
    }
    stream.writeAndFlush(new DefaultHttp2HeadersFrame(headers));
    for (byte[] frame : frames) {
      // Frames that wait together would be merged.
      stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(frame)));
    }
    if (ending == Ending.HALF_CLOSE) {
      stream.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.EMPTY_BUFFER, true));
    } else {
      stream
          .writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL))
          .addListener(
              done -> response.complete(new IncomingResponse(-1, "", "reset by the client")));
    }
  }

  /** Cuts the connection. */
  @Override
  public void close() {
    connection.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static final class Ignoring extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {}

    @Override
    public boolean isSharable() {
      return true;
    }
  }

  private static final class ResponseHandler extends SimpleChannelInboundHandler<Object> {
    private final CompletableFuture<IncomingResponse> response;

    ResponseHandler(CompletableFuture<IncomingResponse> response) {
      this.response = response;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, Object frame) {
      if (frame instanceof Http2HeadersFrame headers && headers.headers().contains("grpc-status")) {
        Http2Headers trailers = headers.headers();
        response.complete(
            new IncomingResponse(
                Integer.parseInt(String.valueOf(trailers.get("grpc-status"))),
                text(trailers, "ferry-error"),
                text(trailers, "grpc-message")));
      }
    }

    private static String text(Http2Headers headers, String name) {
      CharSequence value = headers.get(name);
      return value == null ? "" : value.toString();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof Http2ResetFrame reset) {
        response.complete(
            new IncomingResponse(-1, "", "reset by the server: " + reset.errorCode()));
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      response.complete(new IncomingResponse(-1, "", "the stream was closed"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      response.complete(new IncomingResponse(-1, "", String.valueOf(cause)));
    }
  }
}
