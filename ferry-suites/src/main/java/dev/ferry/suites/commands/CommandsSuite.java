package dev.ferry.suites.commands;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.Programs;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whole commands: each sample starts a program and ends with it. The servers are warm and stay.
 * Ferry's commands and rclone compare digests, curl and rsync's daemon do not. A program that is
 * not installed has no row. Tables {@code -tls} are over TLS 1.3, which rsync's daemon has not;
 * tables {@code -far} over a network that {@link DistantServer} simulates, where rclone would take
 * minutes for trees.
 *
 * <p>Run it with {@code ./ferry bench --suite commands}.
 */
public final class CommandsSuite extends Suite {
  /** The path of the script {@code ferry}, which sets it. */
  private static final String FERRY = "FERRY_COMMAND";

  private static final String FILE_SIZE = "FileSize";
  private static final String FILES = "Files";
  private static final String NETWORK = "Network";

  private static final String GET = "get";
  private static final String PUT = "put";
  private static final String GET_TREE = "get-tree";
  private static final String PUT_TREE = "put-tree";
  private static final String SYNC = "sync-unchanged";
  private static final String START = "start";

  /** Tables of TLS, and of a network. */
  private static final String TLS = "-tls";

  private static final String FAR = "-far";

  private static final String GET_FILES_FAR = "get-files" + FAR;

  private static final List<String> TREES = List.of(GET_TREE, PUT_TREE, SYNC);

  /**
   * The name of rclone's row. It waits 10 ms before each request, so it copies only small trees.
   */
  private static final String RCLONE = "RcloneWebDav";

  private static final String FEW = "1000";
  private static final String MANY = "10000";

  private static final String HOST = ServerHost.name();

  /** A transfer of the largest file, and of a tree of small ones, on a slow machine. */
  private static final Duration EXPECTED = Duration.ofSeconds(1);

  private static final Duration EXPECTED_TREE = Duration.ofSeconds(5);

  /** A tree takes seconds, as long as the largest files. */
  private static final int SHARE_OF_TREES = 3;

  /** Serves a folder. */
  private enum Server {
    HTTP,
    GRPC,
    RSYNC,
    NONE;

    RowServer start(Path folder, boolean tls) throws IOException {
      ServerSettings settings =
          ServerSettings.defaults().withTls(tls ? LoopbackTls.server(folder) : null);
      return switch (this) {
        case HTTP -> RowServer.of(HttpFiles.serve(LocalFileStore.open(folder), HOST, 0, settings));
        case GRPC -> RowServer.of(GrpcFiles.serve(LocalFileStore.open(folder), HOST, 0, settings));
        case RSYNC -> RsyncDaemon.start(folder, HOST);
        case NONE -> RowServer.of(0, () -> {});
      };
    }
  }

  /**
   * What a command is given.
   *
   * @param server the host and port of the server
   * @param local a path of this machine
   * @param remote a path below the folder of the server
   * @param files how many files there are
   * @param certificate the file of the server's certificate; null if it has none
   */
  private record Arguments(
      String server, String local, String remote, int files, @Nullable Path certificate) {
    String url() {
      return root() + remote;
    }

    String root() {
      return (certificate == null ? "http://" : "https://") + server + "/files/";
    }

    /** The option that trusts the certificate. */
    List<String> trust(String option) {
      return certificate == null ? List.of() : List.of(option, certificate.toString());
    }

    String module() {
      return "rsync://" + server + "/" + RsyncDaemon.MODULE + "/" + remote;
    }

    /** The server's path for rclone. */
    String webDavPath() {
      return ":webdav:" + remote;
    }
  }

  /**
   * A program in a table.
   *
   * @param program its path, or the name of its file; empty for Ferry's script
   */
  private record Command(
      String program, Server server, String protocol, Function<Arguments, List<String>> line) {
    Optional<Path> installed() {
      if (program.isEmpty()) {
        return Optional.ofNullable(System.getenv(FERRY)).map(Path::of);
      }
      return program.contains("/") ? Optional.of(Path.of(program)) : Programs.find(program);
    }

    Optional<String> obstacle() {
      if (installed().isPresent()) {
        return Optional.empty();
      }
      return Optional.of(
          program.isEmpty()
              ? "it needs the script ferry; run ./ferry bench"
              : "install " + program + " (tools/install-peers.sh)");
    }

    List<String> line(Arguments arguments) {
      List<String> all = new ArrayList<>();
      all.add(installed().orElseThrow().toString());
      all.addAll(line.apply(arguments));
      return all;
    }
  }

  private final Map<String, Map<String, Command>> commands = new LinkedHashMap<>();

