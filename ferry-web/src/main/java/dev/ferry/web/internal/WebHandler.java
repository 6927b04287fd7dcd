package dev.ferry.web.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.FileRequest;
import dev.ferry.http.internal.server.FilesHandler;
import dev.ferry.http.internal.server.PortState;
import dev.ferry.http.internal.server.Responses;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.CallerStores;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Handles gRPC-Web calls. Handles all other requests as requests for files. */
final class WebHandler extends FilesHandler {
  private static final int UNSUPPORTED = 415;

  private final WebService service;
  private @Nullable Exchange current;

  /**
   * @param bufferSize see {@link FilesHandler}
   */
  WebHandler(CallerStores stores, int bufferSize, WebService service, PortState state) {
    super(stores, bufferSize, state);
    this.service = service;
  }

  private static String type(HttpRequest request) {
    return request.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
  }

  private static boolean isCall(HttpRequest request) {
    return request.method().equals(HttpMethod.POST) && WebBody.isGrpc(type(request));
  }

  @Override
  protected void handle(ChannelHandlerContext context, HttpRequest request) throws FerryException {
    if (!isCall(request)) {
      super.handle(context, request);
      return;
    }
    String type = type(request);
    if (!WebBody.isWeb(type)) {
      refuse(context, unsupported(type));
      return;
    }
    String path = FileRequest.of(request).rawPath();
    ServerMethodDefinition<?, ?> method = service.method(path);
    if (method == null) {
      refuse(context, unknown(path, type));
      return;
    }
    Exchange exchange = new Exchange(context, request, method);
    current = exchange;
    exchange.call.begin();
  }

  private static FullHttpResponse unsupported(String type) {
    String remedy =
        type.startsWith("application/grpc-web")
            ? "send application/grpc-web+proto or application/grpc-web-text+proto"
            : "this port speaks gRPC-Web; call the gRPC port (7070 unless it was changed)";
    return Responses.problem(
        ErrorKind.INVALID_REQUEST,
        UNSUPPORTED,
        "Content-Type: " + type + " is not supported; " + remedy);
  }

  private static FullHttpResponse unknown(String path, String type) {
    Status status = Status.UNIMPLEMENTED.withDescription("no method " + path);
    return whole(WebBody.type(WebBody.isText(type)), StatusFields.of(status, null));
  }

  /** Creates a trailers-only response. */
  static FullHttpResponse whole(String type, HttpHeaders status) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).add(status);
    HttpUtil.setContentLength(response, 0);
    return response;
  }

  /** Creates a problem response. For gRPC-Web clients its text is also in the header fields. */
  @Override
  protected FullHttpResponse refusal(HttpRequest request, AccessRules.Refusal refusal) {
    FullHttpResponse problem = super.refusal(request, refusal);
    if (isCall(request)) {
      problem.headers().add(StatusFields.of(refusal));
    }
    return problem;
  }

  /** The service reports its calls. */
  @Override
  protected boolean reports(HttpRequest request) {
    return isCall(request)
        && WebBody.isWeb(type(request))
        && service.method(FileRequest.of(request).rawPath()) != null;
  }

  @Override
  protected boolean end(FerryException why) {
    return current == null ? super.end(why) : current.call.fail(why);
  }

  /** A client that has cancelled its call may have ended its side alone. */
  @Override
  protected boolean worksInVain() {
    return current != null || super.worksInVain();
  }

  @Override
  protected boolean busy() {
    return super.busy() || (current != null && current.call.busy());
  }

  @Override
  protected void over() {
    Exchange ended = current;
    current = null;
    if (ended != null) {
      ended.call.over();
    }
  }

  /** The request and response of one call. */
  final class Exchange implements Body {
    private final ChannelHandlerContext context;
    private final HttpRequest request;
    private final WebServerCall<?, ?> call;

    Exchange(
        ChannelHandlerContext context, HttpRequest request, ServerMethodDefinition<?, ?> method) {
      this.context = context;
      this.request = request;
      this.call = WebServerCall.of(method, this, service);
    }

    HttpRequest request() {
      return request;
    }

    ChannelHandlerContext context() {
      return context;
    }

    /** Starts to receive the body. */
    void receive() {
      receiveBody(context, request, this);
    }

    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      if (last) {
        bodyEnded();
      }
      return call.receive(buffer, last);
    }

    @Override
    public void abort() {
      // The call is notified by its end.
    }

    @Override
    public boolean failed(FerryException why) {
      if (!call.fail(why)) {
        // The call already has a response, but the client does not read the response.
        context.close();
      }
      return true;
    }

    /** Continues to receive the body. May be called on any thread. */
    void resume() {
      context
          .executor()
          .execute(
              () -> {
                if (current == this) {
                  WebHandler.this.resume(context);
                }
              });
    }

    /** Adds the connection fields to a response head. */
    <R extends HttpResponse> R prepared(R head) {
      endUnlessRead();
      if (!(head instanceof FullHttpResponse)) {
        boolean chunked = FileRequest.of(request).chunked();
        HttpUtil.setTransferEncodingChunked(head, chunked);
        if (!chunked) {
          endWithResponse();
        }
      }
      connection(head);
      return head;
    }

    /** Called when the response was sent or could not be sent. */
    void responded(@Nullable Throwable failure) {
      bodyEnded();
      WebHandler.this.responded(context, failure);
    }
  }
}
