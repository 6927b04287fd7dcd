package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Amounts;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles one HTTP/1.1 connection or one HTTP/2 stream. It processes one request at a time and
 * ensures that each request gets a response, even if its body fails.
 *
 * <p>The socket is read only if the handler can process the data: the next head, a body that is
 * received, or a body that is discarded. A {@link io.netty.handler.flow.FlowControlHandler} before
 * this handler queues any excess data of a read. Only the event loop accesses the state.
 */
public abstract class RequestHandler extends ChannelInboundHandlerAdapter {
  /**
   * An event that a connection receives when it is to end after the response in progress: every
   * connection when the server stops.
   */
  static final Object SERVER_CLOSES = new Object();

  /** An event that every connection receives when the server refuses new requests. */
  static final Object SERVER_DRAINS = new Object();

  /** An event that every connection receives when the server ends the requests that run. */
  static final Object SERVER_ENDS = new Object();

  /** An event that a connection receives when its client has ended its side of it. */
  static final Object INPUT_ENDS = new Object();

  /** A message in place of a next request of such a client. */
  static final Object END_OF_INPUT = new Object();

  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  /**
   * The time in seconds during which a client may continue to send a refused body, so that it can
   * read the refusal.
   */
  private static final int LINGER_SECONDS = 30;

  private static final int REQUEST_TIMEOUT = 408;

  /** Bytes of a body that are read in vain, which is cheaper than another connection. */
  private static final int SMALL_BODY = 128 * 1024;

  /**
   * Most bytes of a small file, which is read or written at once, and of a response that is over
   * for its handler before it was sent.
   */
  static final int SMALL = 64 * 1024;

  /** The time between two looks at a request that is to be ended. */
  private static final int BUSY_MILLIS = 50;

  private @Nullable AccessRules rules;
  private @Nullable BodyWindows windows;
  private HttpServer.@Nullable DateField date;
  private Cors cors = new Cors(CrossOrigin.NONE);
  private @Nullable ServerSettings settings;
  private @Nullable Refusals refusals;
  private @Nullable Http1Backlog backlog;
  private @Nullable IdleClose idle;
  private @Nullable RequestReport report;
  private @Nullable Body body;
  private BodyWindows.@Nullable Window window;
  private boolean responding;
  private boolean handling;
  private boolean bodyRead = true;
  private boolean smallBody;
  private boolean keepAlive = true;
  private boolean inputEnded;

  /** Whether a message is being processed, after which the socket is read or not. */
  private boolean inTurn;

  /** Whether the socket is to be read. */
  private boolean reads;

  /** Responses that are on their way although the handler has gone on. */
  private int leaving;

  private boolean head;

  /** The last request. */
  private @Nullable HttpRequest last;

  /** Receives the body of a request. */
  protected interface Body {
    /**
     * Receives the next buffer of the body and takes ownership of it.
     *
     * @return whether more may be read before {@link RequestHandler#resume}
     */
    boolean receive(ByteBuf buffer, boolean last);

    /** Receives the trailer section, before the last buffer. It may be empty. */
    default void trailers(HttpHeaders fields) {}

    /** Called if the request will not be complete because its client is gone. */
    void abort();

    /**
     * Called if the request will not be complete but its client is still connected.
     *
     * @param why one line for the client
     * @return whether this object sends the response; if false, the request is refused
     */
    default boolean failed(FerryException why) {
      abort();
      return false;
    }
  }

  /**
   * Handles a request and responds, now or later: with {@link #respond}, with {@link #refuse}, or
   * with its own response followed by a call of {@link #responded}.
   *
   * @throws FerryException to refuse the request
   */
  protected abstract void handle(ChannelHandlerContext context, HttpRequest request)
      throws FerryException;

  /** Returns whether the client waits for the server and not the reverse. */
  protected abstract boolean busy();

  /**
   * Returns whether the response takes long, and the work for it is to end if the client is gone. A
   * client that has ended its side may be.
   */
  protected boolean worksInVain() {
    return false;
  }

  /**
   * Returns whether the client has all that there is of a response, of which more follows: this
   * server keeps to a rate limit, or makes the next bytes.
   */
  protected boolean holdsBack() {
    return false;
  }

  /**
   * Called when the last handled request has ended: the response was sent or its connection is
   * gone.
   */
  protected void over() {}

  /** Returns what a request is for. */
  protected Operation operation(HttpRequest request) {
    return Operation.OTHER;
  }

  /**
   * Returns whether {@link #handle} reports a request itself, and refuses it if the server stops.
   */
  protected boolean reports(HttpRequest request) {
    return false;
  }