  /** For {@link java.util.ServiceLoader}. */
  public CommandsSuite() {
    super("commands", "whole commands from a cold start, beside curl, rsync and rclone");
    for (String where : List.of("", TLS, FAR)) {
      add(GET + where, "Curl", curl(a -> List.of("-o", a.local(), a.url())));
      ferry(GET + where, a -> List.of("get", a.remote(), a.local(), "-q"));
      add(PUT + where, "Curl", curl(a -> List.of("-T", a.local(), "-H", "Expect:", a.url())));
      ferry(PUT + where, a -> List.of("put", a.local(), a.remote(), "-q"));
      if (!where.equals(TLS)) {
        add(GET + where, "Rsync", rsync(a -> List.of("-t", a.module(), a.local())));
        add(PUT + where, "Rsync", rsync(a -> List.of("-t", a.local(), a.module())));
      }
      rclone(GET + where, a -> List.of("copyto", a.webDavPath(), a.local()));
      rclone(PUT + where, a -> List.of("copyto", a.local(), a.webDavPath()));
    }
    for (String where : List.of("", FAR)) {
      trees(where);
    }
    add(GET_FILES_FAR, "Curl", curl(CommandsSuite::eachFile));
    add(GET_FILES_FAR, "CurlParallel", curl(a -> parallel(eachFile(a))));
    ferry(GET_FILES_FAR, a -> List.of("get", "-r", a.remote(), a.local(), "-q"));

    add(
        START,
        "JavaProgram",
        new Command(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            Server.NONE,
            "none",
            a ->
                List.of(
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-cp",
                    location(),
                    LeastProgram.class.getName())));
    add(START, "FerryStat", ferry(Server.HTTP, a -> http("stat", a)));
    add(START, "FerryList", ferry(Server.HTTP, a -> http("ls", a)));
  }

  private void trees(String where) {
    add(GET_TREE + where, "Rsync", rsync(a -> List.of("-rt", a.module() + "/", a.local() + "/")));
    ferry(GET_TREE + where, a -> List.of("get", "-r", a.remote(), a.local(), "-q"));
    add(PUT_TREE + where, "Rsync", rsync(a -> List.of("-rt", a.local() + "/", a.module() + "/")));
    ferry(PUT_TREE + where, a -> List.of("put", "-r", a.local(), a.remote(), "-q"));
    add(SYNC + where, "Rsync", rsync(a -> List.of("-rt", a.local() + "/", a.module() + "/")));
    add(
        SYNC + where,
        "FerryHttp",
        ferry(Server.HTTP, a -> List.of("sync", a.local(), a.url(), "-q")));
    add(
        SYNC + where,
        "FerryGrpc",
        ferry(
            Server.GRPC,
            a -> List.of("sync", a.local(), "ferry://" + a.server() + "/" + a.remote(), "-q")));
    if (TREES.contains(GET_TREE + where)) {
      rclone(GET_TREE, a -> List.of("copy", a.webDavPath(), a.local()));
      rclone(PUT_TREE, a -> List.of("copy", a.local(), a.webDavPath()));
      rclone(SYNC, a -> List.of("sync", a.local(), a.webDavPath()));
    }
  }

  /** Curl's pattern of a tree in one folder. */
  private static List<String> eachFile(Arguments a) {
    String folder = "/" + TreeContent.folder(0) + "/file-";
    return List.of(
        "--create-dirs",
        "-o",
        a.local() + folder + "#1",
        a.url() + folder + "[0-" + (a.files() - 1) + "]");
  }

  private static List<String> parallel(List<String> line) {
    List<String> all = new ArrayList<>(List.of("-Z"));
    all.addAll(line);
    return all;
  }

  private static List<String> http(String command, Arguments arguments) {
    return List.of(
        command,
        command.equals("ls") ? "/" : arguments.remote(),
        "--client=http",
        "--server=" + arguments.server());
  }

