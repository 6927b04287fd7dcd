package dev.ferry.suites.commands;

import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
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

/**
 * Whole commands: each sample starts a program and ends with it. The servers are warm and stay.
 * Ferry's commands and rclone compare digests, curl and rsync's daemon do not. A program that is
 * not installed has no row.
 *
 * <p>Run it with {@code ./ferry bench --suite commands}.
 */
public final class CommandsSuite implements Suite {
  /** The path of the script {@code ferry}, which sets it. */
  private static final String FERRY = "FERRY_COMMAND";

  private static final String FILE_SIZE = "FileSize";
  private static final String FILES = "Files";

  private static final String GET = "get";
  private static final String PUT = "put";
  private static final String GET_TREE = "get-tree";
  private static final String PUT_TREE = "put-tree";
  private static final String SYNC = "sync-unchanged";
  private static final String START = "start";

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

    RowServer start(Path folder) throws IOException {
      return switch (this) {
        case HTTP ->
            RowServer.of(
                HttpFilesServer.start(
                    LocalFileStore.open(folder),
                    HOST,
                    0,
                    TransferOptions.DEFAULT.chunkSize(),
                    ServerSettings.defaults()));
        case GRPC ->
            RowServer.of(
                GrpcFiles.serve(LocalFileStore.open(folder), HOST, 0, ServerSettings.defaults()));
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
   */
  private record Arguments(String server, String local, String remote) {
    String url() {
      return "http://" + server + "/files/" + remote;
    }

    String module() {
      return "rsync://" + server + "/" + RsyncDaemon.MODULE + "/" + remote;
    }

    /** The server's path for rclone. */
    String webDavPath() {
      return ":webdav:" + remote;
    }

    /** The option by which rclone finds the server. */
    String webDavServer() {
      return "--webdav-url=http://" + server + "/files/";
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
    add(GET, "Curl", curl(a -> List.of("-o", a.local(), a.url())));
    ferry(GET, a -> List.of("get", a.remote(), a.local(), "-q"));
    add(GET, "Rsync", rsync(a -> List.of("-t", a.module(), a.local())));
    add(
        GET,
        "RcloneWebDav",
        rclone(a -> List.of("copyto", a.webDavPath(), a.local(), a.webDavServer())));

    add(PUT, "Curl", curl(a -> List.of("-T", a.local(), "-H", "Expect:", a.url())));
    ferry(PUT, a -> List.of("put", a.local(), a.remote(), "-q"));
    add(PUT, "Rsync", rsync(a -> List.of("-t", a.local(), a.module())));
    add(
        PUT,
        "RcloneWebDav",
        rclone(a -> List.of("copyto", a.local(), a.webDavPath(), a.webDavServer())));

    add(GET_TREE, "Rsync", rsync(a -> List.of("-rt", a.module() + "/", a.local() + "/")));
    ferry(GET_TREE, a -> List.of("get", "-r", a.remote(), a.local(), "-q"));
    add(
        GET_TREE,
        "RcloneWebDav",
        rclone(a -> List.of("copy", a.webDavPath(), a.local(), a.webDavServer())));

    add(PUT_TREE, "Rsync", rsync(a -> List.of("-rt", a.local() + "/", a.module() + "/")));
    ferry(PUT_TREE, a -> List.of("put", "-r", a.local(), a.remote(), "-q"));
    add(
        PUT_TREE,
        "RcloneWebDav",
        rclone(a -> List.of("copy", a.local(), a.webDavPath(), a.webDavServer())));

    add(SYNC, "Rsync", rsync(a -> List.of("-rt", a.local() + "/", a.module() + "/")));
    add(SYNC, "FerryHttp", ferry(Server.HTTP, a -> List.of("sync", a.local(), a.url(), "-q")));
    add(
        SYNC,
        "FerryGrpc",
        ferry(
            Server.GRPC,
            a -> List.of("sync", a.local(), "ferry://" + a.server() + "/" + a.remote(), "-q")));
    add(
        SYNC,
        "RcloneWebDav",
        rclone(a -> List.of("sync", a.local(), a.webDavPath(), a.webDavServer())));

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

  private static List<String> http(String command, Arguments arguments) {
    return List.of(
        command,
        command.equals("ls") ? "/" : arguments.remote(),
        "--carrier=http",
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
      String carrier = server == Server.HTTP ? "http" : "grpc";
      add(
          table,
          server == Server.HTTP ? "FerryHttp" : "FerryGrpc",
          ferry(
              server,
              a -> {
                List<String> all = new ArrayList<>(line.apply(a));
                all.addAll(List.of("--carrier=" + carrier, "--server=" + a.server()));
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
          all.addAll(line.apply(a));
          return all;
        });
  }

  private static Command rsync(Function<Arguments, List<String>> line) {
    return new Command("rsync", Server.RSYNC, "rsync", line);
  }

  private static Command rclone(Function<Arguments, List<String>> line) {
    return new Command(
        "rclone",
        Server.HTTP,
        "http/1.1",
        a -> {
          List<String> all = new ArrayList<>(line.apply(a));
          all.addAll(List.of("--webdav-vendor=other", "--config=", "-q"));
          return all;
        });
  }

  @Override
  public String name() {
    return "commands";
  }

  @Override
  public String description() {
    return "whole commands from a cold start, beside curl, rsync and rclone";
  }

  @Override
  public List<Table> tables() {
    return commands.entrySet().stream()
        .map(
            table -> {
              List<String> methods = List.copyOf(table.getValue().keySet());
              return new Table(table.getKey(), parameters(table.getKey()), methods, methods.get(0));
            })
        .toList();
  }

  private static List<Parameter> parameters(String table) {
    return switch (table) {
      case GET, PUT -> List.of(new Parameter(FILE_SIZE, List.of("1024", "400000000")));
      case START -> List.of();
      default ->
          List.of(
              new Parameter(FILES, List.of("10000")), new Parameter(FILE_SIZE, List.of("4096")));
    };
  }

  @Override
  public RowSpec row(RowKey key) {
    Command command = commands.getOrDefault(key.table(), Map.of()).get(key.method());
    if (command == null) {
      throw new IllegalArgumentException("no row " + key);
    }
    boolean tree = !isOneFile(key) && !key.table().equals(START);
    Load load = isOneFile(key) ? Load.files(key.longParameter(FILE_SIZE), 1, 1) : Load.calls(1, 1);
    Work work = Work.of(load, tree ? EXPECTED_TREE : EXPECTED);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(command.protocol(), 2),
        work.with(
            profile -> {
              // A program begins cold: its first run only brings the files into memory.
              Settings settings = work.settings().apply(profile).withMaxWarmupOperations(1);
              return tree ? settings.share(SHARE_OF_TREES) : settings;
            }),
        new RowSpec.Needs(List.of(), List.of(), command::obstacle, true, null),
        RowSpec.Bounds.NONE,
        workplace -> command.server().start(workplace.store()),
        (workplace, port) -> client(key, command, workplace, HOST + ":" + port));
  }

  private static boolean isOneFile(RowKey key) {
    return key.table().equals(GET) || key.table().equals(PUT);
  }

  private static Operation client(RowKey key, Command command, Workplace workplace, String server)
      throws IOException {
    boolean toServer = !key.table().startsWith(GET);
    if (key.table().equals(START)) {
      String name = String.valueOf(workplace.source().getFileName());
      return new CommandOperation(
          target -> command.line(new Arguments(server, target.toString(), name)),
          command.protocol(),
          workplace.client(),
          null,
          false,
          List.of());
    }
    Path source = workplace.source();
    if (!isOneFile(key)) {
      Path folder = toServer ? workplace.client() : workplace.store();
      source = folder.resolve("tree-" + ProcessHandle.current().pid());
      TreeContent.fill(source, key.intParameter(FILES), key.intParameter(FILE_SIZE));
    }
    Path from = source;
    return new CommandOperation(
        target -> {
          Path local = toServer ? from : target;
          Path remote = toServer ? target : from;
          String name = String.valueOf(remote.getFileName());
          return command.line(new Arguments(server, local.toString(), name));
        },
        command.protocol(),
        toServer ? workplace.store() : workplace.client(),
        TreeContent.of(source),
        key.table().equals(SYNC),
        isOneFile(key) ? List.of() : List.of(source));
  }
}