  /**
   * Ends the response in progress because the server stops.
   *
   * @return whether the client learns why; if false, the response is cut off
   */
  protected boolean end(FerryException why) {
    return false;
  }

  /**
   * Sets the access rules, the requests, the clock and the windows of the port. Must be called
   * before the first request.
   */
  final RequestHandler under(
      AccessRules which, Requests all, HttpServer.DateField clock, BodyWindows given) {
    windows = given;
    report = new RequestReport(all);
    rules = which;
    date = clock;
    cors = new Cors(which.allowedOrigins());
    return this;
  }

  /**
   * Enforces the limits of a separate connection. Without this call, the handler serves a stream of
   * a shared connection.
   */
  final void ownConnection(ServerSettings limits, Refusals counted, Http1Backlog waiting) {
    settings = limits;
    refusals = counted;
    backlog = waiting;
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
    inTurn = true;
    reads = context.channel().config().isAutoRead();
    if (backlog != null) {
      backlog.taken(message);
    }
    try {
      if (message instanceof HttpRequest request) {
        begin(context, request);
      } else if (message instanceof HttpContent content) {
        receive(context, content);
      } else if (message == END_OF_INPUT) {
        endInput(context);
      } else {
        ReferenceCountUtil.release(message);
      }
    } finally {
      // Once for all that the message led to: each change is a system call.
      inTurn = false;
      read(context, reads);
    }
  }

