package dev.ferry.web;

import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.net.Refusals;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ends requests whose client neither sends what is waited for nor takes what is there.
 *
 * <p>A limit on the whole request would cut large files, one on the connection would cut a client
 * that waits while the server computes a digest: only time that is the client's counts here.
 */
final class StallGuard extends SimpleDecoratingHttpService {
  private static final int CHECKS = 4;

  /** Time for an answer to leave before its connection is closed. */
  private static final int PARTING_MILLIS = 500;

  private final Duration limit;
  private final Connections connections;
  private final AtomicInteger running;
  private final Refusals refusals;

  /**
   * Guards a service.
   *
   * @param limit how long a client may do nothing; zero is for ever
   * @param running counts the requests that are being answered
   * @param refusals counts those that are ended
   */
  StallGuard(
      HttpService next,
      Duration limit,
      Connections connections,
      AtomicInteger running,
      Refusals refusals) {
    super(next);
    this.limit = limit;
    this.connections = connections;
    this.running = running;
    this.refusals = refusals;
  }

  /** Always as streams: a request that is gathered first would be gathered without bounds. */
  @Override
  public ExchangeType exchangeType(RoutingContext routing) {
    return ExchangeType.BIDI_STREAMING;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    // The context keeps the request it has: with another it would forget the path as it was sent.
    Waiting waiting = new Waiting();
    HttpRequest watched =
        HttpRequest.of(request.headers(), WatchedStream.ofRequest(request, waiting));
    running.incrementAndGet();
    context
        .log()
        .whenComplete()
        .thenRun(
            () -> {
              waiting.end();
              running.decrementAndGet();
            });
    if (!limit.isZero()) {
      checkLater(context, waiting);
    }
    HttpResponse response = unwrap().serve(context, watched);
    return HttpResponse.of(WatchedStream.ofResponse(response, waiting));
  }

  private void checkLater(ServiceRequestContext context, Waiting waiting) {
    context
        .eventLoop()
        .withoutContext()
        .schedule(() -> check(context, waiting), limit.toNanos() / CHECKS, TimeUnit.NANOSECONDS);
  }

  private void check(ServiceRequestContext context, Waiting waiting) {
    if (waiting.ended()) {
      return;
    }
    if (!waiting.longerThan(limit)) {
      checkLater(context, waiting);
      return;
    }
    refusals.count(Refusals.Reason.STALL);
    context.cancel(stalled(context));
    if (!context.sessionProtocol().isMultiplex()) {
      // Nobody knows where the next request would begin, or the socket takes nothing any more.
      context
          .eventLoop()
          .withoutContext()
          .schedule(
              () -> connections.cut(context.remoteAddress()),
              PARTING_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  private Throwable stalled(ServiceRequestContext context) {
    if (!GrpcAnswers.isGrpc(context.request())) {
      return HttpStatusException.of(HttpStatus.REQUEST_TIMEOUT);
    }
    String why = "the client neither sent nor took a byte for " + limit.toSeconds() + " s";
    return Errors.toStatus(new FerryException(ErrorKind.DEADLINE_EXCEEDED, why), "request");
  }
}
