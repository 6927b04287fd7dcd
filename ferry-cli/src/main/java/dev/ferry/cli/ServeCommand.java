package dev.ferry.cli;

import dev.ferry.cli.access.ListenAddress;
import dev.ferry.cli.access.ServedFolder;
import dev.ferry.cli.operate.Drain;
import dev.ferry.cli.operate.IdleHeap;
import dev.ferry.cli.operate.OperateFlags;
import dev.ferry.cli.operate.OperatorServices;
import dev.ferry.cli.operate.ServerLines;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.setup.ServerFolder;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.ReadOnlyStore;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.library.Protocol;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      "Serves a folder over gRPC, HTTP and gRPC-Web until Ctrl-C. Only --tls-cert encrypts"
          + " connections.",
      "The default host is 127.0.0.1, which only this machine can reach. On an address that other"
          + " machines can reach, the server refuses to start without TLS or without users, unless"
          + " options allow it."
    },
    footer = {
      "",
      "Examples:",
      "  ferry serve /srv/files",
      "  ferry serve /srv/files --host 0.0.0.0 --init /etc/ferry"
    },
    exitCodeList = {
      "0:stopped by SIGTERM",
      "1:failure",
      "2:wrong use of the command line",
      "129:stopped because the terminal was closed",
      "130:stopped by Ctrl-C",
      "143:stopped by SIGTERM, and gave up waiting for transfers"
    })
