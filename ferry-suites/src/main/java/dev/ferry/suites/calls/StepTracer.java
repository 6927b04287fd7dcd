package dev.ferry.suites.calls;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;

/** Marks the steps of calls over grpc-java. */
final class StepTracer extends ClientStreamTracer.Factory implements ClientInterceptor {
  private final CallSteps steps;
  private final boolean connects;

  /**
   * Marks steps.
   *
   * @param connects whether each call has a connection of its own to wait for
   */
  StepTracer(CallSteps steps, boolean connects) {
    this.steps = steps;
    this.connects = connects;
  }

  @Override
  public <I, O> ClientCall<I, O> interceptCall(
      MethodDescriptor<I, O> method, CallOptions options, Channel next) {
    return next.newCall(method, options.withStreamTracerFactory(this));
  }

  @Override
  public ClientStreamTracer newClientStreamTracer(
      ClientStreamTracer.StreamInfo info, Metadata headers) {
    return new ClientStreamTracer() {
      @Override
      public void streamCreated(Attributes transport, Metadata sent) {
        if (connects) {
          steps.end(CallSteps.CONNECT);
        }
      }

      @Override
      public void inboundHeaders() {
        steps.end(CallSteps.FIRST_BYTE);
      }
    };
  }
}
