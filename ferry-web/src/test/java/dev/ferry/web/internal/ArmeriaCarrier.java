package dev.ferry.web.internal;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.client.ResponseTimeoutException;
import com.linecorp.armeria.client.ResponseTimeoutMode;
import com.linecorp.armeria.client.SimpleDecoratingHttpClient;
import com.linecorp.armeria.client.UnprocessedRequestException;
import com.linecorp.armeria.client.grpc.GrpcClientCall;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.CommonPools;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.common.util.TlsEngineType;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcChannel;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.internal.frame.FrameRules;
import dev.ferry.web.internal.frame.TextDecoder;
import dev.ferry.wire.ClientCertificate;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilesGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Armeria's client of gRPC-Web as a carrier: the calls are those of Ferry's client of gRPC, their
 * frames, fields and connections are Armeria's.
 */
final class ArmeriaCarrier {
  private ArmeriaCarrier() {}

  /**
   * Connects, lazily.
   *
   * @param basePath that of the server; empty for none
   * @param text whether bodies are base64
   * @param tls null for plain text
   * @param token sent with each call; null for none
   */
  static Carrier connect(
      String host,
      int port,
      String basePath,
      boolean text,
      HttpProtocol protocol,
      @Nullable ClientTls tls,
      @Nullable Token token) {
    ClientFactoryBuilder builder = ClientFactory.builder().connectTimeout(Carrier.CONNECT_TIMEOUT);
    if (tls != null) {
      builder
          .tlsEngineType(
              tls.provider() == TlsProvider.JDK ? TlsEngineType.JDK : TlsEngineType.OPENSSL)
          .tlsCustomizer(context -> customize(context, tls));
    }
    ClientFactory factory = builder.build();
    String uri =
        "gproto-web%s+%s%s://%s:%d%s/"
            .formatted(
                text ? "-text" : "",
                protocol == HttpProtocol.H2C ? "h2" : "h1",
                tls == null ? "c" : "",
                host,
                port,
                basePath);
    Channel channel =
        GrpcClients.builder(uri)
            .factory(factory)
            // Its limits on a response are not for files.
            .maxResponseLength(0)
            .maxResponseMessageLength(Limits.MAX_MESSAGE)
            .responseTimeout(Duration.ZERO)
            .responseTimeoutMode(ResponseTimeoutMode.FROM_START)
            .writeTimeout(Duration.ZERO)
            .exceptionHandler((context, status, cause, metadata) -> status(cause))
            .decorator(next -> new Traced(next, text))
            .intercept(new Serialized())
            .build(FilesGrpc.FilesStub.class)
            .getChannel();
    return new GrpcCarrier(
        new GrpcChannel(channel, protocol.wireName(tls != null), idle -> factory.close()),
        GrpcSetup.ofClient(),
        token == null ? null : token.authorization(host, tls != null),
        false);
  }

  /**
   * Returns the status of a call whose connection is cut, or takes as long as the call may; null
   * for that of Armeria.
   */
  private static @Nullable Status status(Throwable cause) {
    if (cause instanceof ClosedSessionException) {
      return Status.UNAVAILABLE.withCause(cause);
    }
    return cause instanceof UnprocessedRequestException
            && cause.getCause() instanceof ResponseTimeoutException
        ? Status.DEADLINE_EXCEEDED.withCause(cause)
        : null;
  }

  private static void customize(SslContextBuilder context, ClientTls tls) {
    context.trustManager(tls.trust());
    ClientCertificate own = tls.certificate();
    if (own != null) {
      context.keyManager(own.key(), own.certificates());
    }
  }

  /**
   * Serializes messages where they are sent: Armeria drops those of a call that has ended, which
   * have buffers.
   */
  private static final class Serialized implements ClientInterceptor {
    private static final MethodDescriptor.Marshaller<InputStream> BYTES =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(InputStream value) {
            return value;
          }

          @Override
          public InputStream parse(InputStream stream) {
            return stream;
          }
        };

