package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.RateLimit;
import dev.ferry.wire.ServedRequest.CarrierName;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http2.Http2StreamChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reports the requests of a handler, one after the other. Those that record something have no
 * effect if no request runs. Only the event loop accesses the state.
 */
final class RequestReport {
  private static final int FIRST_ERROR = 400;

  private final Requests requests;
  private @Nullable RunningRequest running;
  private @Nullable ErrorKind error;

  RequestReport(Requests requests) {
    this.requests = requests;
  }

  /** Returns whether new requests have to be refused. */
  boolean areRefused() {
    return requests.areRefused();
  }

  RunningRequest begin(Exchange exchange, Operation operation) {
    error = null;
    Channel channel = exchange.context().channel();
    RunningRequest begun =
        requests.begin(
            channel instanceof Http2StreamChannel ? CarrierName.HTTP_2 : CarrierName.HTTP_1_1,
            operation,
            channel.remoteAddress(),
            exchange.request().headers().get(Requests.TRACE_PARENT));
    running = begun;
    if (!exchange.request().isAboutUpload()) {
      // The path of an upload has its id, which may be all that it takes to continue it.
      begun.path(exchange.request().rawPath());
    }
    return begun;
  }

  /** Returns whose share the request uses; that of its address if it is not reported here. */
  String holder(Channel channel) {
    return running == null ? RunningRequest.holderAt(channel.remoteAddress()) : running.holder();
  }

  /** Returns the limit of its caller; null for none. */
  @Nullable RateLimit rateLimit() {
    return running == null ? null : running.rateLimit();
  }

  /** Records the head of the response. */
  void responds(HttpResponse response) {
    int status = response.status().code();
    String type = response.headers().get(HttpRoutes.ERROR);
    error = type == null && status < FIRST_ERROR ? null : Errors.fromHttp(status, type);
  }

  /** Records that the whole response was sent. */
  void sent() {
    if (running != null) {
      running.end(error);
    }
  }

  /**
   * Records that the whole response is on its way, so that the next request may begin.
   *
   * @param bytes of a file that it has
   * @return what to call when it was sent, or could not be
   */
  ChannelFutureListener leaves(long bytes) {
    RunningRequest left = running;
    ErrorKind failed = error;
    running = null;
    if (left != null) {
      left.responded();
    }
    return future -> {
      if (left == null) {
        return;
      }
      if (future.isSuccess()) {
        count(left, bytes);
        left.end(failed);
      } else {
        left.cut();
      }
    };
  }

  /** Adds bytes of a file that were sent. */
  void sent(long bytes) {
    if (running != null) {
      count(running, bytes);
    }
  }

  private static void count(RunningRequest request, long bytes) {
    if (bytes > 0) {
      request.bytes(bytes);
    }
  }

  /** Records that nothing more will be sent. */
  void over() {
    if (running != null) {
      running.cut();
      running = null;
    }
  }
}
