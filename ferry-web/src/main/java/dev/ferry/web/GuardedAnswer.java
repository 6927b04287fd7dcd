package dev.ferry.web;

import com.linecorp.armeria.common.FilteredHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import dev.ferry.contract.Errors;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.web.Frames.Side;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;

/**
 * An answer that fails where it is not sound, before Armeria's client reads it: that would leave a
 * call without an end where a status is missing or is no number.
 */
final class GuardedAnswer extends FilteredHttpResponse {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);
  private static final String STATUS = "grpc-status";
  private static final String NAME = "answer";

  private final WebFormat format;
  private final List<ClientStreamTracer> tracers;
  private final @Nullable AtomicReference<@Nullable StatusRuntimeException> refusal;

  /** Null before the head, and where the answer is not gRPC's, whose HTTP status says it all. */
  private @Nullable Frames frames;

  private @Nullable FrameCheck check;
  private boolean hasStatus;
  private long told;

  /**
   * @param tracers hear of the encoding and the bytes of messages
   * @param refusal is told of a status among the header fields
   */
  GuardedAnswer(
      HttpResponse answer,
      WebFormat format,
      List<ClientStreamTracer> tracers,
      @Nullable AtomicReference<@Nullable StatusRuntimeException> refusal) {
    super(answer, true);
    this.refusal = refusal;
    this.format = format;
    this.tracers = tracers;
  }

  @Override
  protected HttpObject filter(HttpObject object) {
    try {
      if (object instanceof HttpData data) {
        take(data);
      } else if (object instanceof HttpHeaders headers) {
        take(headers);
      }
      return object;
    } catch (FerryException e) {
      if (object instanceof HttpData data) {
        data.close();
      }
      throw Errors.toStatus(e, NAME);
    }
  }

  private void take(HttpHeaders headers) throws FerryException {
    String status = headers.get(STATUS);
    if (status != null) {
      WebTrailers.checkStatus(status);
      hasStatus = true;
      StatusRuntimeException said = GrpcAnswers.status(headers);
      if (refusal != null && !said.getStatus().isOk()) {
        refusal.set(said);
      }
    }
    if (headers instanceof ResponseHeaders head && !head.status().isInformational()) {
      begin(head);
    }
  }

  private void begin(ResponseHeaders head) {
    if (!head.status().equals(HttpStatus.OK)) {
      hasStatus = true;
      return;
    }
    Metadata metadata = new Metadata();
    String encoding = head.get(ENCODING.name());
    if (encoding != null) {
      metadata.put(ENCODING, encoding);
    }
    tracers.forEach(tracer -> tracer.inboundHeaders(metadata));
    boolean compressed = encoding != null && !encoding.equals("identity");
    Side side = format == WebFormat.GRPC ? Side.GRPC_ANSWER : Side.WEB_ANSWER;
    Frames begun = new Frames(new FrameRules(side, compressed, true));
    frames = begun;
    check = format == WebFormat.GRPC_WEB_TEXT ? new TextFrames(begun, side) : begun;
  }

  private void take(HttpData data) throws FerryException {
    if (frames == null || check == null) {
      return;
    }
    check.accept(data.byteBuf());
    long bytes = frames.messageBytes() - told;
    told += bytes;
    tracers.forEach(tracer -> tracer.inboundWireSize(bytes));
  }

  @Override
  protected void beforeComplete(Subscriber<? super HttpObject> subscriber) {
    try {
      if (check != null) {
        check.end();
      }
      if (!hasStatus && (frames == null || !frames.hasStatus())) {
        throw new FerryException(
            ErrorKind.INCOMPLETE, "the answer ends without its status; ask once more");
      }
    } catch (FerryException e) {
      throw Errors.toStatus(e, NAME);
    }
  }
}
