package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.net.CrossOrigin;
import dev.ferry.net.ServerSettings;
import dev.ferry.net.internal.AccessRules;
import dev.ferry.net.internal.Refusals;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of HTTP/1.1, or one stream of HTTP/2: takes a request at a time and sees that it
 * is answered, whatever becomes of its body.
 *
 * <p>The socket is read only while something waits for what it brings: the next head, a body that
 * is taken, a body that is thrown away. A {@link io.netty.handler.flow.FlowControlHandler} before
 * this one keeps what a read brought beyond that. State is the event loop's alone.
 */
public abstract class RequestHandler extends ChannelInboundHandlerAdapter {
  /** Told to every connection when the server stops. */
  static final Object SERVER_CLOSES = new Object();

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  /** How long a client may go on sending a body that was refused, to come to read the refusal. */
  private static final int LINGER_SECONDS = 30;

  private static final int REQUEST_TIMEOUT = 408;

  private @Nullable AccessRules rules;
  private Cors cors = new Cors(CrossOrigin.NONE);
  private @Nullable ServerSettings settings;
  private @Nullable Refusals refusals;
  private @Nullable IdleClose idle;
  private @Nullable Body body;
  private boolean responding;
  private boolean handling;
  private boolean bodyRead = true;
  private boolean keepAlive = true;
  private boolean head;

  /** Takes the body of a request. */
  protected interface Body {
    /**
     * Takes a piece, and its ownership.
     *
     * @return whether more may be read before {@link RequestHandler#resume}
     */
    boolean receive(ByteBuf piece, boolean last);

    /** The request is not going to be whole: its client is gone. */
    void abort();

    /**
     * The request is not going to be whole, and its client is still there.
     *
     * @param why one line for the client
     * @return whether this sees to the answer; if not, the request is refused
     */
    default boolean failed(FerryException why) {
      abort();
      return false;
    }
  }

  /**
   * Answers a request, now or later: with {@link #answer}, with {@link #refuse}, or with a response
   * of its own of which {@link #responded} is told.
   *
   * @throws FerryException to refuse it
   */
  protected abstract void handle(ChannelHandlerContext context, HttpRequest request)
      throws FerryException;

  /** Whether the client waits for the server, and not the other way round. */
  protected abstract boolean busy();

  /** The request that was handled last is over: answered, or its connection is gone. */
  protected void over() {}

  /** Has requests answered that rules allow; before the first one. */
  final RequestHandler under(AccessRules which) {
    rules = which;
    cors = new Cors(which.allowedOrigins());
    return this;
  }

  /** Has it keep the limits of a connection of its own; without, it is a stream of another. */
  final void ownConnection(ServerSettings limits, Refusals counted) {
    settings = limits;
    refusals = counted;
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext context) {
    if (settings != null) {
      idle = new IdleClose(context, settings.idleTimeout(), this::idle);
    }
  }

  @Override
  public final void handlerRemoved(ChannelHandlerContext context) {
    if (idle != null) {
      idle.end();
    }
  }

