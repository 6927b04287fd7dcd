package dev.ferry.web;

import com.google.protobuf.InvalidProtocolBufferException;
import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.grpc.GrpcExceptionHandlerFunction;
import dev.ferry.grpc.ReadableRequests;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Does what {@link ReadableRequests} does for a service that has to be Armeria's to see:
 * reflection, which is given its server so.
 */
final class UnreadableRequests implements GrpcExceptionHandlerFunction {
  private final ReadableRequests readable;

  UnreadableRequests(ReadableRequests readable) {
    this.readable = readable;
  }

  @Override
  public @Nullable Status apply(
      RequestContext context, Status status, Throwable cause, Metadata metadata) {
    if (!(status.getCause() instanceof InvalidProtocolBufferException)) {
      return null;
    }
    String method = context.path().substring(1);
    StatusRuntimeException refusal = readable.refuse(method, status.asRuntimeException());
    Metadata kind = refusal.getTrailers();
    if (kind != null) {
      metadata.merge(kind);
    }
    return refusal.getStatus();
  }
}
