package dev.ferry.grpc.internal.transport;

import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.StreamEnd;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;

/**
 * Ends a call with trailers that carry the status of a failure. HEADERS frames need no flow-control
 * window.
 */
public final class StatusTrailers implements StreamEnd {
  @Override
  public Http2Error tell(
      ChannelHandlerContext context,
      Http2ConnectionHandler http2,
      Http2Stream stream,
      FerryException why) {
    Http2Headers trailers = new DefaultHttp2Headers();
    if (!stream.isHeadersSent()) {
      trailers.status("200").set("content-type", "application/grpc");
    }
    trailers
        .set("grpc-status", String.valueOf(GrpcErrors.grpcCode(why.kind()).value()))
        .set("grpc-message", String.valueOf(why.getMessage()))
        .set(GrpcErrors.KIND_TRAILER.name(), Errors.wireName(why.kind()));
    Duration delay = why.retryAfter();
    if (delay != null) {
      trailers.set(GrpcErrors.PUSHBACK.name(), GrpcErrors.pushback(delay));
    }
    // The encoder would queue the trailers behind the messages that wait.
    http2
        .encoder()
        .frameWriter()
        .writeHeaders(context, stream.id(), trailers, 0, true, context.newPromise());
    // The response is whole (RFC 9113, 8.1). Some clients take any other code for the status.
    return Http2Error.NO_ERROR;
  }
}