  /** Reads the socket from now on, or not. */
  private void read(ChannelHandlerContext context, boolean more) {
    reads = more;
    if (!inTurn) {
      context.channel().config().setAutoRead(more);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    if (request.decoderResult().cause() instanceof PrematureChannelClosureException) {
      // The connection was cut within a head. A client would take a refusal for its own fault.
      context.close();
      return;
    }
    read(context, false);
    responding = true;
    cors.forget();
    last = request;
    keepAlive &= HttpUtil.isKeepAlive(request);
    head = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      Throwable cause = request.decoderResult().cause();
      // The start of the next request is unknown. A client that still sends a long head reads the
      // refusal when it is done.
      bodyRead = !(cause instanceof TooLongFrameException);
      keepAlive = false;
      refuse(context, Responses.malformed(cause));
      return;
    }
    request.setUri(FileRequest.without(rules().basePath(), request.uri()));
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!isChunkedOrNone(codings)) {
      // Where the body ends is unknown, so nothing behind the head is taken for a request.
      bodyRead = true;
      keepAlive = false;
      refuse(context, Responses.notImplemented(codings));
      return;
    }
    bodyRead =
        !HttpUtil.isTransferEncodingChunked(request) && HttpUtil.getContentLength(request, 0L) == 0;
    smallBody =
        settings != null
            && !HttpUtil.isTransferEncodingChunked(request)
            && !HttpUtil.is100ContinueExpected(request)
            && HttpUtil.getContentLength(request, 0L) <= SMALL_BODY;
    AccessRules.Refusal refusal = refusalOf(request);
    if (refusal != null) {
      report(context, request);
      refuse(context, refusal(request, refusal));
      return;
    }
    FullHttpResponse preflight = cors.begin(request);
    if (preflight != null) {
      refuse(context, preflight);
      return;
    }
    if (!reports(request)) {
      report(context, request);
      if (report().areRefused()) {
        refuse(context, Requests.stopping());
        return;
      }
    }
    handling = true;
    try {
      handle(context, request);
    } catch (FerryException e) {
      refuse(context, e);
    }
  }

  private static boolean isChunkedOrNone(List<String> codings) {
    return codings.isEmpty()
        || (codings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0)));
  }

  private void report(ChannelHandlerContext context, HttpRequest request) {
    report().begin(context.channel(), request, operation(request));
  }

  private RequestReport report() {
    return Objects.requireNonNull(report);
  }

  /** Returns the access rules of the port. */
  final AccessRules rules() {
    return Objects.requireNonNull(rules);
  }

  /** Returns the request that is handled. There is none if {@link #reports} is true. */
  protected final RunningRequest running() {
    return report().running();
  }

  private AccessRules.@Nullable Refusal refusalOf(HttpRequest request) {
    HttpHeaders fields = request.headers();
    List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
    List<String> origins = fields.getAll(HttpHeaderNames.ORIGIN);
    AccessRules.Refusal refusal = rules().refusal(hosts, origins);
    String authority = FileRequest.authority(request);
    if (refusal == null && authority != null) {
      refusal = rules().refusal(List.of(authority), origins);
    }
    return refusal == null ? SignIn.refusal(fields) : refusal;
  }

  /** Creates the response to a request whose origin or host is not allowed. */
  protected FullHttpResponse refusal(HttpRequest request, AccessRules.Refusal refusal) {
    return Responses.refusal(refusal);
  }

  /** Returns whether the request is a {@code HEAD}, whose response has no body. */
  protected final boolean isHead() {
    return head;
  }

  /** Starts to receive the body of the request. */
  protected final void receiveBody(ChannelHandlerContext context, HttpRequest request, Body taker) {
    expectBody(context, request, taker);
    resume(context);
  }

  /** Prepares to receive the body of the request from {@link #resume} on. */
  protected final void expectBody(ChannelHandlerContext context, HttpRequest request, Body taker) {
    body = taker;
    window =
        Objects.requireNonNull(windows)
            .open(
                context.channel(),
                HttpUtil.getContentLength(request, -1L),
                () -> report().holder(context.channel()),
                report().rateLimit());
    if (HttpUtil.is100ContinueExpected(request)) {
      context.writeAndFlush(Responses.empty(HttpResponseStatus.CONTINUE));
    }
  }

  /** Discards the body of the request, if nobody takes it, while its response is sent. */
  protected final void discardBody(ChannelHandlerContext context) {
    // The client might never accept the response, and what waits is memory.
    read(context, !bodyRead && body == null);
  }

  /** Continues to receive the body. */
  protected final void resume(ChannelHandlerContext context) {
    if (body != null) {
      read(context, true);
    }
  }

  /**
   * Ends the delivery of the body, because it was received or is no longer needed. Further data is
   * discarded.
   */
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
        // This must happen before the body is received: the receiver may respond at once and allow
        // the next request.
        read(context, false);
        current.trailers(((LastHttpContent) content).trailingHeaders());
        current.receive(content.content(), true);
      } else if (!current.receive(content.content(), false)) {
        read(context, false);
      }
    } else {
      content.release();
      if (content.decoderResult().isFailure()) {
        // The start of the next request is unknown.
        bodyRead = true;
        keepAlive = false;
      }
      if (bodyRead && responding) {
        read(context, false);
      }
      if (idle() && !keepAlive) {
        context.close();
      }
    }
  }

  /** Responds with the problem details of a failure. */
  protected final void refuse(ChannelHandlerContext context, Throwable failure) {
    refuse(
        context,
        failure instanceof RefusedException refused
            ? refused.response()
            : Responses.problem(Requests.told(failure)));
  }

  /** Responds with problem details. Does not wait for the unread rest of the body. */
  protected final void refuse(ChannelHandlerContext context, FullHttpResponse problem) {
    endUnlessRead();
    respond(context, problem);
  }

  /**
   * Responds with a complete response. Problem details become a page if the client is a browser.
   */
  protected final void respond(ChannelHandlerContext context, FullHttpResponse response) {
    if (last != null
        && response.status().equals(HttpResponseStatus.UNAUTHORIZED)
        && SignIn.canAsk(last, context.channel())) {
      response.headers().add(HttpHeaderNames.WWW_AUTHENTICATE, SignIn.CHALLENGE);
    }
    boolean people = last != null && PageRequests.wantsHtml(last.headers());
    send(context, people ? PageRequests.forPeople(response, rules().basePath()) : response, 0);
  }

  /**
   * Responds with a complete response as it is.
   *
   * @param bytes of a file that it has
   */
  protected final void send(ChannelHandlerContext context, FullHttpResponse response, long bytes) {
    connection(response);
    boolean goesOn =
        inTurn
            && settings != null
            && keepAlive
            && response.content().readableBytes() <= SMALL
            && context.channel().isWritable();
    if (goesOn) {
      // The next request need not wait until this response was sent, so that those to many requests
      // that came together leave together.
      ChannelFutureListener left = report().leaves(bytes);
      leaving++;
      context
          .writeAndFlush(response)
          .addListener(left)
          .addListener(f -> left(context, f.isSuccess()));
      ended();
      read(context, true);
      return;
    }
    // A next request may not begin before this response was sent.
    discardBody(context);
    context
        .writeAndFlush(response)
        .addListener(
            f -> {
              if (f.isSuccess()) {
                report().sent(bytes);
              }
              responded(context, f.cause());
            });
  }

  /**
   * Closes the connection after the response. Must be called before the response head is written.
   */
  protected final void endWithResponse() {
    keepAlive = false;
  }

  /**
   * Closes the connection after the response unless the whole request body was received, or its
   * rest is small: it is then discarded, since other requests may follow. Must be called before the
   * response head is written.
   */
  protected final void endUnlessRead() {
    keepAlive &= bodyRead || smallBody;
  }

  /** Called when a response was sent, or could not be, after which the handler has gone on. */
  private void left(ChannelHandlerContext context, boolean sent) {
    leaving--;
    if (!sent || (!keepAlive && idle())) {
      context.close();
    }
  }

  /**
   * Adds header fields to a response: its date, whether the connection persists, and which pages
   * may read the response.
   */
  protected final void connection(HttpResponse response) {
    String location = response.headers().get(HttpHeaderNames.LOCATION);
    if (location != null) {
      response.headers().set(HttpHeaderNames.LOCATION, rules().basePath().before(location));
    }
    keepAlive &= !report().areRefused();
    response.headers().set(HttpHeaderNames.DATE, Objects.requireNonNull(date).value());
    HttpUtil.setKeepAlive(response, keepAlive);
    if (head
        && last != null
        && last.headers().containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true)) {
      response.headers().set(HttpRoutes.TRAILERS, HttpRoutes.YES);
    }
    cors.mark(response);
    report().responds(response);
  }

  /**
   * Called after a response was sent. The rest of the request and the next request may then be
   * read.
   *
   * @param failure the cause if the response could not be sent, which closes the connection;
   *     otherwise null
   */
  protected final void responded(ChannelHandlerContext context, @Nullable Throwable failure) {
    if (failure == null) {
      report().sent();
    }
    ended();
    if (failure != null || (!keepAlive && bodyRead)) {
      context.close();
      return;
    }
    if (!keepAlive) {
      if (last != null && last.decoderResult().isFailure()) {
        endOutput(context);
      }
      context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }
    read(context, true);
  }

  /** Tells a client that no response follows, while it may still send (RFC 9112, 9.6). */
  private static void endOutput(ChannelHandlerContext context) {
    SslHandler tls = context.pipeline().get(SslHandler.class);
    if (tls != null) {
      tls.closeOutbound();
    } else if (context.channel() instanceof DuplexChannel connection) {
      connection.shutdownOutput();
    }
  }

  private void ended() {
    responding = false;
    if (window != null) {
      window.close();
      window = null;
    }
    report().over();
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
      context.executor().execute(() -> closeAfterResponse(context));
    } else if (event == SERVER_ENDS) {
      context.executor().execute(() -> endNow(context));
    } else if (event == INPUT_ENDS) {
      inputEnded = true;
      closeIfInVain(context);
    } else if (event instanceof IdleStateEvent && !busy() && !holdsBack() && !idle()) {
      stalled(context);
    }
  }

  /** Called when the work for a response begins to take long, too. */
  protected final void closeIfInVain(ChannelHandlerContext context) {
    if (inputEnded && worksInVain()) {
      context.close();
    }
  }

  /** Ends the connection after the responses that are on their way. No request follows. */
  private void endInput(ChannelHandlerContext context) {
    boolean complete = body == null;
    bodyRead |= complete;
    // Not in the middle of a read, which would go on with a closed socket.
    context
        .executor()
        .execute(
            () -> {
              if (complete) {
                closeAfterResponse(context);
              } else {
                context.close();
              }
            });
  }

  private void endNow(ChannelHandlerContext context) {
    FerryException why = Requests.stopping();
    endWithResponse();
    if (end(why)) {
      return;
    }
    if (busy() && context.channel().isActive()) {
      // The result of this work may be a response.
      context.executor().schedule(() -> endNow(context), BUSY_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    Body current = body;
    body = null;
    if (current == null) {
      context.close();
    } else if (!current.failed(why)) {
      refuse(context, why);
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
    Duration silence = settings == null ? Duration.ZERO : settings.stallTimeout();
    String why = "the client sent no byte of the body for " + Amounts.time(silence);
    if (!current.failed(new FerryException(ErrorKind.DEADLINE_EXCEEDED, why))) {
      refuse(context, Responses.problem(ErrorKind.DEADLINE_EXCEEDED, REQUEST_TIMEOUT, why));
    }
  }

  /** Returns whether no request is being read and no response is being sent. */
  final boolean idle() {
    return !responding && leaving == 0 && bodyRead;
  }

  private void closeAfterResponse(ChannelHandlerContext context) {
    keepAlive = false;
    if (!responding && leaving == 0) {
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
