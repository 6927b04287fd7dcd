package dev.ferry.zerocopy;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends a call with a reason if one of its requests cannot be read. grpc-java treats an exception of
 * a marshaller as an error of the server: its status has no detail, it logs a stack trace for each
 * such request, and the handler of the call is not told. Thread-safe.
 */
public final class ReadableRequests {
  private final Refusal refusal;

  /** Makes a status of a failure to read a request. */
  @FunctionalInterface
  public interface Refusal {
    /**
     * Returns the status, with its trailers, that the client gets.
     *
     * @param method the full method name
     * @param failure what the marshaller threw
     */
    StatusRuntimeException status(String method, RuntimeException failure);
  }

  private ReadableRequests(Refusal refusal) {
    this.refusal = refusal;
  }

  /**
   * Returns a service that unreadable requests do not reach. The handler of a method to which
   * clients stream sees that its call is cancelled.
   */
  public static ServerServiceDefinition of(ServerServiceDefinition service, Refusal refusal) {
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> method : service.getMethods()) {
      methods.add(of(method, refusal));
    }
    return service(service.getServiceDescriptor(), methods);
  }

  static <Q, R> ServerMethodDefinition<?, R> of(
      ServerMethodDefinition<Q, R> method, Refusal refusal) {
    return new ReadableRequests(refusal).readable(method);
  }

  /** Returns a service with these methods. It keeps the schema, for reflection. */
  static ServerServiceDefinition service(
      ServiceDescriptor original, List<ServerMethodDefinition<?, ?>> methods) {
    ServiceDescriptor.Builder described =
        ServiceDescriptor.newBuilder(original.getName())
            .setSchemaDescriptor(original.getSchemaDescriptor());
    methods.forEach(method -> described.addMethod(method.getMethodDescriptor()));
    ServerServiceDefinition.Builder service = ServerServiceDefinition.builder(described.build());
    methods.forEach(service::addMethod);
    return service.build();
  }

  private <Q, R> ServerMethodDefinition<Object, R> readable(ServerMethodDefinition<Q, R> method) {
    MethodDescriptor<Q, R> descriptor = method.getMethodDescriptor();
    MethodDescriptor<Object, R> readable =
        descriptor.toBuilder(
                new Marshaller(descriptor.getRequestMarshaller()),
                descriptor.getResponseMarshaller())
            .build();
    return ServerMethodDefinition.create(
        readable, (call, headers) -> start(method.getServerCallHandler(), call, headers));
  }

  /**
   * Starts the call. The casts are safe: the handler uses the call only to send responses, and gets
   * what its own marshaller has read.
   */
  @SuppressWarnings("unchecked")
  private <Q, R> ServerCall.Listener<Object> start(
      ServerCallHandler<Q, R> handler, ServerCall<Object, R> call, Metadata headers) {
    RefusableCall<R> refusable = new RefusableCall<>(call);
    ServerCall<Q, R> typed = (ServerCall<Q, R>) (ServerCall<?, R>) refusable;
    return new Listener((ServerCall.Listener<Object>) handler.startCall(typed, headers), refusable);
  }

  /** A call that its handler may close after it was refused, as it may a cancelled call. */
  private static final class RefusableCall<R> extends SimpleForwardingServerCall<Object, R> {
    private volatile boolean refused;

    RefusableCall(ServerCall<Object, R> call) {
      super(call);
    }

    void refuse(Status status, Metadata trailers) {
      refused = true;
      super.close(status, trailers);
    }

    @Override
    public void close(Status status, Metadata trailers) {
      if (!refused) {
        super.close(status, trailers);
      }
    }
  }

  /** Stands for a request that cannot be read. */
  private record Unreadable(RuntimeException failure) {}

  /** Reads requests, or returns an {@link Unreadable}. */
  private record Marshaller(MethodDescriptor.Marshaller<?> requests)
      implements MethodDescriptor.Marshaller<Object> {
    @Override
    public InputStream stream(Object request) {
      throw new UnsupportedOperationException("a server sends no requests");
    }

    @Override
    public Object parse(InputStream stream) {
      try {
        return requests.parse(stream);
      } catch (RuntimeException e) {
        return new Unreadable(e);
      }
    }
  }

  private final class Listener extends ServerCall.Listener<Object> {
    private final ServerCall.Listener<Object> handler;
    private final RefusableCall<?> call;
    private boolean refused;
    private boolean told;

    Listener(ServerCall.Listener<Object> handler, RefusableCall<?> call) {
      this.handler = handler;
      this.call = call;
    }

    @Override
    public void onMessage(Object request) {
      if (refused) {
        if (request instanceof BytesMessage<?> message) {
          message.close();
        }
        return;
      }
      if (request instanceof Unreadable unreadable) {
        refuse(unreadable.failure());
      } else {
        handler.onMessage(request);
      }
    }

    private void refuse(RuntimeException failure) {
      refused = true;
      MethodDescriptor<?, ?> method = call.getMethodDescriptor();
      StatusRuntimeException status = refusal.status(method.getFullMethodName(), failure);
      Metadata trailers = status.getTrailers();
      call.refuse(status.getStatus(), trailers == null ? new Metadata() : trailers);
      if (!method.getType().clientSendsOneMessage()) {
        // Otherwise it would wait for more.
        told = true;
        handler.onCancel();
      }
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
      if (!told) {
        handler.onCancel();
      }
    }

    @Override
    public void onComplete() {
      if (!told) {
        handler.onComplete();
      }
    }
  }
}
