package dev.ferry.grpc.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.wire.ServerSettings;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.InternalConfigurator;
import io.grpc.InternalConfiguratorRegistry;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerBuilder;
import io.grpc.ServerStreamTracer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that installs tracers into every channel and server, as a tracing library does, and
 * prints how many messages they saw leave in a download and an upload.
 */
final class TracedTransfers {
  private static final class Tracers implements InternalConfigurator {
    private final AtomicInteger server = new AtomicInteger();
    private final AtomicInteger client = new AtomicInteger();

    @Override
    public void configureServerBuilder(ServerBuilder<?> builder) {
      builder.addStreamTracerFactory(
          new ServerStreamTracer.Factory() {
            @Override
            public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
              return new ServerStreamTracer() {
                @Override
                public void outboundMessage(int sequence) {
                  server.incrementAndGet();
                }
              };
            }
          });
    }

    @Override
    public void configureChannelBuilder(ManagedChannelBuilder<?> builder) {
      builder.intercept(
          new ClientInterceptor() {
            @Override
            public <Q, A> ClientCall<Q, A> interceptCall(
                MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
              return next.newCall(method, options.withStreamTracerFactory(factory()));
            }
          });
    }

    private ClientStreamTracer.Factory factory() {
      return new ClientStreamTracer.Factory() {
        @Override
        public ClientStreamTracer newClientStreamTracer(
            ClientStreamTracer.StreamInfo info, Metadata headers) {
          return new ClientStreamTracer() {
            @Override
            public void outboundMessage(int sequence) {
              client.incrementAndGet();
            }
          };
        }
      };
    }
  }

  private TracedTransfers() {}

  /** Needs a directory with a file to transfer, called so, and the size of a chunk. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    int chunk = Integer.parseInt(arguments[1]);
    Tracers tracers = new Tracers();
    InternalConfiguratorRegistry.setConfigurators(List.of(tracers));
    LocalFileStore store = LocalFileStore.open(directory);
    try (GrpcFilesServer server =
            GrpcFilesServer.start(store, "127.0.0.1", 0, ServerSettings.defaults());
        Carrier carrier = GrpcFiles.connect("127.0.0.1", server.port())) {
      report(tracers, carrier, directory, chunk);
    }
  }

  private static void report(Tracers tracers, Carrier carrier, Path directory, int chunk)
      throws Exception {
    TransferOptions options = TransferOptions.DEFAULT.withVerify(false).withChunkSize(chunk);
    Path copy = directory.resolve("copy");
    tracers.server.set(0);
    carrier.download(StorePath.parse("file"), copy, options);
    int down = tracers.server.get();
    tracers.client.set(0);
    carrier.upload(copy, StorePath.parse("back"), options);
    boolean same = Files.mismatch(directory.resolve("file"), directory.resolve("back")) == -1;
    System.out.println(down + " " + tracers.client.get() + " " + same);
  }
}
