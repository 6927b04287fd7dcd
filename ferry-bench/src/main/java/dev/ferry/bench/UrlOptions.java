package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.suites.url.GrpcAddress;
import dev.ferry.suites.url.ShownUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench} for a server that is not Ferry's. */
final class UrlOptions {
  private static final String MESSAGE = "--message";

  /** Stands for a message in the arguments of a run. */
  private static final String OMITTED = "…";

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "Compare the HTTP clients with the server of this address, such as"
              + " https://example.org/file, instead of the embedded servers.")
  @Nullable String url;

  @Option(
      names = "--sha256",
      paramLabel = "HEX",
      description = "The SHA-256 that the file must have.")
  @Nullable String sha256;

  @Option(
      names = "--grpc",
      paramLabel = "CALL",
      description =
          "Call this method of a server in plain text, such as 10.0.0.2:50051/package.Service/Method,"
              + " by grpc-java at its defaults and tuned; if it streams bytes, also by"
              + " ferry-zerocopy.")
  @Nullable String grpc;

  @Option(
      names = MESSAGE,
      paramLabel = "JSON",
      description = "The message of --grpc in JSON (default: an empty one, {}).")
  @Nullable String message;

  @Option(
      names = "--descriptors",
      paramLabel = "FILE",
      description =
          "The schema of --grpc, as protoc --include_imports -o FILE writes it (default: what the"
              + " server's reflection service says).")
  @Nullable Path descriptors;

  @Option(
      names = "--field",
      paramLabel = "NUMBER|NAME",
      description =
          "Which field of the responses of --grpc is received (default: the only one of type"
              + " bytes).")
  @Nullable String field;

  @Option(
      names = "--yes-i-own-it",
      description =
          "Lift the safety limit, since the server is yours. Without it, a run moves 100 MB at most,"
              + " with pauses, unless the server is on this machine.")
  boolean owned;

  /** Returns whether the run is about a server that is already there. */
  boolean isSet() {
    return url != null || grpc != null;
  }

  /** Checks that what is given fits together. */
  void require() throws LabException {
    if (url != null && grpc != null) {
      throw LabException.usage("--url and --grpc: give only one of them");
    }
    if (sha256 != null && url == null) {
      throw LabException.usage("--sha256 needs --url; give it as well");
    }
    requireGrpc(MESSAGE, message);
    requireGrpc("--descriptors", descriptors);
    requireGrpc("--field", field);
    if (OMITTED.equals(message)) {
      throw LabException.usage(
          "--message: a run does not keep its message, so --resume does not know it; start a new"
              + " run");
    }
    if (owned && !isSet()) {
      throw LabException.usage("--yes-i-own-it needs --url or --grpc; give one as well");
    }
  }

  private void requireGrpc(String option, @Nullable Object value) throws LabException {
    if (value != null && grpc == null) {
      throw LabException.usage(option + " needs --grpc; give it as well");
    }
  }

  /**
   * Opens the server.
   *
   * @param workFolder where temporary files are kept until the target is closed
   */
  Target open(Path workFolder) throws LabException {
    return grpc == null
        ? UrlTarget.fetch(address(), sha256, owned, workFolder)
        : GrpcTarget.call(
            GrpcAddress.parse(grpc),
            message == null ? "{}" : message,
            descriptors,
            field,
            owned,
            workFolder);
  }

  private URI address() throws LabException {
    String text = String.valueOf(url);
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw LabException.usage(
          "--url is " + ShownUrl.of(text) + "; give one like https://example.org/file");
    }
  }

  /**
   * Returns the arguments of a command as they may be kept: without what the address hides, and
   * without the message.
   */
  List<String> shown(List<String> arguments) {
    return arguments.stream().map(this::shown).toList();
  }

  private String shown(String argument) {
    String kept = argument;
    if (url != null) {
      kept = kept.replace(url, ShownUrl.of(url));
    }
    if (kept.equals(message)) {
      return OMITTED;
    }
    return kept.startsWith(MESSAGE + "=") ? MESSAGE + "=" + OMITTED : kept;
  }
}
