package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.ferry.core.FileStore;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.contract.Limits;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

/**
 * Armeria's server as its documentation builds one for large bodies: its {@link GrpcService} around
 * the files' service, for gRPC, gRPC-Web and gRPC-Web-Text, and a service of HTTP beside it. On the
 * loopback in plain text. Thread-safe.
 */
public final class ArmeriaFilesServer implements RowServer {
  private final Server server;
  private final ExecutorService workers;

  private ArmeriaFilesServer(Server server, ExecutorService workers) {
    this.server = server;
    this.workers = workers;
  }

  /** Makes the files' service. */
  @FunctionalInterface
  public interface ServiceOf {
    ServerServiceDefinition with(Executor workers);
  }

  /**
   * Starts it on a free port.
   *
   * @param service makes the files' service, with threads for what takes long
   * @param codec its gzip
   * @throws IOException if it does not start
   */
  public static ArmeriaFilesServer start(
      FileStore store, String host, ServiceOf service, Codec codec) throws IOException {
    ExecutorService workers = ArmeriaSettings.workers("armeria-files");
    Server server =
        Server.builder()
            .http(new InetSocketAddress(host, 0))
            .maxRequestLength(0)
            .requestTimeout(Duration.ZERO)
            .bossGroupFactory(ArmeriaSettings::listenerLoop)
            .service(grpc(service.with(workers), codec))
            .serviceUnder(HttpRoutes.FILES, new ArmeriaFilesRoutes(store))
            .build();
    try {
      server.start().join();
      return new ArmeriaFilesServer(server, workers);
    } catch (CompletionException e) {
      workers.shutdownNow();
      throw new IOException("Armeria does not start: " + Reason.ofCause(e), e);
    }
  }

  private static GrpcService grpc(ServerServiceDefinition service, Codec codec) {
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(Codec.Identity.NONE);
    compressors.register(codec);
    return GrpcService.builder()
        .addService(service)
        .supportedSerializationFormats(GrpcSerializationFormats.values())
        .maxRequestMessageLength(Limits.MAX_MESSAGE)
        .compressorRegistry(compressors)
        .useBlockingTaskExecutor(true)
        .build();
  }

  /** The port it listens on. */
  @Override
  public int port() {
    return server.activeLocalPort();
  }

  /** Stops it and cuts transfers in progress. */
  @Override
  public void close() {
    server.stop().join();
    workers.shutdownNow();
  }
}
