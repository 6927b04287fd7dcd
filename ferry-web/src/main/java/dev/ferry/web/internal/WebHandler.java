package dev.ferry.web.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.server.Exchange;
import dev.ferry.http.internal.server.FilesHandler;
import dev.ferry.http.internal.server.PortState;
import dev.ferry.http.internal.server.RequestHandler;
import dev.ferry.http.internal.server.Responses;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.AccessRules;
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
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import org.jspecify.annotations.Nullable;

/** Handles gRPC-Web calls. Handles all other requests as requests for files. */
final class WebHandler implements RequestHandler {
  private static final int UNSUPPORTED = 415;

  private final FilesHandler files;
  private final WebService service;

  WebHandler(PortState port, WebService service) {
    this.files = new FilesHandler(port);
    this.service = service;
  }

  private static String type(Exchange exchange) {
    return exchange.request().headers().get(HttpHeaderNames.CONTENT_TYPE, "");
  }

  private static boolean isCall(Exchange exchange) {
    return exchange.method().equals(HttpMethod.POST) && WebBody.isGrpc(type(exchange));
  }

  @Override
  public void handle(Exchange exchange) throws FerryException {
    if (!isCall(exchange)) {
      files.handle(exchange);
      return;
    }
    String type = type(exchange);
    if (!WebBody.isWeb(type)) {
      exchange.respondEarly(unsupported(type));
      return;
    }
    String path = exchange.request().rawPath();
    ServerMethodDefinition<?, ?> method = service.method(path);
    if (method == null) {
      exchange.respondEarly(unknown(path, type));
      return;
    }
    Call call = new Call(exchange, method, service);
    exchange.goesOnWith(call);
    call.call.begin();
  }

  @Override
  public Operation operation(Exchange exchange) {
    return files.operation(exchange);
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
  public FullHttpResponse refusal(Exchange exchange, AccessRules.Refusal refusal) {
    FullHttpResponse problem = files.refusal(exchange, refusal);
    if (isCall(exchange)) {
      problem.headers().add(StatusFields.of(refusal));
    }
    return problem;
  }

  /** The service reports its calls. */
  @Override
  public boolean reports(Exchange exchange) {
    return isCall(exchange)
        && WebBody.isWeb(type(exchange))
        && service.method(exchange.request().rawPath()) != null;
  }

  /** The request and response of one call. */
  static final class Call implements Exchange.Body, Exchange.Work {
    private final Exchange exchange;
    private final WebServerCall<?, ?> call;
    private boolean over;

    Call(Exchange exchange, ServerMethodDefinition<?, ?> method, WebService service) {
      this.exchange = exchange;
      this.call = WebServerCall.of(method, this, service);
    }

    HttpHeaders fields() {
      return exchange.request().headers();
    }

    ChannelHandlerContext context() {
      return exchange.context();
    }

    /** Starts to receive the body. */
    void receive() {
      exchange.receive(this);
    }

    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      if (last) {
        exchange.bodyEnded();
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
        context().close();
      }
      return true;
    }

    /** Continues to receive the body. May be called on any thread. */
    void resume() {
      context()
          .executor()
          .execute(
              () -> {
                if (!over) {
                  exchange.resume();
                }
              });
    }

    /** Adds the connection fields to a response head. */
    <R extends HttpResponse> R prepared(R head) {
      exchange.endUnlessRead();
      if (!(head instanceof FullHttpResponse)) {
        boolean chunked = exchange.request().chunked();
        HttpUtil.setTransferEncodingChunked(head, chunked);
        if (!chunked) {
          exchange.endWithResponse();
        }
      }
      exchange.addFields(head);
      return head;
    }

    /** Called when the response was sent or could not be sent. */
    void responded(@Nullable Throwable failure) {
      exchange.bodyEnded();
      exchange.responded(failure);
    }

    @Override
    public boolean busy() {
      return call.busy();
    }

    /** A client that has cancelled its call may have ended its side alone. */
    @Override
    public boolean worksInVain() {
      return true;
    }

    @Override
    public boolean stop(FerryException why) {
      return call.fail(why);
    }

    @Override
    public void over() {
      over = true;
      call.over();
    }
  }
}
