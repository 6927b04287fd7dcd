package dev.ferry.web;

import com.linecorp.armeria.client.ClientRequestContext;
import com.linecorp.armeria.client.HttpClient;
import com.linecorp.armeria.client.SimpleDecoratingHttpClient;
import com.linecorp.armeria.client.grpc.GrpcClientCall;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.ClientStreamTracer.StreamInfo;
import io.grpc.Metadata;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Lets a client of Armeria's read sound answers only, and tells the stream tracers of a call, of
 * which Armeria knows nothing, how many bytes its messages have.
 */
final class AnswerGuard extends SimpleDecoratingHttpClient {
  private static final String IDENTITY = "identity";

  private final WebFormat format;

  AnswerGuard(HttpClient next, WebFormat format) {
    super(next);
    this.format = format;
  }

  @Override
  public HttpResponse execute(ClientRequestContext context, HttpRequest request) throws Exception {
    CallOptions options = GrpcClientCall.callOptions(context);
    List<ClientStreamTracer> tracers = tracers(options);
    boolean compressed = compressed(request.headers());
    HttpRequest counted = request.peekData(message -> sent(message, compressed, tracers));
    context.updateRequest(counted);
    HttpResponse guarded =
        new GuardedAnswer(
            unwrap().execute(context, counted),
            format,
            tracers,
            options.getOption(WebChannel.REFUSAL));
    // Armeria takes an answer of gRPC-Web that has ended for one without a status, although what
    // holds it may be waiting to be read. An end that has to be asked for comes behind all of it.
    return format == WebFormat.GRPC
        ? guarded
        : HttpResponse.of(StreamMessage.concat(guarded, StreamMessage.of(HttpData.empty())));
  }

  private static List<ClientStreamTracer> tracers(CallOptions options) {
    StreamInfo info = StreamInfo.newBuilder().setCallOptions(options).build();
    return options.getStreamTracerFactories().stream()
        .map(factory -> factory.newClientStreamTracer(info, new Metadata()))
        .toList();
  }

  private static boolean compressed(RequestHeaders headers) {
    return !headers.get("grpc-encoding", IDENTITY).equals(IDENTITY);
  }

  /** Armeria's framer gives each message as one piece. */
  private void sent(HttpData message, boolean compressed, List<ClientStreamTracer> tracers) {
    long bytes = frameBytes(message) - FrameRules.HEADER_BYTES;
    tracers.forEach(tracer -> tracer.outboundMessageSent(0, bytes, compressed ? -1 : bytes));
  }

  private long frameBytes(HttpData message) {
    if (format != WebFormat.GRPC_WEB_TEXT) {
      return message.length();
    }
    ByteBuf text = message.byteBuf();
    int padding = 0;
    for (int at = text.writerIndex(); at > text.readerIndex() && text.getByte(at - 1) == '='; ) {
      at--;
      padding++;
    }
    return message.length() * 3L / 4 - padding;
  }
}
