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
 * Builds a service from methods with messages of our own, each with what answers it. The one answer
 * of a call is written before it is given to grpc-java: only then is known how much {@link
 * ConcurrencyLimiter} it takes.
 */
final class CallService {
  private static final MethodDescriptor.Marshaller<InputStream> WRITTEN = new Written();

  private final ServiceDescriptor generated;
  private final ConcurrencyLimiter room;
  private final List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();

  /** What answers a request. */
  @FunctionalInterface
  interface IncomingResponse<I, O> {
    O of(I request) throws FerryException;
  }

  /**
   * Begins without methods.
   *
   * @param generated the service as it is generated; its schema is kept, for reflection
   */
  CallService(ServiceDescriptor generated, ConcurrencyLimiter room) {
    this.generated = generated;
    this.room = room;
  }

  /**
   * Adds a method of one answer.
   *
   * @param name what is answered, for messages
   */
  <I, O> CallService unary(
      MethodDescriptor<I, O> method, String name, IncomingResponse<I, O> answer) {
    return add(
        method.toBuilder(method.getRequestMarshaller(), WRITTEN).build(),
        ServerCalls.asyncUnaryCall(
            (I request, StreamObserver<InputStream> responses) -> {
              InputStream response;
              try {
                response = method.streamResponse(answer.of(request));
                makeRoom(response.available(), (ServerCallStreamObserver<?>) responses);
              } catch (IOException e) {
                responses.onError(Errors.toStatus(e, name));
                return;
              }
              responses.onNext(response);
              responses.onCompleted();
            }));
  }

  /** Takes room until the call is over, in one of the two ways there are. */
  private void makeRoom(int bytes, ServerCallStreamObserver<?> responses) throws FerryException {
    long taken = room.take(bytes);
    if (taken > 0) {
      Runnable give = () -> room.give(taken);
      responses.setOnCloseHandler(give);
      responses.setOnCancelHandler(give);
    }
  }

  /** Adds a method of many answers, of which no more are made than the client takes. */
  <I, O> CallService stream(
      MethodDescriptor<I, O> method, String name, IncomingResponse<I, Iterator<O>> answer) {
    return add(
        method,
        ServerCalls.asyncServerStreamingCall(
            (I request, StreamObserver<O> responses) -> {
              try {
                IteratorSender.start(answer.of(request), (ServerCallStreamObserver<O>) responses);
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

  /** Messages that were written already. */
  private static final class Written implements MethodDescriptor.Marshaller<InputStream> {
    @Override
    public InputStream stream(InputStream message) {
      return message;
    }

    @Override
    public InputStream parse(InputStream stream) {
      throw new UnsupportedOperationException("a server reads no answers");
    }
  }
}
