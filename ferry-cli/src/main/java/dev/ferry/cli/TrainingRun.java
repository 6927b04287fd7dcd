package dev.ferry.cli;

import dev.ferry.cli.client.ProxyVariables;
import dev.ferry.cli.program.RecordedCommands;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the short commands once against its own server, so that the JVM can record the classes that
 * they load. {@code tools/archive-classes.sh} creates a class data archive from the recorded list.
 */
final class TrainingRun {
  /** Large enough for a few messages. */
  private static final int FILE_BYTES = 1024 * 1024;

  private TrainingRun() {}

  /**
   * Runs the commands.
   *
   * @param args an empty folder, and the file to which the commands are recorded
   */
  public static void main(String[] args) throws IOException, FerryException {
    Path folder = Path.of(args[0]);
    String file = Files.write(folder.resolve("file"), new byte[FILE_BYTES]).toString();
    String host = "127.0.0.1";
    LocalFileStore store = LocalFileStore.open(folder);
    ProxyVariables.install(System.getenv());
    RecordedCommands.write(Path.of(args[1]), Main.newCommandLine());
    System.setProperty(Main.COMMANDS_FILE, args[1]);
    try (FileServer grpc = GrpcFiles.serve(store, host, 0, ServerSettings.defaults());
        FileServer http = WebFiles.serve(store, host, 0, ServerSettings.defaults())) {
      String address = "--server=" + ServerAddress.format(host, http.port());
      String grpcAddress = "ferry://" + ServerAddress.format(host, grpc.port()) + "/";
      String httpAddress = "http://" + ServerAddress.format(host, http.port()) + "/files/";
      for (List<String> command :
          List.of(
              List.of("--help"),
              List.of("ls", "--help"),
              List.of("ls", address),
              List.of("ls", "missing", address),
              List.of("stat", "file", address),
              List.of("put", file, "sent", address),
              List.of("get", "sent", file, address, "--force"),
              List.of("get", httpAddress + "sent", file, "--force"),
              List.of("put", file, grpcAddress + "sent", "--carrier=grpc", "--force"),
              List.of("get", grpcAddress + "sent", file, "--carrier=grpc", "--force"))) {
        new Main(System.getenv()).execute(command.toArray(String[]::new));
      }
    }
    System.exit(0);
  }
}
