package dev.ferry.suites.url;

import com.google.protobuf.DynamicMessage;
import dev.ferry.suites.calls.service.grpc.TunedChannel;
import dev.ferry.suites.rival.GrpcEnd;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/** Calls a unary method with messages that are bytes, so that no generated code is needed. */
final class GrpcClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final GrpcAddress address;
  private final ManagedChannel channel;
  private final MethodDescriptor<byte[], byte[]> method;

  private GrpcClient(GrpcAddress address, ManagedChannel channel) {
    this.address = address;
    this.channel = channel;
    this.method = method(address, MethodDescriptor.MethodType.UNARY, Bytes.INSTANCE);
  }

  /** Connects, lazily, with the defaults of grpc-java. */
  static GrpcClient connect(GrpcAddress address) {
    return new GrpcClient(address, builder(address).build());
  }

  /** The same with the settings for small calls. */
  static GrpcClient connectTuned(GrpcAddress address) {
    return new GrpcClient(address, TunedChannel.tune(builder(address)).build());
  }

  /** Returns the builder of a channel in plain text, at its defaults otherwise. */
  static NettyChannelBuilder builder(GrpcAddress address) {
    return NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext();
  }

  /** Returns the options of a call that begins now, which ends after a minute at the latest. */
  static CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Returns a method that streams, as generated code has it, but for its requests. */
  static MethodDescriptor<byte[], DynamicMessage> stream(GrpcCall call) {
    return method(
        call.address(),
        MethodDescriptor.MethodType.SERVER_STREAMING,
        ProtoUtils.marshaller(DynamicMessage.getDefaultInstance(call.method().getOutputType())));
  }

  private static <M> MethodDescriptor<byte[], M> method(
      GrpcAddress address,
      MethodDescriptor.MethodType type,
      MethodDescriptor.Marshaller<M> responses) {
    return MethodDescriptor.<byte[], M>newBuilder()
        .setType(type)
        .setFullMethodName(
            MethodDescriptor.generateFullMethodName(address.service(), address.method()))
        .setRequestMarshaller(Bytes.INSTANCE)
        .setResponseMarshaller(responses)
        .build();
  }

  /**
   * Makes a call and waits for its response.
   *
   * @throws IOException if it ends with another status than OK
   */
  byte[] call(byte[] request) throws IOException {
    try {
      return ClientCalls.blockingUnaryCall(channel, method, options(), request);
    } catch (StatusRuntimeException e) {
      throw failure(address, e);
    }
  }

  /** Returns the failure of a call. */
  static IOException failure(GrpcAddress address, StatusRuntimeException e) {
    Status status = e.getStatus();
    String description = status.getDescription();
    return new IOException(
        address
            + ": "
            + status.getCode()
            + (description == null ? "" : ": " + printable(description)),
        e);
  }

  /** Returns a text of a server as terminals may show it. */
  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  @Override
  public void close() {
    GrpcEnd.now(channel);
  }

  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    INSTANCE;

    @Override
    public InputStream stream(byte[] message) {
      return new ByteArrayInputStream(message);
    }

    @Override
    public byte[] parse(InputStream message) {
      try {
        return message.readAllBytes();
      } catch (IOException e) {
        throw Status.INTERNAL.withDescription("no message").withCause(e).asRuntimeException();
      }
    }
  }
}
