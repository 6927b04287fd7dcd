package dev.ferry.web.internal;

import com.google.common.util.concurrent.MoreExecutors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.Amounts;
import dev.ferry.grpc.internal.ArrivedBytes;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.web.internal.frame.Deframer;
import dev.ferry.web.internal.frame.FrameRules;
import dev.ferry.web.internal.frame.Framer;
import dev.ferry.web.internal.frame.TextDecoder;
import dev.ferry.web.internal.frame.TextEncoder;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC-Web call on a server that frames and deframes its messages without copies. {@link
 * StepExecutor} runs its handler, one step at a time; workers do if the store is remote. Responses
 * may be sent from any thread, one after the other.
 */
final class WebServerCall<I, O> extends ServerCall<I, O> implements Inbound.Target {
  /** Valid names of gRPC metadata. */
  private static final Pattern NAME = Pattern.compile("[0-9a-z_.-]+");

  /** Header fields of the connection, which are not call metadata. */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-connection",
          "te",
          "transfer-encoding",
          "upgrade");

  private final ServerMethodDefinition<I, O> definition;
  private final MethodDescriptor<I, O> method;
  private final WebHandler.Call exchange;
  private final EventLoop loop;
  private final ArrivedBytes arrived = new ArrivedBytes();
  private final Framing framing;
  private final HttpHeaders fields;
  private final String type;
  private final @Nullable Codec received;
  private final Executor serial;
  private final Framer framer;
  private final Outbound outbound;
  private final Inbound inbound;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Listener<I> listener = new Listener<>() {};
  private volatile @Nullable Executor workers;
  private @Nullable Future<?> deadline;
  private @Nullable Codec sent;
  private boolean compressing = true;
  private boolean headersSent;
  private boolean responded;
  private volatile boolean cancelled;

  private WebServerCall(
      ServerMethodDefinition<I, O> definition, WebHandler.Call exchange, WebService service) {
    this.definition = definition;
    this.method = definition.getMethodDescriptor();
    this.exchange = exchange;
    this.loop = exchange.context().channel().eventLoop();
    this.framing = service.framing();
    this.fields = exchange.fields();
    boolean text = WebBody.isText(fields.get(HttpHeaderNames.CONTENT_TYPE, ""));
    this.type = WebBody.type(text);
    this.received = WebBody.codec(framing.codecs(), fields.get("grpc-encoding"));
    this.serial =
        MoreExecutors.newSequentialExecutor(
            service.remote()
                ? StepExecutor.of(service.workers().apply(exchange))
                // Few calls need workers, and to know their caller takes time.
                : new StepExecutor(loop, step -> workers(service).execute(step)));
    this.framer = new Framer(framing.allocator());
    this.outbound =
        new Outbound(
            exchange.context(),
            loop,
            text ? new TextEncoder() : null,
            framing.allocator(),
            () -> step(this::ready),
            this::responded);
    FrameRules rules = new FrameRules(received != null, !method.getType().clientSendsOneMessage());
    this.inbound =
        new Inbound(
            new Deframer(rules, framing.allocator()),
            text ? new TextDecoder() : null,
            framing.allocator(),
            serial,
            exchange::resume,
            this);
  }

  /** Called by one step at a time. */
  private Executor workers(WebService service) {
    Executor found = workers;
    if (found == null) {
      found = service.workers().apply(exchange);
      workers = found;
    }
    return found;
  }

  static <I, O> WebServerCall<I, O> of(
      ServerMethodDefinition<I, O> definition, WebHandler.Call exchange, WebService service) {
    return new WebServerCall<>(definition, exchange, service);
  }

  /**
   * Returns the other end of the connection, and its TLS session, by which the service may know the
   * caller.
   */
  @Override
  public Attributes getAttributes() {
    Channel channel = exchange.context().channel();
    Attributes.Builder attributes =
        Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, channel.remoteAddress());
    SSLSession session = TlsContexts.session(channel);
    if (session != null) {
      attributes.set(Grpc.TRANSPORT_ATTR_SSL_SESSION, session);
    }
    return attributes.build();
  }

  /** Starts the call. Runs on the event loop. */
  void begin() {
    StatusRuntimeException invalid = invalidField();
    step(
        () -> {
          Metadata metadata = metadata();
          arrived
              .in(Context.current())
              .run(() -> listener = definition.getServerCallHandler().startCall(this, metadata));
          // The service has to know of the call, which it reports.
          if (invalid == null) {
            listener.onReady();
          } else {
            refuse(invalid);
          }
        });
    exchange.receive();
  }

  /** Returns why the fields of the request are refused; null if they are valid. */
  private @Nullable StatusRuntimeException invalidField() {
    String encoding = fields.get("grpc-encoding", WebBody.IDENTITY);
    if (received == null && !encoding.equals(WebBody.IDENTITY)) {
      return StatusFields.unknownEncoding(encoding);
    }
    String timeout = fields.get("grpc-timeout");
    if (timeout != null) {
      try {
        deadline = deadline(GrpcTimeout.parse(timeout));
      } catch (FerryException e) {
        return StatusFields.statusOf(e);
      }
    }
    return null;
  }

  private Future<?> deadline(Duration timeout) {
    // The status alone, without an error of Ferry: a client that set the limit says how far it was.
    StatusRuntimeException expired =
        Status.DEADLINE_EXCEEDED
            .withDescription(
                "took longer than the " + Amounts.time(timeout) + " that the client allows")
            .asRuntimeException();
    return loop.schedule(
        () -> step(() -> failNow(expired)), timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private Metadata metadata() {
    Metadata metadata = new Metadata();
    for (Map.Entry<String, String> field : fields) {
      String name = field.getKey().toLowerCase(Locale.ROOT);
      if (NAME.matcher(name).matches()
          && !name.endsWith(Metadata.BINARY_HEADER_SUFFIX)
          && !OF_THE_CONNECTION.contains(name)) {
        metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), field.getValue());
      }
    }
    return metadata;
  }

  /** Receives the next buffer of the request, see {@link Inbound#add}. */
  boolean receive(ByteBuf buffer, boolean last) {
    boolean more = inbound.add(buffer);
    if (last) {
      inbound.end();
    }
    return more;
  }

  /**
   * Returns whether the client waits for the server and not the reverse. Call on the event loop.
   */
  boolean busy() {
    return !outbound.isWaiting() && !inbound.isWaiting();
  }

  private void responded(@Nullable Throwable failure) {
    responded = failure == null;
    exchange.responded(failure);
  }

  /** Called on the event loop when the response was sent or its connection is gone. */
  void over() {
    if (deadline != null) {
      deadline.cancel(false);
    }
    outbound.close();
    inbound.close();
    step(responded ? this::completed : this::cancel);
  }

  /** Runs a step of the handler and fails the call if it throws. */
  private void step(Runnable step) {
    serial.execute(
        () -> {
          try {
            step.run();
          } catch (RuntimeException | Error e) {
            // Catches errors too, for instance if direct memory is exhausted: the client waits for
            // a response.
            failNow(e);
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
  public void message(Deframer.Frame frame) {
    I message;
    try (frame;
        var decompressed = WebBody.decompressed(frame, received)) {
      arrived.add(frame.message().available());
      message = method.parseRequest(decompressed);
    } catch (IOException | RuntimeException e) {
      failNow(unreadable(e));
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
    failNow(failure);
  }

  /**
   * Responds with a failure, after the steps in progress, unless the call already has a response.
   * Then cancels the handler.
   *
   * @return whether the call had no response before
   */
  boolean fail(FerryException failure) {
    boolean open = !closed.get();
    step(() -> failNow(failure));
    return open;
  }

  private void failNow(Throwable failure) {
    try {
      refuse(StatusFields.statusOf(failure));
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
    String accepted = fields.get("grpc-accept-encoding", "");
    if (Arrays.stream(accepted.split(",", -1)).map(String::trim).anyMatch(encoding::equals)) {
      sent = WebBody.codec(framing.codecs(), encoding);
    }
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compressing = enabled;
  }

  @Override
  public void sendHeaders(Metadata headers) {
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers()
        .set(HttpHeaderNames.CONTENT_TYPE, type)
        .set("grpc-accept-encoding", WebBody.names(framing.codecs()));
    if (sent != null) {
      head.headers().set("grpc-encoding", sent.getMessageEncoding());
    }
    headersSent = true;
    outbound.head(() -> exchange.prepared(head));
  }

  @Override
  public void sendMessage(O message) {
    try {
      outbound.write(framer.frame(method.streamResponse(message), compressing ? sent : null));
    } catch (IOException e) {
      throw GrpcErrors.toStatus(e, "message");
    }
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    HttpHeaders said = StatusFields.of(status, trailers);
    if (!headersSent) {
      said.set("grpc-accept-encoding", WebBody.names(framing.codecs()));
      outbound.head(() -> exchange.prepared(WebHandler.whole(type, said)));
    } else {
      outbound.end(WebBody.trailers(said));
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
