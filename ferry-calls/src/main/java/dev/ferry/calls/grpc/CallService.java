package dev.ferry.calls.grpc;

import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.contract.Errors;
import dev.ferry.core.FerryException;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Builds a service from methods with hand-written protobuf adapters and their handlers. A unary
 * response is serialized before it is passed to grpc-java, because only then is it known how many
 * bytes of the {@link ConcurrencyLimiter} it needs.
 */
final class CallService {
  private static final MethodDescriptor.Marshaller<InputStream> WRITTEN = new Written();

  private final ServiceDescriptor generated;
  private final ConcurrencyLimiter limiter;
  private final List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();

  /** Computes the response to a request. */
  @FunctionalInterface
  interface Handler<I, O> {
    O handle(I request) throws FerryException;
  }

  /**
   * Creates a builder without methods.
   *
   * @param generated the generated service; its schema is used for reflection
   */
  CallService(ServiceDescriptor generated, ConcurrencyLimiter limiter) {
    this.generated = generated;
    this.limiter = limiter;
  }

  /**
   * Adds a unary method.
   *
   * @param name the name of the result, for messages
   */
  <I, O> CallService unary(MethodDescriptor<I, O> method, String name, Handler<I, O> handler) {
    return add(
        method.toBuilder(method.getRequestMarshaller(), WRITTEN).build(),
        ServerCalls.asyncUnaryCall(
            (I request, StreamObserver<InputStream> responses) -> {
              InputStream response;
              try {
                response = method.streamResponse(handler.handle(request));
                reserve(response.available(), (ServerCallStreamObserver<?>) responses);
              } catch (IOException e) {
                responses.onError(Errors.toStatus(e, name));
                return;
              }
              responses.onNext(response);
              responses.onCompleted();
            }));
  }

  /** Counts the bytes until the call is over, in one of the two ways there are. */
  private void reserve(int bytes, ServerCallStreamObserver<?> responses) throws FerryException {
    long taken = limiter.take(bytes);
    if (taken > 0) {
      Runnable give = () -> limiter.give(taken);
      responses.setOnCloseHandler(give);
      responses.setOnCancelHandler(give);
    }
  }

  /** Adds a server-streaming method. Messages are created only when the client can accept them. */
  <I, O> CallService stream(
      MethodDescriptor<I, O> method, String name, Handler<I, Iterator<O>> handler) {
    return add(
        method,
        ServerCalls.asyncServerStreamingCall(
            (I request, StreamObserver<O> responses) -> {
              try {
                IteratorSender.start(
                    handler.handle(request), (ServerCallStreamObserver<O>) responses);
              } catch (FerryException e) {
                responses.onError(Errors.toStatus(e, name));
              }
            }));
  }

  private <I, O> CallService add(MethodDescriptor<I, O> method, ServerCallHandler<I, O> handler) {
    methods.add(ServerMethodDefinition.create(method, handler));
    return this;
  }

  ServerServiceDefinition build() {
    ServiceDescriptor.Builder descriptor =
        ServiceDescriptor.newBuilder(generated.getName())
            .setSchemaDescriptor(generated.getSchemaDescriptor());
    methods.forEach(method -> descriptor.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(descriptor.build());
    methods.forEach(service::addMethod);
    return service.build();
  }

  /** A marshaller of serialized messages. */
  private static final class Written implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream message) {
      return message;
    }

    @Override
    public InputStream parse(InputStream stream) {
      throw new UnsupportedOperationException("a server reads no responses");
    }
  }
}
