package dev.ferry.suites.url;

import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.suites.calls.service.grpc.TunedChannel;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
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
    this.method =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(
                MethodDescriptor.generateFullMethodName(address.service(), address.method()))
            .setRequestMarshaller(Bytes.INSTANCE)
            .setResponseMarshaller(Bytes.INSTANCE)
            .build();
  }

  /** Connects, lazily, with the defaults of grpc-java. */
  static GrpcClient connect(GrpcAddress address) {
    return new GrpcClient(
        address,
        NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext().build());
  }

  /** The same with the settings for small calls. */
  static GrpcClient connectTuned(GrpcAddress address) {
    return new GrpcClient(
        address,
        TunedChannel.tune(NettyChannelBuilder.forAddress(address.host(), address.port()))
            .usePlaintext()
            .build());
  }

  ManagedChannel channel() {
    return channel;
  }

  /**
   * Makes a call and waits for its response.
   *
   * @throws IOException if it ends with another status than OK
   */
  byte[] call(byte[] request) throws IOException {
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          method,
          CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
          request);
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
    Shutdown.now(channel);
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
