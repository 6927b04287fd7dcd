package dev.ferry.cli;

import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.GrpcFilesServer;
import dev.ferry.grpc.Method;
import dev.ferry.http.server.HttpFilesServer;
import dev.ferry.net.ServerSettings;
import dev.ferry.web.WebFilesServer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves a folder over gRPC, HTTP and gRPC-Web until it is stopped. */
@Command(
    name = "serve",
    description = {
      "Serves a folder over gRPC, HTTP and gRPC-Web, in plain text, until Ctrl-C.",
      "Whoever reaches the ports may read and write the folder: the default host is this machine's"
          + " own."
    })
final class ServeCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = ".",
      description = "The folder (default: the current one).")
  private Path directory;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on, 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      defaultValue = "" + CarrierChoice.GRPC_PORT,
      description = "The port for gRPC, 0 for any (default: ${DEFAULT-VALUE}).")
  private int grpcPort;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "" + CarrierChoice.HTTP_PORT,
      description = "The port for HTTP, 0 for any (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @Option(
      names = "--web-port",
      paramLabel = "PORT",
      defaultValue = "" + CarrierChoice.WEB_PORT,
      description =
          "The port for browsers and whatever stands between: gRPC-Web, gRPC and HTTP, 0 for any"
              + " (default: ${DEFAULT-VALUE}).")
  private int webPort;

  @Mixin private AccessFlags access;

  @Mixin private StoreFlags limits;

  @SuppressWarnings("NullAway.Init") // picocli injects all of them
  ServeCommand() {}

  @Override
  public Integer call() throws Exception {
    requirePort("--grpc-port", grpcPort);
    requirePort("--http-port", httpPort);
    requirePort("--web-port", webPort);
    ServerSettings settings = access.in(ServerSettings.defaults());
    LocalFileStore store = openStore();
    PrintWriter out = spec.commandLine().getOut();
    try (GrpcFilesServer grpc = startGrpc(store, settings);
        HttpFilesServer http = startHttp(store, settings);
        WebFilesServer web = startWeb(store, settings)) {
      out.println("grpc  " + ServerAddress.format(host, grpc.port()) + "  " + store.root());
      out.println(
          "http  http://" + ServerAddress.format(host, http.port()) + "/files/  " + store.root());
      out.println("web   http://" + ServerAddress.format(host, web.port()) + "/  " + store.root());
      out.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      out.println("stopped");
    }
    return 0;
  }

  private void requirePort(String option, int port) {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + port + " is not from 0 to 65535");
    }
  }

  private LocalFileStore openStore() throws FerryException {
    try {
      return LocalFileStore.open(directory, SinkOptions.DEFAULT.withLimits(limits.limits()));
    } catch (FerryException e) {
      throw new FerryException(e.kind(), e.getMessage() + "; name a folder to serve", e);
    }
  }

  private GrpcFilesServer startGrpc(LocalFileStore store, ServerSettings settings)
      throws FerryException {
    try {
      return GrpcFilesServer.start(store, host, grpcPort, Method.ZERO_COPY, settings);
    } catch (FerryException e) {
      throw cannotListen(e, "gRPC", grpcPort, "--grpc-port");
    }
  }

  private HttpFilesServer startHttp(LocalFileStore store, ServerSettings settings)
      throws FerryException {
    try {
      return HttpFilesServer.start(
          store, host, httpPort, TransferOptions.DEFAULT.chunkSize(), settings);
    } catch (FerryException e) {
      throw cannotListen(e, "HTTP", httpPort, "--http-port");
    }
  }

  private WebFilesServer startWeb(LocalFileStore store, ServerSettings settings)
      throws FerryException {
    try {
      return WebFilesServer.start(store, host, webPort, settings);
    } catch (FerryException e) {
      throw cannotListen(e, "gRPC-Web", webPort, "--web-port");
    }
  }

  private FerryException cannotListen(FerryException e, String what, int port, String option) {
    return new FerryException(
        e.kind(),
        "cannot listen on "
            + ServerAddress.format(host, port)
            + " for "
            + what
            + " ("
            + e.getMessage()
            + "); choose another with --host or "
            + option,
        e);
  }
}
