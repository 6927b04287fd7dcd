package dev.ferry.cli.client;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The second server of a command, which may have a token of its own. What is secret goes from the
 * options of the first server to this one only if it is the same.
 */
public final class SecondServer {
  static final String TOKEN_FILE = "--target-token-file";

  @Option(
      names = TOKEN_FILE,
      paramLabel = "FILE",
      description =
          "A file with the token for the second server of the command (default: that of the first"
              + " one if both have the same host name and port, or the ports 7070 and 7080; otherwise"
              + " none).")
  private @Nullable Path token;

  /** Returns what names the server of an address, which is not necessarily the first one. */
  ServerArguments of(ServerArguments first, String address) {
    return first.elsewhere(address, token);
  }
}
