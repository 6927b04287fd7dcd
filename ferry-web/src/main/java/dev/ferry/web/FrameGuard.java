package dev.ferry.web;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.ferry.grpc.ArrivedBytes;
import dev.ferry.web.Frames.Side;

/**
 * Refuses gRPC requests whose frames are not sound, each with a gRPC status of its own.
 *
 * <p>Armeria takes a stream that ends within a frame for one that ends before it, a compressed
 * message of an unknown encoding for a plain one, and answers most other faults with HTTP 500.
 */
final class FrameGuard extends SimpleDecoratingHttpService {
  private static final String IDENTITY = "identity";

  private final HttpService next;

  FrameGuard(HttpService next) {
    super(next);
    this.next = next;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    String type = request.headers().get("content-type", "");
    if (request.method() != HttpMethod.POST || !GrpcAnswers.isGrpc(request)) {
      return next.serve(context, request);
    }
    String encoding = request.headers().get("grpc-encoding", IDENTITY);
    if (Codecs.DECOMPRESSORS.lookupDecompressor(encoding) == null) {
      return GrpcAnswers.refusal(type, GrpcAnswers.unknownEncoding(encoding));
    }
    boolean many = next.exchangeType(context.routingContext()).isRequestStreaming();
    Side side = Side.REQUEST;
    Frames frames = new Frames(new FrameRules(side, !encoding.equals(IDENTITY), many));
    FrameCheck check =
        type.startsWith("application/grpc-web-text") ? new TextFrames(frames, side) : frames;
    ArrivedBytes arrived = new ArrivedBytes();
    context.setAttr(ArrivedInterceptor.ARRIVED, arrived);
    HttpRequest guarded = new GuardedRequest(request, new CountedFrames(check, frames, arrived));
    return next.serve(context, guarded).recover(failure -> GrpcAnswers.refusal(type, failure));
  }
}
