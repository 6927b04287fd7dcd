package dev.ferry.suites.url;

import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.Transport;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/** Calls a unary method with messages that are bytes, so that no generated code is needed. */
final class GrpcClient implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final GrpcAddress address;
  private final ManagedChannel channel;
  private final Runnable closeLoops;
  private final MethodDescriptor<byte[], byte[]> method;

  private GrpcClient(GrpcAddress address, ManagedChannel channel, Runnable closeLoops) {
    this.address = address;
    this.channel = channel;
    this.closeLoops = closeLoops;
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
        NettyChannelBuilder.forAddress(address.host(), address.port()).usePlaintext().build(),
        () -> {});
  }

  /** The same over the channel that Ferry has for small calls, with one event loop. */
  static GrpcClient connectTuned(GrpcAddress address) {
    Transport transport = new Transport.Lean(1, PooledByteBufAllocator.DEFAULT);
    EventLoops loops = new EventLoops("ferry-grpc-client", transport.threads());
    return new GrpcClient(
        address, transport.connect(address.host(), address.port(), loops).build(), loops::close);
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
    closeLoops.run();
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
