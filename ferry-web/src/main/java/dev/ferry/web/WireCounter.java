package dev.ferry.web;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.client.SimpleDecoratingHttpClient;
import com.linecorp.armeria.client.grpc.GrpcClientCall;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.ferry.contract.Errors;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the stream tracers of a call, of which Armeria knows nothing, what its bodies were: frames
 * and all, but before base64; and keeps the status of an answer that is nothing else.
 */
final class WireCounter extends SimpleDecoratingHttpClient {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  private final boolean text;

  WireCounter(HttpClient next, WebFormat format) {
    super(next);
    this.text = format == WebFormat.GRPC_WEB_TEXT;
  }

  @Override
  public HttpResponse execute(ClientRequestContext context, HttpRequest request) throws Exception {
    CallOptions options = GrpcClientCall.callOptions(context);
    List<ClientStreamTracer> tracers = tracers(options);
    boolean packed = packed(request.headers());
    Counter sent = new Counter(bytes -> tracers.forEach(t -> sent(t, bytes, packed)));
    HttpRequest counted = request.peekData(sent::add);
    context.updateRequest(counted);
    Counter received = new Counter(bytes -> tracers.forEach(t -> t.inboundWireSize(bytes)));
    return unwrap()
        .execute(context, counted)
        .peekHeaders(headers -> begun(headers, options, tracers))
        .peekData(received::add);
  }

  private static List<ClientStreamTracer> tracers(CallOptions options) {
    StreamInfo info = StreamInfo.newBuilder().setCallOptions(options).build();
    return options.getStreamTracerFactories().stream()
        .map(factory -> factory.newClientStreamTracer(info, new Metadata()))
        .toList();
  }

  private static void begun(
      ResponseHeaders headers, CallOptions options, List<ClientStreamTracer> tracers) {
    tracers.forEach(t -> t.inboundHeaders(metadata(headers)));
    AtomicReference<@Nullable StatusRuntimeException> refusal =
        options.getOption(WebChannel.REFUSAL);
    int code = headers.getInt("grpc-status", 0);
    if (code != 0 && refusal != null) {
      refusal.set(refusal(headers, Status.fromCodeValue(code)));
    }
  }

  private static StatusRuntimeException refusal(ResponseHeaders headers, Status status) {
    Metadata trailers = new Metadata();
    String kind = headers.get(Errors.KIND_TRAILER.name());
    if (kind != null) {
      trailers.put(Errors.KIND_TRAILER, kind);
    }
    String message = headers.get("grpc-message");
    return status
        .withDescription(
            message == null
                ? null
                : URLDecoder.decode(message.replace("+", "%2B"), StandardCharsets.UTF_8))
        .asRuntimeException(trailers);
  }

  private static boolean packed(RequestHeaders headers) {
    return !headers.get("grpc-encoding", "identity").equals("identity");
  }

  private static void sent(ClientStreamTracer tracer, long bytes, boolean packed) {
    tracer.outboundMessageSent(0, bytes, packed ? -1 : bytes);
  }

  private static Metadata metadata(ResponseHeaders headers) {
    Metadata metadata = new Metadata();
    String encoding = headers.get(ENCODING.name());
    if (encoding != null) {
      metadata.put(ENCODING, encoding);
    }
    return metadata;
  }

  /** Adds up one direction of one call, whose pieces come one after another. */
  private final class Counter {
    private final LongConsumer more;
    private long seen;
    private long told;

    Counter(LongConsumer more) {
      this.more = more;
    }

    void add(HttpData data) {
      seen += data.length();
      long bytes = text ? seen * 3 / 4 : seen;
      more.accept(bytes - told);
      told = bytes;
    }
  }
}
