package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.HttpFile;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.FerryRoutes;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.ServerServiceDefinition;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

/** Armeria's servers of files, on the loopback in plain text. */
public final class ArmeriaServers {
  private ArmeriaServers() {}

  /**
   * Starts Armeria's own service of files over a folder, on a free port. It keeps no file in its
   * cache, which {@link HttpFile} has for small ones.
   *
   * @param root the folder that it serves
   * @throws IOException if it does not start
   */
  public static RowServer folder(Path root) throws IOException {
    return start(
        builder(ServerHost.name())
            .serviceUnder(FerryRoutes.FILES, FileService.builder(root).maxCacheEntries(0).build())
            .build(),
        () -> {});
  }

  /**
   * Starts Armeria's server as its documentation builds one for large bodies, on a free port: its
   * {@link GrpcService} around the files' service, for gRPC, gRPC-Web and gRPC-Web-Text, and a
   * service of HTTP beside it.
   *
   * @param root the folder of the service of HTTP
   * @param service makes the files' service, with threads for what takes long
   * @param codec its gzip
   * @throws IOException if it does not start
   */
  public static RowServer files(
      Path root, String host, Function<Executor, ServerServiceDefinition> service, Codec codec)
      throws IOException {
    ExecutorService workers = ArmeriaSettings.workers("armeria-files");
    return start(
        builder(host)
            .maxRequestLength(0)
            .service(grpc(service.apply(workers), codec))
            .serviceUnder(FerryRoutes.FILES, new ArmeriaFiles(root))
            .build(),
        workers::shutdownNow);
  }

  private static ServerBuilder builder(String host) {
    return Server.builder()
        .http(new InetSocketAddress(host, 0))
        .requestTimeout(Duration.ZERO)
        .bossGroupFactory(ArmeriaSettings::listenerLoop);
  }

  /**
   * Starts a server, which cuts transfers in progress when it stops.
   *
   * @param stopped called when it has stopped
   */
  private static RowServer start(Server server, Runnable stopped) throws IOException {
    try {
      server.start().join();
    } catch (CompletionException e) {
      stopped.run();
      throw new IOException("Armeria does not start: " + Reason.ofCause(e), e);
    }
    return RowServer.of(
        server.activeLocalPort(),
        () -> {
          server.stop().join();
          stopped.run();
        });
  }

  private static GrpcService grpc(ServerServiceDefinition service, Codec codec) {
    CompressorRegistry compressors = CompressorRegistry.newEmptyInstance();
    compressors.register(Codec.Identity.NONE);
    compressors.register(codec);
    return GrpcService.builder()
        .addService(service)
        .supportedSerializationFormats(GrpcSerializationFormats.values())
        .maxRequestMessageLength(ArmeriaSettings.MAX_MESSAGE)
        .compressorRegistry(compressors)
        .useBlockingTaskExecutor(true)
        .build();
  }
}
