package dev.ferry.web;

import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.grpc.ArrivedBytes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.netty.util.AttributeKey;

/** Tells a service how many bytes of its call have arrived, as {@link FrameGuard} counts them. */
final class ArrivedInterceptor implements ServerInterceptor {
  /** Of a request whose frames are looked at. */
  static final AttributeKey<ArrivedBytes> ARRIVED =
      AttributeKey.valueOf(ArrivedInterceptor.class, "arrived");

  @Override
  public <I, O> ServerCall.Listener<I> interceptCall(
      ServerCall<I, O> call, Metadata headers, ServerCallHandler<I, O> next) {
    ArrivedBytes arrived = ServiceRequestContext.current().attr(ARRIVED);
    return arrived == null
        ? next.startCall(call, headers)
        : Contexts.interceptCall(arrived.in(Context.current()), call, headers, next);
  }
}
