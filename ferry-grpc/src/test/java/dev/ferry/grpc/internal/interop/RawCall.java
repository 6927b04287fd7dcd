package dev.ferry.grpc.internal.interop;

import com.google.protobuf.ByteString;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What comes on one HTTP/2 stream, whole; and frames onto one, one by one. */
final class RawCall extends SimpleChannelInboundHandler<Http2StreamFrame> {
  /**
   * What came.
   *
   * @param headers the first ones
   * @param data of all frames
   * @param trailers the last headers, which may be the first
   */
  record Received(Http2Headers headers, ByteString data, Http2Headers trailers) {}

  private final CompletableFuture<Received> received = new CompletableFuture<>();
  private final ByteString.Output data = ByteString.newOutput();
  private Http2Headers headers = new DefaultHttp2Headers();

  /** What came, when the other end has said all. */
  CompletableFuture<Received> received() {
    return received;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Http2StreamFrame frame)
      throws IOException {
    if (frame instanceof Http2HeadersFrame part) {
      headers = headers.isEmpty() ? part.headers() : headers;
      if (part.isEndStream()) {
        received.complete(new Received(headers, data.toByteString(), part.headers()));
      }
    } else if (frame instanceof Http2DataFrame part) {
      part.content().readBytes(data, part.content().readableBytes());
      if (part.isEndStream()) {
        received.complete(new Received(headers, data.toByteString(), headers));
      }
    } else if (frame instanceof Http2ResetFrame reset) {
      received.completeExceptionally(new IOException("reset with " + reset.errorCode()));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    received.completeExceptionally(new IOException("the stream was closed"));
  }

  /** Writes each frame when the one before has left: Netty would merge them otherwise. */
  static void write(Channel stream, List<? extends Http2StreamFrame> frames) {
    write(stream, frames.iterator());
  }

  private static void write(Channel stream, Iterator<? extends Http2StreamFrame> frames) {
    if (frames.hasNext()) {
      stream
          .writeAndFlush(frames.next())
          .addListener(
              written -> {
                if (written.isSuccess()) {
                  write(stream, frames);
                } else {
                  stream.close();
                }
              });
    }
  }
}