final class ServeCommand implements Callable<Integer>, StopsOnInterrupt {
  private static final String LOOPBACK = "127.0.0.1";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = ".",
      description =
          "The folder (default: the current one), or s3://BUCKET/PREFIX, which is a part of a bucket"
              + " in an S3 object store.")
  private Path directory;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = LOOPBACK,
      description = "The address to listen on, 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      defaultValue = "" + Protocol.GRPC_PORT,
      description = "The port for gRPC, 0 for any (default: ${DEFAULT-VALUE}).")
  private int grpcPort;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "" + Protocol.HTTP_PORT,
      description = "The port for HTTP and gRPC-Web, 0 for any (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @Mixin private AccessFlags access;

  @Mixin private StoreFlags limits;

  @Mixin private RemoteStoreFlags remote;

  @Mixin private ConnectionFlags connections;

  @Mixin private TlsFlags tls;

  @Mixin private OperateFlags operate;

  @Option(
      names = "--read-only",
      description = "Refuse every change: uploads, deletions, moves and new folders.")
  private boolean readOnly;

  @Option(
      names = Exposure.NO_TLS,
      description =
          "Serve in plain text even if other machines can reach the ports: anyone on the network"
              + " path can read and change all data.")
  private boolean noTls;

  @Option(
      names = Exposure.ANYONE,
      description =
          "Serve without --users even if other machines can reach the ports: anyone who reaches"
              + " them can read the folder and, without --read-only, write to it.")
  private boolean anyone;

  @Option(
      names = "--init",
      paramLabel = "FOLDER",
      description =
          "Make FOLDER, outside of DIR, with a key, a certificate for localhost and --host-name"
              + " (valid for ten years), and a token for the user 'owner', who may do everything."
              + " Prints the commands for the server and its clients, and does not serve.")
  private @Nullable Path init;

  @Option(
      names = "--bench",
      description =
          "Serve no folder, but a bench on another machine; serve --bench --help has the options.")
  private boolean bench;

  private volatile @Nullable Drain drain;

  @Override
  public boolean isDoneWhenTerminated() {
    return true;
  }

  @Override
  public boolean terminate() {
    Drain running = drain;
    if (running == null) {
      return false;
    }
    running.request();
    return true;
  }

  @Override
  public Integer call() throws Exception {
    if (bench) {
      throw BenchPointer.refusal("serve --bench");
    }
    if (init != null) {
      return initialize(init);
    }
    operate.setUpLog();
    requirePort("--grpc-port", grpcPort);
    requirePort("--http-port", httpPort);
    ListenAddress address = ListenAddress.resolve(host);
    ServerSettings settings =
        address.named(tls.in(access.in(connections.in(ServerSettings.defaults()))));
    Exposure exposure = exposure(address, settings);
    Map<String, Path> outside = new LinkedHashMap<>(access.files());
    outside.putAll(tls.files());
    outside.putAll(operate.files());
    try (ServedStore served = openStore(outside)) {
      requireOutside(served.folder(), outside);
      serve(served, address, settings, exposure);
    }
    return 0;
  }

  private void serve(
      ServedStore from, ListenAddress address, ServerSettings settings, Exposure exposure)
      throws Exception {
    FileStore store = readOnly ? new ReadOnlyStore(from.store()) : from.store();
    ServerTls certificate = settings.tls();
    String served =
        from.name()
            + (readOnly ? ", read-only" : "")
            + (settings.callers() == null ? "" : ", for its users")
            + (certificate == null ? "" : ", TLS by " + certificate.provider());
    String scheme = certificate == null ? "http" : "https";
    try (ServerLines out = new ServerLines(spec.commandLine().getOut())) {
      try (OperatorServices operation = operate.open();
          ServerPort grpc = startGrpc(store, address, operation.in(settings));
          ServerPort http = startHttp(store, address, operation.in(settings));
          Sweeping sweeping = readOnly ? null : from.sweeping().start()) {
        IdleHeap.watch(http.eventLoops().get(0));
        String admin = operation.startAdmin(settings, Map.of("grpc", grpc, "http", http));
        exposure.warnings().forEach(spec.commandLine().getErr()::println);
        tls.warnings().forEach(spec.commandLine().getErr()::println);
        operate.warnings().forEach(spec.commandLine().getErr()::println);
        // Whoever has read a line may send a signal.
        drain = operation.drain();
        out.print("grpc  " + ServerAddress.format(host, grpc.port()) + "  " + served);
        out.print(
            "http  "
                + scheme
                + "://"
                + ServerAddress.format(address.reachableBy(settings), http.port())
                + settings.basePath()
                + "/files/  "
                + served);
        if (admin != null) {
          out.print("admin " + admin + "/metrics");
        }
        operation.drain().await(List.of(grpc, http), out::print);
      }
      out.print("stopped");
    }
  }

  /** The text of the argument, if it is no folder; a path of it would lack a slash. */
  private @Nullable String address() {
    return spec.commandLine().getParseResult().matchedPositionals().stream()
        .flatMap(argument -> argument.originalStringValues().stream())
        .filter(RemoteStoreFlags::isAddress)
        .findFirst()
        .orElse(null);
  }

  private ServedStore openStore(Map<String, Path> outside) throws IOException {
    String address = address();
    if (address != null) {
      return ServedStore.of(remote.open(address, limits.limits()), address);
    }
    remote.requireNone();
    return ServedStore.folder(directory, limits.sinkOptions(), !readOnly, outside);
  }

  private int initialize(Path folder) throws IOException, InterruptedException {
    String address = address();
    if (address == null) {
      requireOutside(ServedFolder.of(directory), Map.of("--init", folder));
    }
    List<String> names = access.in(ServerSettings.defaults()).hostNames();
    try {
      ServerFolder.make(folder, Path.of(System.getProperty("java.home")), names)
          .print(
              spec.commandLine().getOut(),
              address == null ? directory.toString() : address,
              host.equals(LOOPBACK) ? "0.0.0.0" : host,
              names);
      return 0;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--host-name: " + e.getMessage(), e);
    }
  }

  private void requirePort(String option, int port) {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + port + " is not from 0 to 65535");
    }
  }

  /** Refuses files of the server that its callers could read or replace. */
  private void requireOutside(@Nullable ServedFolder folder, Map<String, Path> files)
      throws IOException {
    String refusal = folder == null ? null : folder.refusal(files);
    if (refusal != null) {
      throw new ParameterException(spec.commandLine(), refusal);
    }
  }

  private Exposure exposure(ListenAddress address, ServerSettings settings) {
    boolean callers = settings.callers() != null;
    Exposure exposure =
        new Exposure(address.isLoopback(), settings.tls() != null, callers, noTls, anyone);
    String error = exposure.error();
    if (error != null) {
      throw new ParameterException(spec.commandLine(), "--host: " + error);
    }
    return exposure;
  }

  private ServerPort startGrpc(FileStore store, ListenAddress address, ServerSettings settings)
      throws FerryException {
    try {
      return GrpcFiles.serve(store, address.literal(), grpcPort, settings);
    } catch (FerryException e) {
      throw ListenAddress.cannotListen(String.valueOf(e.getMessage()), "--host or --grpc-port", e);
    }
  }

  private ServerPort startHttp(FileStore store, ListenAddress address, ServerSettings settings)
      throws FerryException {
    try {
      return WebFiles.serve(store, address.literal(), httpPort, settings);
    } catch (FerryException e) {
      throw ListenAddress.cannotListen(String.valueOf(e.getMessage()), "--host or --http-port", e);
    }
  }
}
