package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Amounts;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.contract.HttpRoutes;
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
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
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

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

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

  /** Steps of one connection after which the event loop surely turns to others. */
  private static final int MAX_IN_ROW = 64;

  /** The time between two looks at a request that is to be ended. */
  private static final int BUSY_MILLIS = 50;

  private final RequestHandler handler;
  private final AccessRules rules;
  private final RequestReport report;
  private final HttpServer.DateField date;
  private final BodyMemory memory;
  private final Cors cors;
  private @Nullable ServerSettings settings;
  private @Nullable Refusals refusals;
  private @Nullable Http1Backlog backlog;
  private @Nullable IdleClose idle;

  /** Tells when the client was silent for too long; null if it may be, or in an HTTP/2 stream. */
  private @Nullable IdleStateHandler silence;

  private Exchange.@Nullable Body body;
  private BodyMemory.@Nullable Share window;
  private BodyMemory.@Nullable Share kept;
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

  /** The exchange that goes on, or the last one; null before the first request. */
  private @Nullable Exchange current;

  /** Steps that were done on the event loop since one was done on a worker. */
  private int inRow;

  /**
   * @param handler of the port
   * @param requests those that the port reports
   * @param memory of the bodies that are received
   */
  ConnectionHandler(
      RequestHandler handler,
      AccessRules rules,
      Requests requests,
      HttpServer.DateField date,
      BodyMemory memory) {
    this.handler = handler;
    this.rules = rules;
    this.report = new RequestReport(requests);
    this.date = date;
    this.memory = memory;
    this.cors = new Cors(rules.allowedOrigins());
  }

  /**
   * Enforces the limits of a separate connection. Without this call, the handler serves a stream of
   * a shared connection.
   */
  void ownConnection(ServerSettings limits, Refusals counted, Http1Backlog waiting) {
    settings = limits;
    refusals = counted;
    backlog = waiting;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (settings != null) {
      idle = new IdleClose(context, settings.idleTimeout(), this::idle);
      silence = context.pipeline().get(IdleStateHandler.class);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    if (idle != null) {
      idle.end();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
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
    Exchange exchange = new Exchange(this, context, request, rules.basePath());
    current = exchange;
    keepAlive &= HttpUtil.isKeepAlive(request);
    if (request.decoderResult().isFailure()) {
      Throwable cause = request.decoderResult().cause();
      // The start of the next request is unknown. A client that still sends a long head reads the
      // refusal when it is done.
      bodyRead = !(cause instanceof TooLongFrameException);
      keepAlive = false;
      respondEarly(context, Responses.malformed(cause));
      return;
    }
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    if (!isChunkedOrNone(codings)) {
      // Where the body ends is unknown, so nothing behind the head is taken for a request.
      bodyRead = true;
      keepAlive = false;
      respondEarly(context, Responses.notImplemented(codings));
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
      report(exchange);
      respondEarly(context, handler.refusal(exchange, refusal));
      return;
    }
    FullHttpResponse preflight = cors.begin(request);
    if (preflight != null) {
      respondEarly(context, preflight);
      return;
    }
    if (!handler.reports(exchange)) {
      report(exchange);
      if (report.areRefused()) {
        refuse(context, Requests.stopping());
        return;
      }
    }
    handling = true;
    try {
      handler.handle(exchange);
    } catch (FerryException e) {
      refuse(context, e);
    }
  }

  private static boolean isChunkedOrNone(List<String> codings) {
    return codings.isEmpty()
        || (codings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0)));
  }

  private void report(Exchange exchange) {
    exchange.running(report.begin(exchange, handler.operation(exchange)));
  }

  /** Returns the access rules of the port. */
  AccessRules rules() {
    return rules;
  }

  private AccessRules.@Nullable Refusal refusalOf(HttpRequest request) {
    HttpHeaders fields = request.headers();
    List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
    List<String> origins = fields.getAll(HttpHeaderNames.ORIGIN);
    AccessRules.Refusal refusal = rules.refusal(hosts, origins);
    String authority = FileRequest.authority(request);
    if (refusal == null && authority != null) {
      refusal = rules.refusal(List.of(authority), origins);
    }
    return refusal == null ? SignIn.refusal(fields) : refusal;
  }

  /** Prepares to receive the body of the request from {@link #resume} on. */
  void expectBody(ChannelHandlerContext context, HttpRequest request, Exchange.Body taker) {
    body = taker;
    window =
        memory.open(
            context.channel(),
            HttpUtil.getContentLength(request, -1L),
            () -> report.holder(context.channel()),
            report.rateLimit());
    if (HttpUtil.is100ContinueExpected(request)) {
      context.writeAndFlush(Responses.empty(HttpResponseStatus.CONTINUE));
    }
  }

  /**
   * Reserves memory for the body of the request, until the request ends.
   *
   * @return whether the share of its caller permits it
   */
  boolean reserve(ChannelHandlerContext context, int bytes) {
    kept = memory.reserve(report.holder(context.channel()), bytes);
    return kept != null;
  }

  /** Discards the body of the request, if nobody takes it, while its response is sent. */
  void discardBody(ChannelHandlerContext context) {
    // The client might never accept the response, and what waits is memory.
    read(context, !bodyRead && body == null);
  }

  /** Continues to receive the body. */
  void resume(ChannelHandlerContext context) {
    if (body != null) {
      if (silence != null) {
        // The client owes nothing for the time in which the server did not read.
        silence.resetReadTimeout();
      }
      read(context, true);
    }
  }

  /**
   * Ends the delivery of the body, because it was received or is no longer needed. Further data is
   * discarded.
   */
  void bodyEnded() {
    body = null;
  }

  private void receive(ChannelHandlerContext context, HttpContent content) {
    boolean last = content instanceof LastHttpContent;
    bodyRead |= last;
    Exchange.Body taker = body;
    if (content.decoderResult().isFailure() && taker != null) {
      content.release();
      bodyRead = true;
      keepAlive = false;
      body = null;
      String why = String.valueOf(content.decoderResult().cause().getMessage());
      FerryException malformed =
          new FerryException(ErrorKind.INVALID_REQUEST, "malformed body: " + why);
      if (!taker.failed(malformed)) {
        refuse(context, malformed);
      }
    } else if (taker != null) {
      if (last) {
        // This must happen before the body is received: the receiver may respond at once and allow
        // the next request.
        read(context, false);
        taker.trailers(((LastHttpContent) content).trailingHeaders());
        taker.receive(content.content(), true);
      } else if (!taker.receive(content.content(), false)) {
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
  void refuse(ChannelHandlerContext context, Throwable failure) {
    respondEarly(
        context,
        failure instanceof RefusedException refused
            ? refused.response()
            : Responses.problem(Requests.told(failure)));
  }

  /** Responds without waiting for the unread rest of the body. */
  void respondEarly(ChannelHandlerContext context, FullHttpResponse response) {
    endUnlessRead();
    respond(context, response);
  }

  /**
   * Responds with a complete response. Problem details become a page if the client is a browser.
   */
  void respond(ChannelHandlerContext context, FullHttpResponse response) {
    HttpRequest request = current == null ? null : current.http();
    if (request != null
        && response.status().equals(HttpResponseStatus.UNAUTHORIZED)
        && SignIn.canAsk(request, context.channel())) {
      response.headers().add(HttpHeaderNames.WWW_AUTHENTICATE, SignIn.CHALLENGE);
    }
    boolean people = request != null && PageRequests.wantsHtml(request.headers());
    send(context, people ? PageRequests.forPeople(response, rules.basePath()) : response, 0);
  }

  /**
   * Responds with a complete response as it is.
   *
   * @param bytes of a file that it has
   */
  void send(ChannelHandlerContext context, FullHttpResponse response, long bytes) {
    addFields(response);
    boolean goesOn =
        inTurn
            && settings != null
            && keepAlive
            && response.content().readableBytes() <= SMALL
            && context.channel().isWritable();
    if (goesOn) {
      // The next request need not wait until this response was sent, so that those to many requests
      // that came together leave together.
      ChannelFutureListener left = report.leaves(bytes);
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
                report.sent(bytes);
              }
              responded(context, f.cause());
            });
  }

  /**
   * Closes the connection after the response. Must be called before the response head is written.
   */
  void endWithResponse() {
    keepAlive = false;
  }

  /**
   * Closes the connection after the response unless the whole request body was received, or its
   * rest is small: it is then discarded, since other requests may follow. Must be called before the
   * response head is written.
   */
  void endUnlessRead() {
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
  void addFields(HttpResponse response) {
    String location = response.headers().get(HttpHeaderNames.LOCATION);
    if (location != null) {
      response.headers().set(HttpHeaderNames.LOCATION, rules.basePath().before(location));
    }
    keepAlive &= !report.areRefused();
    response.headers().set(HttpHeaderNames.DATE, date.value());
    HttpUtil.setKeepAlive(response, keepAlive);
    if (current != null
        && current.isHead()
        && current
            .http()
            .headers()
            .containsValue(HttpHeaderNames.TE, HttpHeaderValues.TRAILERS, true)) {
      response.headers().set(HttpRoutes.TRAILERS, HttpRoutes.YES);
    }
    cors.mark(response);
    report.responds(response);
  }

  /**
   * Called after a response was sent. The rest of the request and the next request may then be
   * read.
   *
   * @param failure the cause if the response could not be sent, which closes the connection;
   *     otherwise null
   */
  void responded(ChannelHandlerContext context, @Nullable Throwable failure) {
    if (failure == null) {
      report.sent();
    }
    ended();
    if (failure != null || (!keepAlive && bodyRead)) {
      context.close();
      return;
    }
    if (!keepAlive) {
      if (current != null && current.http().decoderResult().isFailure()) {
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
    if (kept != null) {
      kept.close();
      kept = null;
    }
    report.over();
    if (idle != null) {
      idle.used();
    }
    if (handling) {
      handling = false;
      if (current != null) {
        current.over();
      }
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == SERVER_CLOSES) {
      context.executor().execute(() -> closeAfterResponse(context));
    } else if (event == SERVER_ENDS) {
      context.executor().execute(() -> endNow(context));
    } else if (event == INPUT_ENDS) {
      inputEnded = true;
      closeIfInVain(context);
    } else if (event instanceof IdleStateEvent && !waits() && !idle()) {
      stalled(context);
    }
  }

  /** Returns whether the client can do nothing now but wait. */
  private boolean waits() {
    return current != null && (current.busy() || current.holdsBack());
  }

  /** Called when the work for a response begins to take long, too. */
  void closeIfInVain(ChannelHandlerContext context) {
    if (inputEnded && current != null && current.worksInVain()) {
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
    if (current != null && current.stop(why)) {
      return;
    }
    if (current != null && current.busy() && context.channel().isActive()) {
      // The result of this work may be a response.
      context.executor().schedule(() -> endNow(context), BUSY_MILLIS, TimeUnit.MILLISECONDS);
      return;
    }
    Exchange.Body taker = body;
    body = null;
    if (taker == null) {
      context.close();
    } else if (!taker.failed(why)) {
      refuse(context, why);
    }
  }

  private void stalled(ChannelHandlerContext context) {
    if (refusals != null) {
      refusals.count(Refusals.Reason.STALL);
    }
    Exchange.Body taker = body;
    if (taker == null) {
      context.close();
      return;
    }
    body = null;
    Duration silence = settings == null ? Duration.ZERO : settings.stallTimeout();
    String why = "the client sent no byte of the body for " + Amounts.time(silence);
    if (!taker.failed(new FerryException(ErrorKind.DEADLINE_EXCEEDED, why))) {
      respondEarly(context, Responses.problem(ErrorKind.DEADLINE_EXCEEDED, REQUEST_TIMEOUT, why));
    }
  }

  /**
   * Returns whether the next step is done on the event loop, and counts it.
   *
   * @param fast whether it takes no longer there
   */
  boolean stepsOnLoop(boolean fast) {
    if (fast && ++inRow <= MAX_IN_ROW) {
      return true;
    }
    inRow = 0;
    return false;
  }

  /** Returns whether no request is being read and no response is being sent. */
  boolean idle() {
    return !responding && leaving == 0 && bodyRead;
  }

  private void closeAfterResponse(ChannelHandlerContext context) {
    keepAlive = false;
    if (!responding && leaving == 0) {
      context.close();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (current != null) {
      current.writable();
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (current != null) {
      current.gone();
    }
    Exchange.Body taker = body;
    body = null;
    if (taker != null) {
      taker.abort();
    }
    ended();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection lost: {}", cause.toString());
    } else {
      LOG.warn("connection closed after an unexpected failure", cause);
    }
    context.close();
  }
}
