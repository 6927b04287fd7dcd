package dev.ferry.web.internal;

import com.google.common.util.concurrent.MoreExecutors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.FrameRules;
import dev.ferry.web.internal.frame.Framer;
import dev.ferry.web.internal.frame.TextDecoder;
import dev.ferry.web.internal.frame.TextEncoder;
import dev.ferry.web.internal.frame.WebTrailers;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.contract.RetryHints;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Codec;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC-Web call that frames and deframes its messages without copies. The listener runs on the
 * event loop of the connection, including file access, unless the call has its own executor.
 */
final class WebClientCall<I, O> extends ClientCall<I, O>
    implements Inbound.Target, WebExchange.Listener {
  private final WebChannel channel;
  private final MethodDescriptor<I, O> method;
  private final CallOptions options;
  private final Framing framing;
  private final Framer framer;
  private final List<ClientStreamTracer> tracers;
  private final @Nullable Codec sent;
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile @Nullable Started<O> started;
  private @Nullable Codec received;
  private @Nullable StatusRuntimeException status;
  private int messages;
  private boolean compressing = true;

  /** The state of a started call. */
  private record Started<O>(
      EventLoop loop,
      WebExchange exchange,
      Executor serial,
      Outbound outbound,
      Inbound inbound,
      @Nullable Future<?> timer,
      Listener<O> listener) {}

  WebClientCall(WebChannel channel, MethodDescriptor<I, O> method, CallOptions options) {
    this.channel = channel;
    this.method = method;
    this.options = options;
    this.framing = channel.framing();
    this.framer = new Framer(framing.allocator());
    this.sent = WebBody.codec(framing.codecs(), options.getCompressor());
    StreamInfo info = StreamInfo.newBuilder().setCallOptions(options).build();
    this.tracers =
        options.getStreamTracerFactories().stream()
            .map(factory -> factory.newClientStreamTracer(info, new Metadata()))
            .toList();
  }

  @Override
  public void start(Listener<O> listener, Metadata headers) {
    WebConnections connections = channel.connections();
    WebConnections.Place place = connections.place();
    EventLoop loop = place.loop();
    Executor own = options.getExecutor();
    Executor serial =
        MoreExecutors.newSequentialExecutor(own != null ? own : task -> Outbound.runOn(loop, task));
    FrameRules rules =
        new FrameRules(HttpMessageKind.RESPONSE, true, !method.getType().serverSendsOneMessage());
    boolean text = channel.text();
    Inbound inbound =
        new Inbound(
            new Deframer(rules, framing.allocator()),
            text ? new TextDecoder(HttpMessageKind.RESPONSE) : null,
            framing.allocator(),
            serial,
            () -> Outbound.runOn(loop, () -> started().exchange().resume()),
            this);
    Outbound outbound =
        new Outbound(
            loop,
            text ? new TextEncoder() : null,
            framing.allocator(),
            () -> serial.execute(this::ready),
            failure -> {
              if (failure == null) {
                started().exchange().requestEnded();
              }
            });
    WebExchange exchange = new WebExchange(connections, inbound, this);
    Deadline deadline = options.getDeadline();
    Future<?> timer =
        deadline == null
            ? null
            : loop.schedule(
                () -> serial.execute(() -> fail(expired())),
                Math.max(deadline.timeRemaining(TimeUnit.NANOSECONDS), 0),
                TimeUnit.NANOSECONDS);
    started = new Started<>(loop, exchange, serial, outbound, inbound, timer, listener);
    outbound.head(() -> head(headers));
    Outbound.runOn(loop, () -> connections.open(place, exchange));
    channel.begun(this);
  }

  private HttpRequest head(Metadata headers) {
    String type = WebBody.type(channel.text());
    HttpRequest head =
        new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, channel.path(method));
    HttpHeaders fields = head.headers();
    fields
        .set(HttpHeaderNames.HOST, channel.authority())
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set(HttpHeaderNames.ACCEPT, type)
        .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
        .set("x-grpc-web", "1")
        .set("grpc-accept-encoding", WebBody.names(framing.codecs()));
    if (sent != null) {
      fields.set("grpc-encoding", sent.getMessageEncoding());
    }
    for (String name : headers.keys()) {
      if (!name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        fields.set(name, headers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
      }
    }
    Deadline deadline = options.getDeadline();
    if (deadline != null) {
      fields.set("grpc-timeout", GrpcTimeout.format(deadline.timeRemaining(TimeUnit.NANOSECONDS)));
    }
    return head;
  }

  @Override
  public void opened(Channel connection) {
    started().outbound().open(connection);
    started().serial().execute(this::ready);
  }

  @Override
  public void lost(IOException cause) {
    started().inbound().fail(cause);
  }

  /** Returns the same status as grpc-java. The caller knows the progress of the call. */
  private static StatusRuntimeException expired() {
    return Status.DEADLINE_EXCEEDED.asRuntimeException();
  }

  private FerryException foreign(ErrorKind kind, String what) {
    return new FerryException(kind, Outage.FOREIGN, channel.authority() + " " + what, null);
  }

  private Started<O> started() {
    Started<O> call = started;
    if (call == null) {
      throw new IllegalStateException("the call was not started");
    }
    return call;
  }

  private void ready() {
    if (!over.get()) {
      guarded(() -> started().listener().onReady());
    }
  }

  /** Runs code of the listener and fails the call if it throws. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      // Catches errors too, for instance if direct memory is exhausted. Otherwise the caller would
      // wait forever.
      fail(e);
    }
  }

  /**
   * Reports that data has arrived, even if no message is complete, so that the call does not count
   * as stalled.
   */
  @Override
  public void arrived() {
    tracers.forEach(t -> t.inboundWireSize(0));
  }

  @Override
  public void head(HttpResponse head) throws FerryException {
    StatusRuntimeException said = StatusFields.read(head.headers());
    status = said;
    if (!head.status().equals(HttpResponseStatus.OK)) {
      if (said != null && !said.getStatus().isOk()) {
        close(said);
        return;
      }
      ErrorKind kind = Errors.fromHttp(head.status().code(), null);
      FerryException failure = foreign(kind, "responded with " + head.status());
      HttpHeaders fields = head.headers();
      fail(RetryHints.add(failure, fields.get("retry-after"), fields.get("date")));
      return;
    }
    String type = head.headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    if (!WebBody.isWeb(type) || WebBody.isText(type) != channel.text()) {
      String why = "responded with '" + type + "', not " + WebBody.type(channel.text());
      fail(foreign(ErrorKind.INTERNAL, why));
      return;
    }
    begun(head.headers());
  }

  private void begun(HttpHeaders fields) throws FerryException {
    String encoding = fields.get("grpc-encoding", WebBody.IDENTITY);
    received = WebBody.codec(framing.codecs(), encoding);
    if (received == null && !encoding.equals(WebBody.IDENTITY)) {
      throw new FerryException(
          ErrorKind.INTERNAL,
          channel.authority() + " sends messages as '" + encoding + "', which was not requested");
    }
    Metadata headers = new Metadata();
    for (String name : List.of("grpc-encoding", "grpc-accept-encoding")) {
      String value = fields.get(name);
      if (value != null) {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
      }
    }
    tracers.forEach(t -> t.inboundHeaders(headers));
    guarded(() -> started().listener().onHeaders(headers));
  }

  /** Reads the status from HTTP trailers or from the trailers frame. */
  @Override
  public void trailers(HttpHeaders fields) throws FerryException {
    StatusRuntimeException said = StatusFields.read(fields);
    status = said == null ? status : said;
  }

  @Override
  public void message(Deframer.Frame frame) throws FerryException {
    if (frame.isTrailers()) {
      WebTrailers trailers = new WebTrailers(frame.isCompressed());
      try (frame) {
        for (int b = frame.message().read(); b >= 0; b = frame.message().read()) {
          trailers.add(b);
        }
      }
      trailers(trailers.fields());
      return;
    }
    if (frame.isCompressed() && received == null) {
      frame.close();
      throw HttpMessageKind.RESPONSE.unsound(
          "a message is compressed, and no grpc-encoding says how");
    }
    int bytes = frame.message().available();
    tracers.forEach(t -> t.inboundWireSize(bytes));
    O message;
    try (frame;
        var decompressed = WebBody.decompressed(frame, received)) {
      message = method.parseResponse(decompressed);
    } catch (IOException e) {
      throw HttpMessageKind.RESPONSE.unsound("a message cannot be read: " + e.getMessage());
    }
    started().listener().onMessage(message);
  }

  @Override
  public void ended() {
    StatusRuntimeException told = status;
    if (told == null) {
      fail(noStatus());
    } else {
      close(told);
    }
  }

  private static FerryException noStatus() {
    return new FerryException(
        ErrorKind.INCOMPLETE, "the response ends without its status; try again");
  }

  @Override
  public void failed(Throwable failure) {
    StatusRuntimeException told = status;
    if (told != null && told.getStatus().getCode() != Status.Code.OK) {
      // A server that refuses early may close the connection before the rest was sent.
      close(told);
      return;
    }
    Status lost = ConnectionLoss.status(channel.authority(), failure);
    fail(lost == null ? failure : lost.asRuntimeException());
  }

  private void fail(Throwable failure) {
    close(StatusFields.statusOf(failure));
  }

  /** Ends the call at most once and aborts the exchange. */
  private void close(StatusRuntimeException end) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    channel.over(this);
    Started<O> call = started();
    if (call.timer() != null) {
      call.timer().cancel(false);
    }
    Outbound.runOn(
        call.loop(),
        () -> {
          call.exchange().abort();
          call.outbound().close();
        });
    call.inbound().close();
    Metadata trailers = end.getTrailers();
    call.listener().onClose(end.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  @Override
  public void request(int count) {
    started().inbound().request(count);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    Started<O> call = started;
    if (call != null) {
      Status end = Status.CANCELLED.withDescription(message).withCause(cause);
      call.serial().execute(() -> close(end.asRuntimeException()));
    }
  }

  @Override
  public boolean isReady() {
    return !over.get() && started().outbound().isReady();
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compressing = enabled;
  }

  @Override
  public void sendMessage(I message) {
    Codec codec = compressing ? sent : null;
    ByteBuf frame;
    try {
      frame = framer.frame(method.streamRequest(message), codec);
    } catch (IOException e) {
      throw GrpcErrors.toStatus(e, "message");
    }
    int first = firstMessage(frame);
    int number = messages++;
    tracers.forEach(t -> t.outboundMessageSent(number, first, codec == null ? first : -1));
    started().outbound().write(frame);
  }

  /**
   * Returns the bytes of the first message in a buffer. The sender of several messages counts the
   * others itself.
   */
  private static int firstMessage(ByteBuf frame) {
    return frame.getInt(frame.readerIndex() + 1);
  }

  @Override
  public void halfClose() {
    started().outbound().end();
  }
}