  @Override
  public final void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      begin(context, request);
    } else if (message instanceof HttpContent content) {
      receive(context, content);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    context.channel().config().setAutoRead(false);
    responding = true;
    cors.forget();
    keepAlive &= HttpUtil.isKeepAlive(request);
    head = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      // Where the next request begins nobody knows.
      bodyRead = true;
      keepAlive = false;
      String why = String.valueOf(request.decoderResult().cause().getMessage());
      refuse(
          context, new FerryException(ErrorKind.INVALID_REQUEST, "malformed HTTP request: " + why));
      return;
    }
    bodyRead =
        !HttpUtil.isTransferEncodingChunked(request) && HttpUtil.getContentLength(request, 0L) == 0;
    AccessRules.Refusal refusal = refusalOf(request);
    if (refusal != null) {
      refuse(context, refusal(request, refusal));
      return;
    }
    FullHttpResponse preflight = cors.begin(request);
    if (preflight != null) {
      refuse(context, preflight);
      return;
    }
    handling = true;
    try {
      handle(context, request);
    } catch (FerryException e) {
      refuse(context, e);
    }
  }

  private AccessRules.@Nullable Refusal refusalOf(HttpRequest request) {
    HttpHeaders fields = request.headers();
    List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
    List<String> origins = fields.getAll(HttpHeaderNames.ORIGIN);
    AccessRules.Refusal refusal = Objects.requireNonNull(rules).refusal(hosts, origins);
    String authority = FileRequest.authority(request);
    if (refusal == null && authority != null) {
      refusal = rules.refusal(List.of(authority), origins);
    }
    return refusal;
  }

  /** The answer to a request that comes from where it may not, or asks somebody else. */
  protected FullHttpResponse refusal(HttpRequest request, AccessRules.Refusal refusal) {
    return Responses.refusal(refusal);
  }

  /** Whether the request is a {@code HEAD}, whose answer has no body. */
  protected final boolean isHead() {
    return head;
  }

  /** Lets the request's body come, to somebody. */
  protected final void receiveBody(ChannelHandlerContext context, HttpRequest request, Body taker) {
    body = taker;
    if (HttpUtil.is100ContinueExpected(request)) {
      context.writeAndFlush(Responses.empty(HttpResponseStatus.CONTINUE));
    }
    context.channel().config().setAutoRead(true);
  }

  /** Lets more of the body come. */
  protected final void resume(ChannelHandlerContext context) {
    if (body != null) {
      context.channel().config().setAutoRead(true);
    }
  }

  /** The body was taken, or is not wanted any more; what still comes is thrown away. */
  protected final void bodyEnded() {
    body = null;
  }

  private void receive(ChannelHandlerContext context, HttpContent content) {
    boolean last = content instanceof LastHttpContent;
    bodyRead |= last;
    Body current = body;
    if (content.decoderResult().isFailure() && current != null) {
      content.release();
      bodyRead = true;
      keepAlive = false;
      body = null;
      String why = String.valueOf(content.decoderResult().cause().getMessage());
      FerryException malformed =
          new FerryException(ErrorKind.INVALID_REQUEST, "malformed body: " + why);
      if (!current.failed(malformed)) {
        refuse(context, malformed);
      }
    } else if (current != null) {
      if (last) {
        // Before the body is taken, which may answer at once and let the next request come.
        context.channel().config().setAutoRead(false);
        current.receive(content.content(), true);
      } else if (!current.receive(content.content(), false)) {
        context.channel().config().setAutoRead(false);
      }
    } else {
      content.release();
      if (content.decoderResult().isFailure()) {
        // Where the next request begins nobody knows.
        bodyRead = true;
        keepAlive = false;
      }
      if (bodyRead && !responding && !keepAlive) {
        context.close();
      }
    }
  }

  /** Answers with the problem that a failure is. */
  protected final void refuse(ChannelHandlerContext context, Throwable failure) {
    FerryException problem = Responses.problemOf(failure);
    if (problem.kind() == ErrorKind.INTERNAL) {
      LOG.warn("request failed", failure);
    }
    refuse(context, Responses.problem(problem.kind(), String.valueOf(problem.getMessage())));
  }

  /** Answers with a problem; a body that was not read is not waited for. */
  protected final void refuse(ChannelHandlerContext context, FullHttpResponse problem) {
    endUnlessRead();
    answer(context, problem);
  }

  /** Answers with a whole response. */
  protected final void answer(ChannelHandlerContext context, FullHttpResponse response) {
    connection(response);
    context
        .writeAndFlush(response)
        .addListener(f -> responded(context, ((ChannelFuture) f).cause()));
  }

  /** The connection is closed behind the answer: before its head is written. */
  protected final void endWithAnswer() {
    keepAlive = false;
  }

  /**
   * The connection is closed behind the answer unless the whole body has come: before its head is
   * written.
   */
  protected final void endUnlessRead() {
    keepAlive &= bodyRead;
  }

  /** Writes into a response whether the connection stays, and which pages may read it. */
  protected final void connection(HttpResponse response) {
    HttpUtil.setKeepAlive(response, keepAlive);
    cors.mark(response);
  }

  /**
   * A response has left: now the rest of the request may come, and the next one.
   *
   * @param failure why it has not; the connection is closed then
   */
  protected final void responded(ChannelHandlerContext context, @Nullable Throwable failure) {
    ended();
    if (failure != null || (!keepAlive && bodyRead)) {
      context.close();
      return;
    }
    if (!keepAlive) {
      context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }
    context.channel().config().setAutoRead(true);
  }

  private void ended() {
    responding = false;
    if (idle != null) {
      idle.used();
    }
    if (handling) {
      handling = false;
      over();
    }
  }

  @Override
  public final void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == SERVER_CLOSES) {
      context.executor().execute(() -> closeWhenAnswered(context));
    } else if (event instanceof IdleStateEvent && !busy() && !idle()) {
      stalled(context);
    }
  }

  private void stalled(ChannelHandlerContext context) {
    if (refusals != null) {
      refusals.count(Refusals.Reason.STALL);
    }
    Body current = body;
    if (current == null) {
      context.close();
      return;
    }
    body = null;
    String why = "the client sent no byte of the body for " + seconds() + " s";
    if (!current.failed(new FerryException(ErrorKind.DEADLINE_EXCEEDED, why))) {
      refuse(context, Responses.problem(ErrorKind.DEADLINE_EXCEEDED, REQUEST_TIMEOUT, why));
    }
  }

  private double seconds() {
    return settings == null ? 0 : settings.stallTimeout().toMillis() / 1000.0;
  }

  /** Whether neither a request is read nor an answer under way. */
  final boolean idle() {
    return !responding && bodyRead;
  }

  private void closeWhenAnswered(ChannelHandlerContext context) {
    keepAlive = false;
    if (!responding) {
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Body current = body;
    body = null;
    if (current != null) {
      current.abort();
    }
    ended();
  }

  @Override
  public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection lost: {}", cause.toString());
    } else {
      LOG.warn("connection closed after an unexpected failure", cause);
    }
    context.close();
  }
}