    @Override
    public <I, O> ClientCall<I, O> interceptCall(
        MethodDescriptor<I, O> method, CallOptions options, Channel next) {
      // Armeria's loops are for all carriers, and a test may keep a receiver waiting.
      ClientCall<InputStream, O> call =
          next.newCall(
              method.toBuilder(BYTES, method.getResponseMarshaller()).build(),
              options.withExecutor(CommonPools.blockingTaskExecutor()));
      return new ClientCall<>() {
        @Override
        public void start(Listener<O> listener, Metadata headers) {
          call.start(listener, headers);
        }

        @Override
        public void request(int messages) {
          call.request(messages);
        }

        @Override
        public void sendMessage(I message) {
          try (InputStream stream = method.streamRequest(message)) {
            call.sendMessage(new ByteArrayInputStream(stream.readAllBytes()));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }

        @Override
        public boolean isReady() {
          return call.isReady();
        }

        @Override
        public void setMessageCompression(boolean enabled) {
          call.setMessageCompression(enabled);
        }

        @Override
        public void halfClose() {
          call.halfClose();
        }

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
          call.cancel(message, cause);
        }
      };
    }
  }

  /**
   * Tells the stream tracers of a call, which Armeria does not know, of its encoding and of the
   * bytes of its messages before base64. Those of a response end where its trailers begin.
   *
   * <p>It also works around three faults of Armeria 1.36. A call whose response has ended while its
   * last messages wait for a slow reader fails as if it had no status: so each response gets an
   * empty chunk more. Its deframer asks for the next chunk while it still deframes one, if that
   * arrives within the request for it, and may meet the end before it reads the status: so chunks
   * arrive later. A call whose response has ended before its request fails if it has a message to
   * send, whatever the status says: so the rest of such a request is taken, and dropped.
   */
  private static final class Traced extends SimpleDecoratingHttpClient {
    private static final Metadata.Key<String> ENCODING =
        Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

    private final boolean text;

    Traced(HttpClient next, boolean text) {
      super(next);
      this.text = text;
    }

    @Override
    public HttpResponse execute(ClientRequestContext context, HttpRequest request)
        throws Exception {
      CallOptions options = GrpcClientCall.callOptions(context);
      StreamInfo info = StreamInfo.newBuilder().setCallOptions(options).build();
      List<ClientStreamTracer> tracers =
          options.getStreamTracerFactories().stream()
              .map(factory -> factory.newClientStreamTracer(info, new Metadata()))
              .toList();
      HttpRequestWriter sent = HttpRequest.streaming(request.headers());
      context.updateRequest(sent);
      request.subscribe(
          new Forwarder(sent, data -> sent(data, request, tracers)),
          context.eventLoop(),
          SubscriptionOption.WITH_POOLED_OBJECTS);
      HttpResponse response =
          unwrap()
              .execute(context, sent)
              .peekHeaders(
                  head -> {
                    Metadata metadata = new Metadata();
                    metadata.put(ENCODING, head.get(ENCODING.name(), "identity"));
                    tracers.forEach(tracer -> tracer.inboundHeaders(metadata));
                  })
              .peekData(new Received(text, tracers));
      StreamMessage<HttpObject> longer =
          StreamMessage.concat(response, StreamMessage.of(HttpData.empty()));
      return HttpResponse.of(
          subscriber ->
              longer.subscribe(
                  new Later(subscriber, context.eventLoop()),
                  context.eventLoop(),
                  SubscriptionOption.NOTIFY_CANCELLATION));
    }

    private void sent(HttpData data, HttpRequest request, List<ClientStreamTracer> tracers) {
      boolean plain = request.headers().get(ENCODING.name(), "identity").equals("identity");
      long bytes = bytes(data);
      tracers.forEach(tracer -> tracer.outboundMessageSent(0, bytes, plain ? bytes : -1));
    }

    private long bytes(HttpData data) {
      return text ? data.length() * 3L / 4 : data.length();
    }
  }

  /** Counts the bytes of the messages of a response, in the order in which they arrive. */
  private static final class Received implements Consumer<HttpData> {
    private final @Nullable TextDecoder decoder;
    private final List<ClientStreamTracer> tracers;

    /** That of the next message, as far as it has arrived. */
    private final ByteBuf header = Unpooled.buffer(FrameRules.HEADER_BYTES);

    /** Bytes of the current message that are still to come. */
    private long left;

    private boolean trailers;

    Received(boolean text, List<ClientStreamTracer> tracers) {
      this.decoder = text ? new TextDecoder() : null;
      this.tracers = tracers;
    }

    @Override
    public void accept(HttpData data) {
      ByteBuf bytes = plain(data);
      long messages = 0;
      while (bytes.isReadable() && !trailers) {
        if (left > 0) {
          int n = (int) Math.min(left, bytes.readableBytes());
          bytes.skipBytes(n);
          left -= n;
          messages += n;
        } else {
          header.writeByte(bytes.readByte());
          trailers = (header.getByte(0) & FrameRules.TRAILERS) != 0;
        }
        if (header.readableBytes() == FrameRules.HEADER_BYTES) {
          left = header.getUnsignedInt(1);
          messages += FrameRules.HEADER_BYTES;
          header.clear();
        }
      }
      for (ClientStreamTracer tracer : tracers) {
        tracer.inboundWireSize(messages);
      }
    }

    /** Returns the bytes of a chunk before base64, without taking them from it. */
    private ByteBuf plain(HttpData data) {
      if (decoder == null) {
        return data.byteBuf();
      }
      ByteBuf plain = Unpooled.buffer(TextDecoder.bound(data.length()));
      try {
        decoder.decode(data.byteBuf(), plain);
      } catch (FerryException e) {
        throw new UncheckedIOException(new IOException(e));
      }
      return plain;
    }
  }

  /** Requests what a subscriber requests in a later turn of the event loop. */
  private record Later(Subscriber<? super HttpObject> target, Executor loop)
      implements Subscriber<HttpObject> {
    @Override
    public void onSubscribe(Subscription begun) {
      target.onSubscribe(
          new Subscription() {
            @Override
            public void request(long n) {
              loop.execute(() -> begun.request(n));
            }

            @Override
            public void cancel() {
              begun.cancel();
            }
          });
    }

    @Override
    public void onNext(HttpObject object) {
      target.onNext(object);
    }

    @Override
    public void onError(Throwable cause) {
      target.onError(cause);
    }

    @Override
    public void onComplete() {
      target.onComplete();
    }
  }

  /** Forwards the body of a request as it is taken, and takes the rest when nobody does. */
  private static final class Forwarder implements Subscriber<HttpObject> {
    private final HttpRequestWriter target;
    private final Consumer<HttpData> sent;

    @SuppressWarnings("NullAway.Init") // Set first.
    private Subscription subscription;

    Forwarder(HttpRequestWriter target, Consumer<HttpData> sent) {
      this.target = target;
      this.sent = sent;
    }

    @Override
    public void onSubscribe(Subscription begun) {
      subscription = begun;
      begun.request(1);
    }

    @Override
    public void onNext(HttpObject object) {
      if (object instanceof HttpData data) {
        sent.accept(data);
      }
      // Releases what it does not take.
      if (target.tryWrite(object)) {
        target.whenConsumed().whenComplete((taken, gone) -> subscription.request(1));
      } else {
        subscription.request(1);
      }
    }

    @Override
    public void onError(Throwable cause) {
      target.abort(cause);
    }

    @Override
    public void onComplete() {
      target.close();
    }
  }
}
