package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import java.net.URI;
import java.net.URISyntaxException;
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
          "The server may be loaded. Without it, a run downloads 100 MB at most, with pauses, unless"
              + " the server is on this machine.")
  boolean owned;

  /** Returns the address; null if none is given. */
  @Nullable URI address() throws LabException {
    if (url == null) {
      if (sha256 != null || owned) {
        throw LabException.usage("--sha256 and --yes-i-own-it are about --url; give it as well");
      }
      return null;
    }
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw LabException.usage("--url is " + url + "; give one like https://example.org/file");
    }
  }
}
