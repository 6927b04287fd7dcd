package dev.ferry.bench;

import dev.ferry.lab.model.HostPort;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.run.server.BenchToken;
import dev.ferry.lab.run.server.RemoteServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench} for servers on another machine. */
final class HostOptions {
  private static final String VARIABLE = "FERRY_BENCH_TOKEN";

  @Option(
      names = "--server",
      paramLabel = "HOST[:PORT]",
      description =
          "Run the servers of the rows on another machine, where ferry serve --bench of the same"
              + " build runs (default port: "
              + RemoteServer.PORT
              + "). Its token is taken from the environment variable "
              + VARIABLE
              + ". The data crosses the network in plain text. Implies --processes 2.")
  private @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Take the token of --server from a file.")
  private @Nullable Path tokenFile;

  @Option(
      names = "--ssh",
      arity = "0..1",
      fallbackValue = "ferry",
      paramLabel = "PATH",
      description =
          "Start ferry serve --bench on the machine of --server by ssh, and end it after the run."
              + " PATH is where ferry is on that machine (default: ferry, which its shell finds)."
              + " The environment variable "
              + SshServer.VARIABLE
              + " names another program than ssh.")
  private @Nullable String ssh;

  boolean isSet() {
    return server != null;
  }

  /**
   * Starts the server by ssh, and returns it; null if that is not wanted. The caller closes it.
   *
   * @param log takes what ssh and the server print
   */
  @Nullable SshServer start(Consumer<String> log) throws LabException {
    if (ssh == null) {
      return null;
    }
    if (server == null || tokenFile != null) {
      throw LabException.usage(
          "--ssh starts the server of --server and gets its token; give --server, and no"
              + " --token-file");
    }
    HostPort address = address(server, 0);
    return SshServer.start(address.host(), address.port(), ssh, log);
  }

  /**
   * Returns the server; null if none is given.
   *
   * @param flags the flags of the JVMs of both ends
   * @param started the server if {@link #start} has started it; else null
   */
  @Nullable RemoteServer server(JvmFlags flags, @Nullable SshServer started) throws LabException {
    if (server == null) {
      if (tokenFile != null) {
        throw LabException.usage("--token-file needs --server; give it as well");
      }
      return null;
    }
    HostPort address = address(server, RemoteServer.PORT);
    int port = started == null ? address.port() : started.port();
    BenchToken token = started == null ? token() : started.token();
    return new RemoteServer(address.host(), port, token, flags.heapBytes(), flags.collector());
  }

  private static HostPort address(String server, int port) throws LabException {
    try {
      return HostPort.parse(server, port);
    } catch (LabException e) {
      throw LabException.usage("--server: " + e.getMessage());
    }
  }

  private BenchToken token() throws LabException {
    if (tokenFile != null) {
      try {
        return BenchToken.parse(Files.readString(tokenFile), "--token-file " + tokenFile);
      } catch (IOException e) {
        throw LabException.usage(
            "--token-file: " + tokenFile + " cannot be read; give the file with the token");
      }
    }
    String value = System.getenv(VARIABLE);
    if (value == null) {
      throw LabException.usage(
          "--server needs the token that serve --bench printed; set %s, or give --token-file"
              .formatted(VARIABLE));
    }
    return BenchToken.parse(value, VARIABLE);
  }
}
