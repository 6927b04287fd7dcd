package dev.ferry.web;

import com.google.common.util.concurrent.MoreExecutors;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.ArrivedBytes;
import dev.ferry.grpc.message.Framing;
import dev.ferry.web.Frames.Side;
import io.grpc.Codec;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call over gRPC-Web whose messages are framed and taken apart here, so that they travel without
 * a copy. Its handler runs where {@link StepExecutor} says, one step at a time; answers may come
 * from any thread, one after the other.
 */
final class RawServerCall<I, O> extends ServerCall<I, O> implements Inbound.Target {
  private final ServiceRequestContext context;
  private final HttpRequest request;
  private final MethodDescriptor<I, O> method;
  private final ArrivedBytes arrived = new ArrivedBytes();
  private final Framing framing;
  private final String type;
  private final @Nullable Codec received;
  private final HttpResponseWriter out = HttpResponse.streaming();
  private final Executor serial;
  private final Framer framer;
  private final Outbound outbound;
  private final Inbound inbound;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Listener<I> listener = new Listener<>() {};
  private @Nullable Codec sent;
  private boolean compressing = true;
  private boolean headersSent;
  private volatile boolean cancelled;

  private RawServerCall(
      ServiceRequestContext context,
      HttpRequest request,
      MethodDescriptor<I, O> method,
      Framing framing) {
    this.context = context;
    this.request = request;
    this.method = method;
    this.framing = framing;
    boolean text = WebBody.isText(request.headers().get("content-type", ""));
    this.type = WebBody.type(text);
    this.received = WebBody.codec(framing.codecs(), request.headers().get("grpc-encoding"));
    this.serial =
        MoreExecutors.newSequentialExecutor(
            new StepExecutor(context.eventLoop().withoutContext(), context.blockingTaskExecutor()));
    this.framer = new Framer(framing.allocator());
    this.outbound =
        new Outbound(
            out,
            context.eventLoop().withoutContext(),
            text ? new TextEncoder() : null,
            framing.allocator(),
            () -> step(this::ready));
    FrameRules rules =
        new FrameRules(Side.REQUEST, received != null, !method.getType().clientSendsOneMessage());
    this.inbound =
        new Inbound(
            new Deframer(rules, framing.allocator()),
            text ? new TextDecoder(Side.REQUEST) : null,
            framing.allocator(),
            serial,
            this);
  }

  /** Starts a call. */
  static <I, O> HttpResponse start(
      ServiceRequestContext context,
      HttpRequest request,
      ServerMethodDefinition<I, O> definition,
      Framing framing) {
    RawServerCall<I, O> call =
        new RawServerCall<>(context, request, definition.getMethodDescriptor(), framing);
    call.begin(definition);
    return call.out;
  }

