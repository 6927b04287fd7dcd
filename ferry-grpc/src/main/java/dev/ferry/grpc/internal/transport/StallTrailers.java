package dev.ferry.grpc.internal.transport;

import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.net.internal.StallEnd;
import io.grpc.Status;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Ends a stalled call with trailers that carry a status. HEADERS frames need no flow-control
 * window.
 */
public final class StallTrailers implements StallEnd {
  @Override
  public void tell(
      ChannelHandlerContext context, Http2ConnectionHandler http2, Http2Stream stream, String why) {
    Http2Headers trailers = new DefaultHttp2Headers();
    if (!stream.isHeadersSent()) {
      trailers.status("200").set("content-type", "application/grpc");
    }
    trailers
        .set("grpc-status", String.valueOf(Status.Code.DEADLINE_EXCEEDED.value()))
        .set("grpc-message", why)
        .set(Errors.KIND_TRAILER.name(), Errors.wireName(ErrorKind.DEADLINE_EXCEEDED));
    // The encoder would queue the trailers behind the messages that wait.
    http2
        .encoder()
        .frameWriter()
        .writeHeaders(context, stream.id(), trailers, 0, true, context.newPromise());
  }
}
