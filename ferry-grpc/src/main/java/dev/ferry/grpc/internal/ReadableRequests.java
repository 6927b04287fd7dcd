package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.message.ChunkMarshaller;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.contract.GrpcErrors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rejects an unreadable request with INVALID_ARGUMENT and the name of its method, and counts it.
 * grpc-java treats an exception of a marshaller as a server error: its status has no detail, and it
 * logs a stack trace for each call. Thread-safe.
 *
 * @param refusals counts the unreadable requests
 */
public record ReadableRequests(Refusals refusals) {
  /** Wraps a service so that unreadable requests do not reach it. */
  public ServerServiceDefinition of(ServerServiceDefinition service) {
    ServiceDescriptor descriptor = service.getServiceDescriptor();
    ServiceDescriptor.Builder described =
        ServiceDescriptor.newBuilder(descriptor.getName())
            .setSchemaDescriptor(descriptor.getSchemaDescriptor());
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
      ServerMethodDefinition<?, ?> readable = readable(method);
      methods.add(readable);
      described.addMethod(readable.getMethodDescriptor());
    }
    ServerServiceDefinition.Builder readable = ServerServiceDefinition.builder(described.build());
    methods.forEach(readable::addMethod);
    return readable.build();
  }

  private StatusRuntimeException refuse(FerryException failure) {
    refusals.count(Refusals.Reason.BAD_MESSAGE);
    return GrpcErrors.toStatus(failure, "request");
  }

  private <Q, R> ServerMethodDefinition<?, R> readable(ServerMethodDefinition<Q, R> method) {
    MethodDescriptor<Q, R> descriptor = method.getMethodDescriptor();
    MethodDescriptor.Marshaller<Q> requests = descriptor.getRequestMarshaller();
    if (requests instanceof ChunkMarshaller) {
      // This marshaller reports unreadable messages itself.
      return method;
    }
    MethodDescriptor<Read<Q>, R> readable =
        descriptor.toBuilder(
                new Marshaller<>(requests, descriptor.getFullMethodName()),
                descriptor.getResponseMarshaller())
            .build();
    return ServerMethodDefinition.create(
        readable, (call, headers) -> start(method.getServerCallHandler(), call, headers));
  }

  /**
   * Starts the call. The cast is safe because the handler uses the call only to send responses and
   * never sees a {@code Read}.
   */
  @SuppressWarnings("unchecked")
  private <Q, R> ServerCall.Listener<Read<Q>> start(
      ServerCallHandler<Q, R> handler, ServerCall<Read<Q>, R> call, Metadata headers) {
    return new Listener<>(
        handler.startCall((ServerCall<Q, R>) (ServerCall<?, R>) call, headers), call);
  }

  /** A parsed request, or the failure to parse it. */
  private record Read<Q>(@Nullable Q message, @Nullable FerryException failure) {}

  private record Marshaller<Q>(MethodDescriptor.Marshaller<Q> requests, String method)
      implements MethodDescriptor.Marshaller<Read<Q>> {
    @Override
    public InputStream stream(Read<Q> read) {
      throw new UnsupportedOperationException("a server sends no requests");
    }

    @Override
    public Read<Q> parse(InputStream stream) {
      try {
        return new Read<>(requests.parse(stream), null);
      } catch (RuntimeException e) {
        return new Read<>(null, ChunkMarshaller.failure(method, e));
      }
    }
  }

  private final class Listener<Q> extends ServerCall.Listener<Read<Q>> {
    private final ServerCall.Listener<Q> handler;
    private final ServerCall<?, ?> call;
    private boolean refused;

    Listener(ServerCall.Listener<Q> handler, ServerCall<?, ?> call) {
      this.handler = handler;
      this.call = call;
    }

    @Override
    public void onMessage(Read<Q> read) {
      if (refused) {
        return;
      }
      if (read.message() != null) {
        handler.onMessage(read.message());
        return;
      }
      refused = true;
      StatusRuntimeException status = refuse(Objects.requireNonNull(read.failure()));
      Metadata trailers = status.getTrailers();
      call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    @Override
    public void onHalfClose() {
      if (!refused) {
        handler.onHalfClose();
      }
    }

    @Override
    public void onReady() {
      if (!refused) {
        handler.onReady();
      }
    }

    @Override
    public void onCancel() {
      handler.onCancel();
    }

    @Override
    public void onComplete() {
      handler.onComplete();
    }
  }
}
