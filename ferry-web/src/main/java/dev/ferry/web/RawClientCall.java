package dev.ferry.web;

import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.ClientRequestContextCaptor;
import com.linecorp.armeria.client.Clients;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.RequestHeadersBuilder;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.grpc.message.Framing;
import dev.ferry.web.Frames.Side;
import dev.ferry.web.WebChannel.Running;
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
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call over gRPC-Web whose messages are framed and taken apart here, so that they travel without
 * a copy. Its listener runs on the connection's event loop, files and all, unless the call has an
 * executor of its own.
 */
final class RawClientCall<I, O> extends ClientCall<I, O> implements Inbound.Target {
  private final WebClient client;
  private final String server;
  private final boolean text;
  private final MethodDescriptor<I, O> method;
  private final CallOptions options;
  private final Framing framing;
  private final Running running;
  private final Framer framer;
  private final List<ClientStreamTracer> tracers;
  private final @Nullable Codec sent;
  private final AtomicBoolean over = new AtomicBoolean();
  private @Nullable Started<O> started;
  private @Nullable Codec received;
  private @Nullable StatusRuntimeException status;
  private int messages;

  /** What there is once the call is under way. */
  private record Started<O>(
      HttpResponse response,
      Executor serial,
      Outbound outbound,
      Inbound inbound,
      @Nullable Future<?> timer,
      Listener<O> listener) {}

  RawClientCall(
      WebClient client,
      String server,
      boolean text,
      MethodDescriptor<I, O> method,
      CallOptions options,
      Framing framing,
      Running running) {
    this.client = client;
    this.server = server;
    this.text = text;
    this.method = method;
    this.options = options;
    this.framing = framing;
    this.running = running;
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
    HttpRequestWriter out = HttpRequest.streaming(head());
    HttpResponse response;
    EventLoop loop;
    try (ClientRequestContextCaptor captor = Clients.newContextCaptor()) {
      response = client.execute(out);
      ClientRequestContext context = captor.get();
      loop = context.eventLoop().withoutContext();
      context
          .log()
          .whenAvailable(RequestLogProperty.SESSION)
          .thenAccept(log -> ReadViews.in(log.channel()));
    }
    Executor own = options.getExecutor();
    Executor serial =
        MoreExecutors.newSequentialExecutor(own != null ? own : task -> Outbound.runOn(loop, task));
    FrameRules rules =
        new FrameRules(Side.WEB_ANSWER, true, !method.getType().serverSendsOneMessage());
    Inbound inbound =
        new Inbound(
            new Deframer(rules, framing.allocator()),
            text ? new TextDecoder(Side.WEB_ANSWER) : null,
            framing.allocator(),
            serial,
            this);
    Outbound outbound =
        new Outbound(
            out,
            loop,
            text ? new TextEncoder() : null,
            framing.allocator(),
            () -> serial.execute(this::ready));
    Deadline deadline = options.getDeadline();
    Future<?> timer =
        deadline == null
            ? null
            : loop.schedule(
                () -> serial.execute(() -> fail(expired())),
                Math.max(deadline.timeRemaining(TimeUnit.NANOSECONDS), 0),
                TimeUnit.NANOSECONDS);
    running.add(this);
    started = new Started<>(response, serial, outbound, inbound, timer, listener);
    serial.execute(this::ready);
    response.subscribe(inbound, loop, SubscriptionOption.WITH_POOLED_OBJECTS);
    running.started(this);
  }

  private RequestHeaders head() {
    String type = WebBody.type(text);
    RequestHeadersBuilder head =
        RequestHeaders.builder(HttpMethod.POST, "/" + method.getFullMethodName())
            .set("content-type", type)
            .set("accept", type)
            .set("x-grpc-web", "1")
            .set("grpc-accept-encoding", WebBody.names(framing.codecs()));
    if (sent != null) {
      head.set("grpc-encoding", sent.getMessageEncoding());
    }
    Deadline deadline = options.getDeadline();
    if (deadline != null) {
      head.set("grpc-timeout", GrpcTimeout.format(deadline.timeRemaining(TimeUnit.NANOSECONDS)));
    }
    return head.build();
  }

  /** What grpc-java calls it; how far the call got, its caller knows. */
  private static StatusRuntimeException expired() {
    return Status.DEADLINE_EXCEEDED.asRuntimeException();
  }