  private void begin(ServerMethodDefinition<I, O> definition) {
    String encoding = request.headers().get("grpc-encoding", WebBody.IDENTITY);
    if (received == null && !encoding.equals(WebBody.IDENTITY)) {
      request.abort();
      refuse(GrpcAnswers.unknownEncoding(encoding));
      return;
    }
    Future<?> deadline = deadline();
    out.whenComplete()
        .whenComplete(
            (done, gone) -> {
              if (deadline != null) {
                deadline.cancel(false);
              }
              if (gone != null) {
                // Not in its turn: what waits to be written would all be written first.
                inbound.close();
              }
              step(gone == null ? this::completed : this::cancel);
            });
    step(
        () -> {
          ServerCallHandler<I, O> handler = definition.getServerCallHandler();
          arrived.in(Context.current()).run(() -> listener = handler.startCall(this, metadata()));
          listener.onReady();
        });
    request.subscribe(inbound, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
  }

  private @Nullable Future<?> deadline() {
    String field = request.headers().get("grpc-timeout");
    if (field == null) {
      return null;
    }
    try {
      Duration timeout = GrpcTimeout.parse(field);
      return context
          .eventLoop()
          .withoutContext()
          .schedule(
              () -> step(() -> fail(expired(timeout))), timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (FerryException | ArithmeticException e) {
      step(() -> fail(e));
      return null;
    }
  }

  private static FerryException expired(Duration timeout) {
    return new FerryException(
        ErrorKind.DEADLINE_EXCEEDED, "took longer than the " + timeout + " that were allowed");
  }

  private Metadata metadata() {
    Metadata metadata = new Metadata();
    request
        .headers()
        .forEach(
            (name, value) -> {
              String key = name.toString();
              if (!key.startsWith(":") && !key.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
                metadata.put(Metadata.Key.of(key, Metadata.ASCII_STRING_MARSHALLER), value);
              }
            });
    return metadata;
  }

  /** Does something with the handler, which may fail. */
  private void step(Runnable step) {
    serial.execute(
        () -> {
          try {
            step.run();
          } catch (RuntimeException | Error e) {
            // An error too, for instance no direct memory: the client waits for an answer.
            fail(e);
          }
        });
  }

  private void ready() {
    if (!closed.get()) {
      listener.onReady();
    }
  }

  private void completed() {
    if (!cancelled) {
      listener.onComplete();
    }
  }

  @Override
  public void head(HttpHeaders fields) {
    // Trailers of a request say nothing to us.
  }

  @Override
  public void message(Deframer.Frame frame) {
    I message;
    try (frame;
        var decompressed = WebBody.decompressed(frame, received)) {
      arrived.add(frame.message().available());
      message = method.parseRequest(decompressed);
    } catch (IOException | RuntimeException e) {
      fail(unreadable(e));
      return;
    }
    listener.onMessage(message);
  }

  private static Throwable unreadable(Exception e) {
    if (e instanceof FerryException) {
      return e;
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new FerryException(
        ErrorKind.INVALID_REQUEST, "a message cannot be read: " + cause.getMessage(), e);
  }

  @Override
  public void ended() {
    listener.onHalfClose();
  }

  @Override
  public void failed(Throwable failure) {
    fail(failure);
  }

  /** Answers with a failure, if nothing was answered, and cancels the handler. */
  private void fail(Throwable failure) {
    try {
      refuse(GrpcAnswers.statusOf(failure));
    } finally {
      cancel();
    }
  }

  private void refuse(StatusRuntimeException status) {
    Metadata trailers = status.getTrailers();
    close(status.getStatus(), trailers == null ? new Metadata() : trailers);
  }

  private void cancel() {
    closed.set(true);
    inbound.close();
    if (!cancelled) {
      cancelled = true;
      listener.onCancel();
    }
  }

  @Override
  public void request(int messages) {
    inbound.request(messages);
  }

  @Override
  public boolean isReady() {
    return !closed.get() && outbound.isReady();
  }

  @Override
  public void setCompression(String encoding) {
    String accepted = request.headers().get("grpc-accept-encoding", "");
    if (accepted.contains(encoding)) {
      sent = WebBody.codec(framing.codecs(), encoding);
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compressing = enabled;
  }

  @Override
  public void sendHeaders(Metadata headers) {
    ResponseHeadersBuilder head =
        ResponseHeaders.builder(HttpStatus.OK)
            .set("content-type", type)
            .set("grpc-accept-encoding", WebBody.names(framing.codecs()));
    if (sent != null) {
      head.set("grpc-encoding", sent.getMessageEncoding());
    }
    headersSent = true;
    outbound.head(head.build());
  }

  @Override
  public void sendMessage(O message) {
    try {
      outbound.write(framer.frame(method.streamResponse(message), compressing ? sent : null));
    } catch (IOException e) {
      throw Errors.toStatus(e, "message");
    }
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    if (!headersSent) {
      outbound.head(GrpcAnswers.refusal(type, status, trailers));
      out.close();
    } else {
      outbound.write(WebBody.trailers(GrpcAnswers.fields(status, trailers)));
      outbound.end();
    }
    inbound.close();
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<I, O> getMethodDescriptor() {
    return method;
  }
}
