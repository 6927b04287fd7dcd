package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.contract.Limits;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.internal.FilesEndpoint;
import dev.ferry.grpc.internal.MethodSetup;
import dev.ferry.grpc.internal.message.GzipCodec;
import dev.ferry.lab.model.Reason;
import dev.ferry.net.internal.Refusals;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * Armeria's server as its documentation builds one for large bodies: its {@link GrpcService} around
 * the files' service, for gRPC, gRPC-Web and gRPC-Web-Text, and a service of HTTP beside it. On the
 * loopback in plain text. Thread-safe.
 */
public final class ArmeriaFilesServer implements AutoCloseable {
  private final Server server;
  private final FilesEndpoint endpoint;

  private ArmeriaFilesServer(Server server, FilesEndpoint endpoint) {
    this.server = server;
    this.endpoint = endpoint;
  }

  /**
   * Starts it on a free port.
   *
   * @param setup of messages; not one that hands off
   * @throws IOException if it does not start
   */
  public static ArmeriaFilesServer start(FileStore store, String host, MethodSetup<?> setup)
      throws IOException {
    FilesEndpoint endpoint = FilesEndpoint.of(store, setup, new Refusals());
    Server server =
        Server.builder()
            .http(new InetSocketAddress(host, 0))
            .maxRequestLength(0)
            .requestTimeout(Duration.ZERO)
            .bossGroupFactory(ArmeriaSettings::listenerLoop)
            .service(grpc(endpoint))
            .serviceUnder(HttpRoutes.FILES, new ArmeriaFilesRoutes(store))
            .build();
    try {
      server.start().join();
      return new ArmeriaFilesServer(server, endpoint);
    } catch (CompletionException e) {
      endpoint.close();
      throw new IOException("Armeria does not start: " + Reason.ofCause(e), e);
    }
  }

  private static GrpcService grpc(FilesEndpoint endpoint) {
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(Codec.Identity.NONE);
    compressors.register(new GzipCodec(GzipCodec.LEVEL));
    return GrpcService.builder()
        .addService(endpoint.definition())
        .supportedSerializationFormats(GrpcSerializationFormats.values())
        .maxRequestMessageLength(Limits.MAX_MESSAGE)
        .compressorRegistry(compressors)
        .useBlockingTaskExecutor(true)
        .build();
  }

  /** The port it listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Stops it and cuts transfers in progress. */
  @Override
  public void close() {
    server.stop().join();
    endpoint.close();
  }
}
