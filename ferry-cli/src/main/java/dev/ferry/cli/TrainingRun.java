package dev.ferry.cli;

import dev.ferry.cli.client.ProxyVariables;
import dev.ferry.cli.setup.ServerFolder;
import dev.ferry.core.FileServer;
import dev.ferry.core.internal.ServerAddress;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the short commands against its own server, so that the JVM can record the classes that they
 * load. {@code tools/archive-classes.sh} creates a class data archive from the recorded list. One
 * class that is missing there costs a command a fifth of its time: to find it, the JVM reads the
 * directory of the whole jar.
 */
final class TrainingRun {
  /** Large enough for a few messages. */
  private static final int FILE_BYTES = 1024 * 1024;

  /** Enough for a tree to take several connections. */
  private static final int SMALL_FILES = 200;

  private TrainingRun() {}

  /**
   * Runs the commands.
   *
   * @param args an empty folder, and the file to which the commands are recorded
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Path.of(args[0]);
    Path stored = Files.createDirectory(folder.resolve("stored"));
    String file = Files.write(folder.resolve("file"), new byte[FILE_BYTES]).toString();
    Path tree = folder.resolve("tree");
    Path below = Files.createDirectories(tree.resolve("below"));
    for (int i = 0; i < SMALL_FILES; i++) {
      Files.write(below.resolve("small" + i), new byte[i]);
    }
    String local = tree.toString();
    String copy = folder.resolve("copy").toString();
    String host = "127.0.0.1";
    LocalFileStore store = LocalFileStore.open(stored);
    ProxyVariables.install(System.getenv());
    Main.record(Path.of(args[1]));
    System.setProperty(Main.COMMANDS_FILE, args[1]);
    try (FileServer grpc = GrpcFiles.serve(store, host, 0, ServerSettings.defaults());
        FileServer http = WebFiles.serve(store, host, 0, ServerSettings.defaults())) {
      String address = "--server=" + ServerAddress.format(host, http.port());
      String ferry = "ferry://" + ServerAddress.format(host, http.port()) + "/";
      String url = "http://" + ServerAddress.format(host, http.port()) + "/files/";
      String overGrpc = "ferry://" + ServerAddress.format(host, grpc.port()) + "/";
      run("--help");
      run("ls", "--help");
      run("put", file, "sent", address);
      run("put", file, "sent", address);
      run("put", file, url + "sent", "-q", "--force");
      run("get", "sent", file, address);
      run("get", ferry + "sent", file, "-q", "--force");
      run("get", url + "sent", file, "--force");
      run("cat", url + "sent");
      run("ls", address);
      run("ls", "missing", address);
      run("ls", "-l", ferry);
      run("stat", "sent", address);
      run("stat", "--json", url + "sent");
      run("put", "-r", local, "tree", address);
      run("put", "-r", "-q", "--force", local, url + "tree");
      run("get", "-r", "tree", copy, address);
      run("get", "-r", "-q", "--force", url + "tree", copy);
      run("sync", local, url + "synced");
      run("sync", "-q", url + "synced", copy);
      run("check", local, url + "synced");
      run("mkdir", "made", address);
      run("mv", "sent", "made/moved", address);
      run("cp", url + "made/moved", overGrpc + "copied", "-q");
      run("rm", "-r", "made", address);
      run("put", file, overGrpc + "sent", "--carrier=grpc", "--force");
      run("get", overGrpc + "sent", file, "--carrier=grpc", "--force");
    }
    overTls(folder, file, host, store);
    System.exit(0);
  }

  private static void overTls(Path folder, String file, String host, LocalFileStore store)
      throws IOException, InterruptedException {
    ServerFolder made;
    try {
      Path javaHome = Path.of(System.getProperty("java.home"));
      made = ServerFolder.make(folder.resolve("tls"), javaHome, List.of(host));
    } catch (IOException e) {
      // A Java runtime may have no keytool. Then commands over TLS start as slowly as without an
      // archive, and the others do not.
      return;
    }
    ServerSettings settings =
        ServerSettings.defaults().withTls(ServerTls.load(made.certificate(), made.key()));
    try (FileServer https = WebFiles.serve(store, host, 0, settings)) {
      String url = "https://" + ServerAddress.format(host, https.port()) + "/files/";
      String authority = "--ca=" + made.certificate();
      run("put", file, url + "encrypted", authority, "-q");
      run("get", url + "encrypted", file, authority, "-q", "--force");
      run("stat", url + "encrypted", "--pin=" + made.pin());
    }
  }

  private static void run(String... command) {
    new Main(System.getenv()).execute(command);
  }
}
