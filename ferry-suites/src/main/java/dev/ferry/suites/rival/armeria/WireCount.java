package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.client.SimpleDecoratingHttpClient;
import com.linecorp.armeria.client.grpc.GrpcClientCall;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;
import java.util.List;

/**
 * Reports the bytes of the bodies of a call to its stream tracers, which Armeria does not support.
 * It counts the bytes before base64, with the five of each message's prefix.
 *
 * <p>It also appends an empty chunk to each response. Armeria 1.36 fails a call whose response has
 * ended while its last messages wait for a slow reader, as if it had no status. The empty chunk
 * moves the end after these messages.
 */
final class WireCount extends SimpleDecoratingHttpClient {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);
  private static final String IDENTITY = "identity";

  private final boolean text;

  WireCount(HttpClient next, boolean text) {
    super(next);
    this.text = text;
  }

  @Override
  public HttpResponse execute(ClientRequestContext context, HttpRequest request) throws Exception {
    CallOptions options = GrpcClientCall.callOptions(context);
    StreamInfo info = StreamInfo.newBuilder().setCallOptions(options).build();
    List<ClientStreamTracer> tracers =
        options.getStreamTracerFactories().stream()
            .map(factory -> factory.newClientStreamTracer(info, new Metadata()))
            .toList();
    boolean compressed = !request.headers().get(ENCODING.name(), IDENTITY).equals(IDENTITY);
    HttpRequest counted = request.peekData(data -> sent(data, compressed, tracers));
    context.updateRequest(counted);
    HttpResponse response =
        unwrap()
            .execute(context, counted)
            .peekHeaders(head -> begun(head, tracers))
            .peekData(data -> tracers.forEach(t -> t.inboundWireSize(bytes(data))));
    return HttpResponse.of(StreamMessage.concat(response, StreamMessage.of(HttpData.empty())));
  }

  private void sent(HttpData data, boolean compressed, List<ClientStreamTracer> tracers) {
    long bytes = bytes(data);
    tracers.forEach(t -> t.outboundMessageSent(0, bytes, compressed ? -1 : bytes));
  }

  private static void begun(ResponseHeaders head, List<ClientStreamTracer> tracers) {
    Metadata metadata = new Metadata();
    metadata.put(ENCODING, head.get(ENCODING.name(), IDENTITY));
    tracers.forEach(t -> t.inboundHeaders(metadata));
  }

  private long bytes(HttpData data) {
    return text ? data.length() * 3L / 4 : data.length();
  }
}