  private FerryException foreign(ErrorKind kind, String what) {
    return new FerryException(kind, Outage.FOREIGN, server + " " + what, null);
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

  /** Runs what belongs to the listener, which may fail. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      // An error too, for instance no direct memory: the caller waits for an end.
      fail(e);
    }
  }

  /** No whole message yet, but whoever waits for one knows that the server is there. */
  @Override
  public void arrived() {
    tracers.forEach(t -> t.inboundWireSize(0));
  }

  @Override
  public void head(HttpHeaders fields) throws FerryException {
    if (fields instanceof ResponseHeaders head) {
      begun(head);
    }
    ended(fields);
  }

  private void begun(ResponseHeaders head) throws FerryException {
    if (head.status().isInformational()) {
      return;
    }
    if (!head.status().equals(HttpStatus.OK)) {
      ended(head);
      if (status != null && !status.getStatus().isOk()) {
        close(status);
        return;
      }
      ErrorKind kind = Errors.fromHttp(head.status().code(), null);
      fail(foreign(kind, "answered " + head.status()));
      return;
    }
    String type = head.get("content-type", "");
    if (!WebBody.isWeb(type) || WebBody.isText(type) != text) {
      String why = "answered with '" + type + "', not " + WebBody.type(text);
      fail(foreign(ErrorKind.INTERNAL, why));
      return;
    }
    String encoding = head.get("grpc-encoding", WebBody.IDENTITY);
    received = WebBody.codec(framing.codecs(), encoding);
    if (received == null && !encoding.equals(WebBody.IDENTITY)) {
      String why = server + " sends messages as '" + encoding + "', which nobody asked for";
      fail(new FerryException(ErrorKind.INTERNAL, why));
      return;
    }
    Metadata headers = new Metadata();
    for (String name : List.of("grpc-encoding", "grpc-accept-encoding")) {
      String value = head.get(name);
      if (value != null) {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
      }
    }
    tracers.forEach(t -> t.inboundHeaders(headers));
    guarded(() -> started().listener().onHeaders(headers));
  }

  /** Takes the status, wherever it comes. */
  private void ended(HttpHeaders fields) throws FerryException {
    String code = fields.get("grpc-status");
    if (code != null) {
      WebTrailers.checkStatus(code);
      status = GrpcAnswers.status(fields);
    }
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
      ended(trailers.fields());
      return;
    }
    if (frame.isCompressed() && received == null) {
      frame.close();
      throw Side.WEB_ANSWER.unsound("a message is compressed, and no grpc-encoding says how");
    }
    int bytes = frame.message().available();
    tracers.forEach(t -> t.inboundWireSize(bytes));
    O message;
    try (frame;
        var decompressed = WebBody.decompressed(frame, received)) {
      message = method.parseResponse(decompressed);
    } catch (IOException e) {
      throw Side.WEB_ANSWER.unsound("a message cannot be read: " + e.getMessage());
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
        ErrorKind.INCOMPLETE, "the answer ends without its status; ask once more");
  }

  @Override
  public void failed(Throwable failure) {
    StatusRuntimeException told = status;
    if (told != null && told.getStatus().getCode() != Status.Code.OK) {
      // A server that refuses early may close before the rest was sent.
      close(told);
      return;
    }
    Status lost = ConnectionLoss.status(server, failure);
    fail(lost == null ? failure : lost.asRuntimeException());
  }

  private void fail(Throwable failure) {
    close(GrpcAnswers.statusOf(failure));
  }

  /** Ends the call, once; what is under way is given up. */
  private void close(StatusRuntimeException end) {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    running.remove(this);
    Started<O> call = started();
    if (call.timer() != null) {
      call.timer().cancel(false);
    }
    if (!end.getStatus().isOk()) {
      call.outbound().abort(end);
      call.response().abort(end);
    }
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
  public void sendMessage(I message) {
    ByteBuf frame;
    try {
      frame = framer.frame(method.streamRequest(message), sent);
    } catch (IOException e) {
      throw Errors.toStatus(e, "message");
    }
    int first = firstMessage(frame);
    int number = messages++;
    tracers.forEach(t -> t.outboundMessageSent(number, first, sent == null ? first : -1));
    started().outbound().write(frame);
  }

  /** Bytes of the first message of a buffer: who put more into it tells of the others. */
  private static int firstMessage(ByteBuf frame) {
    return frame.getInt(frame.readerIndex() + 1);
  }

  @Override
  public void halfClose() {
    started().outbound().end();
  }
}