  private static String location() {
    return Path.of(
            URI.create(
                LeastProgram.class.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  private void add(String table, String method, Command command) {
    commands.computeIfAbsent(table, name -> new LinkedHashMap<>()).put(method, command);
  }

  private void ferry(String table, Function<Arguments, List<String>> line) {
    for (Server server : List.of(Server.HTTP, Server.GRPC)) {
      String client = server == Server.HTTP ? "http" : "grpc";
      add(
          table,
          server == Server.HTTP ? "FerryHttp" : "FerryGrpc",
          ferry(
              server,
              a -> {
                List<String> all = new ArrayList<>(line.apply(a));
                all.addAll(List.of("--client=" + client, "--server=" + a.server()));
                if (a.certificate() != null) {
                  all.add("--tls");
                  all.addAll(a.trust("--ca"));
                }
                return all;
              }));
    }
  }

  private static Command ferry(Server server, Function<Arguments, List<String>> line) {
    return new Command("", server, server == Server.HTTP ? "http/1.1" : "h2c", line);
  }

  private static Command curl(Function<Arguments, List<String>> line) {
    return new Command(
        "curl",
        Server.HTTP,
        "http/1.1",
        a -> {
          List<String> all = new ArrayList<>(List.of("-q", "-sSf", "--http1.1", "--noproxy", "*"));
          all.addAll(a.trust("--cacert"));
          all.addAll(line.apply(a));
          return all;
        });
  }

  private static Command rsync(Function<Arguments, List<String>> line) {
    return new Command("rsync", Server.RSYNC, "rsync", line);
  }

  private void rclone(String table, Function<Arguments, List<String>> line) {
    add(
        table,
        RCLONE,
        new Command(
            "rclone",
            Server.HTTP,
            "http/1.1",
            a -> {
              List<String> all = new ArrayList<>(line.apply(a));
              all.add("--webdav-url=" + a.root());
              all.addAll(List.of("--webdav-vendor=other", "--config=", "-q"));
              all.addAll(a.trust("--ca-cert"));
              return all;
            }));
  }

  @Override
  public List<Table> tables() {
    return commands.entrySet().stream()
        .map(
            table -> {
              List<String> methods = List.copyOf(table.getValue().keySet());
              Table all =
                  new Table(table.getKey(), parameters(table.getKey()), methods, methods.get(0));
              return TREES.contains(table.getKey()) ? all.withOnly(RCLONE, FILES, FEW) : all;
            })
        .toList();
  }

  private static List<Parameter> parameters(String table) {
    if (table.equals(START)) {
      return List.of();
    }
    List<Parameter> parameters = new ArrayList<>();
    switch (table) {
      case GET, PUT, GET + TLS, PUT + TLS ->
          parameters.add(new Parameter(FILE_SIZE, List.of("1024", "400000000")));
      case GET + FAR, PUT + FAR -> parameters.add(new Parameter(FILE_SIZE, List.of("26214400")));
      case GET_FILES_FAR -> {
        parameters.add(new Parameter(FILES, List.of("64")));
        parameters.add(new Parameter(FILE_SIZE, List.of("1048576")));
      }
      default -> {
        parameters.add(
            new Parameter(FILES, TREES.contains(table) ? List.of(FEW, MANY) : List.of(MANY)));
        parameters.add(new Parameter(FILE_SIZE, List.of("4096")));
      }
    }
    if (table.endsWith(FAR)) {
      boolean large = List.of(GET + FAR, PUT + FAR, GET_FILES_FAR).contains(table);
      parameters.add(new Parameter(NETWORK, List.of(large ? "country" : "continent")));
    }
    return parameters;
  }

  @Override
  public RowSpec row(RowKey key) {
    Command command = commands.getOrDefault(key.table(), Map.of()).get(key.method());
    if (command == null) {
      throw new IllegalArgumentException("no row " + key);
    }
    Load load = isOneFile(key) ? Load.files(key.longParameter(FILE_SIZE), 1, 1) : Load.calls(1, 1);
    Work work = Work.of(load, isTree(key) ? EXPECTED_TREE : EXPECTED);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(protocol(key, command), 2),
        work.with(
            profile -> {
              // A program begins cold: its first run only brings the files into memory.
              Settings settings = work.settings().apply(profile).withMaxWarmupOperations(1);
              return isTree(key) ? settings.share(SHARE_OF_TREES) : settings;
            }),
        new RowSpec.Needs(List.of(), command::obstacle, true, null),
        RowSpec.Bounds.NONE,
        workplace -> server(key, command, workplace),
        (workplace, port) -> client(key, command, workplace, HOST + ":" + port));
  }

  private static boolean isTree(RowKey key) {
    return key.parameters().containsKey(FILES);
  }

  private static boolean isOneFile(RowKey key) {
    return !isTree(key) && !key.table().equals(START);
  }

  private static boolean isTls(RowKey key) {
    return key.table().endsWith(TLS);
  }

  private static String protocol(RowKey key, Command command) {
    return isTls(key) && command.server() == Server.GRPC ? "h2" : command.protocol();
  }

  private static RowServer server(RowKey key, Command command, Workplace workplace)
      throws IOException {
    String name = key.parameters().get(NETWORK);
    Network network;
    try {
      network = name == null ? null : Networks.parse(name);
    } catch (LabException e) {
      throw new IllegalArgumentException("no row " + key, e);
    }
    RowServer server = command.server().start(workplace.store(), isTls(key));
    return network == null ? server : DistantServer.start(server, HOST, network);
  }

  private static Operation client(RowKey key, Command command, Workplace workplace, String server)
      throws IOException {
    boolean toServer = !key.table().startsWith(GET);
    int files = isTree(key) ? key.intParameter(FILES) : 1;
    Path certificate = isTls(key) ? LoopbackTls.certificate(workplace.store()) : null;
    Path source = workplace.source();
    if (isTree(key)) {
      Path folder = toServer ? workplace.client() : workplace.store();
      source = TreeContent.fill(folder, files, key.intParameter(FILE_SIZE));
    }
    boolean writes = !key.table().equals(START);
    Path from = source;
    return new CommandOperation(
        target -> {
          Path local = toServer && writes ? from : target;
          Path remote = toServer && writes ? target : from;
          String name = String.valueOf(remote.getFileName());
          return command.line(new Arguments(server, local.toString(), name, files, certificate));
        },
        protocol(key, command),
        toServer && writes ? workplace.store() : workplace.client(),
        writes ? TreeContent.of(source) : null,
        key.table().startsWith(SYNC));
  }
}
