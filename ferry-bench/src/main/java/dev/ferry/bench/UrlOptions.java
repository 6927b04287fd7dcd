package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.suites.url.ShownUrl;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench} for a server that is not Ferry's. */
final class UrlOptions {
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
      description = "The SHA-256 that the file has to have.")
  @Nullable String sha256;

  @Option(
      names = "--yes-i-own-it",
      description =
          "The server may be loaded. Without it, a run moves 100 MB at most, with pauses, unless the"
              + " server is on this machine.")
  boolean owned;

  /** Returns whether the run is about a server that is already there. */
  boolean isSet() {
    return url != null;
  }

  /** Checks that what is given fits together. */
  void require() throws LabException {
    if (!isSet() && (sha256 != null || owned)) {
      throw LabException.usage("--sha256 and --yes-i-own-it are about --url; give it as well");
    }
  }

  /**
   * Opens the server.
   *
   * @param workFolder where temporary files are kept until the target is closed
   */
  Target open(Path workFolder) throws LabException {
    return UrlTarget.fetch(address(), sha256, owned, workFolder);
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

  /** Returns the arguments of a command as they may be kept: without what the address hides. */
  List<String> shown(List<String> arguments) {
    String address = url;
    return address == null
        ? arguments
        : arguments.stream().map(a -> a.replace(address, ShownUrl.of(address))).toList();
  }
}
