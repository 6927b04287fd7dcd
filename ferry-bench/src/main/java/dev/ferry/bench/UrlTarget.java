package dev.ferry.bench;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.url.ShownUrl;
import dev.ferry.suites.url.UrlSuite;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file of {@code --url}. It is downloaded once before the run; the rows have to give the same
 * bytes.
 */
final class UrlTarget implements Target {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int COPY_BYTES = 64 * 1024;
  private static final int OK = 200;
  private static final String NAME = "[A-Za-z0-9._-]{1,100}";

  private final URI url;

  /** The address for messages. */
  private final String shown;

  private final LoadLimit limit;
  private final Path folder;
  private final Path file;

  /** The whole address, if it has a query: the rows that forks get do not. */
  private final @Nullable Path address;

  /** Whether the server agrees on HTTP/2 by ALPN. */
  private boolean http2;

  private UrlTarget(URI url, boolean owned, Path folder) {
    this.url = url;
    this.shown = ShownUrl.of(url.toString());
    this.limit = new LoadLimit("--url", shown, owned);
    this.folder = folder;
    String path = String.valueOf(url.getPath());
    String last = path.substring(path.lastIndexOf('/') + 1);
    this.file = folder.resolve(last.matches(NAME) && !last.startsWith(".") ? last : "download");
    // No file of a server has this name here.
    this.address = url.getRawQuery() == null ? null : folder.resolve(".address");
    // An interrupt may end the process before close was called.
    folder.toFile().deleteOnExit();
    file.toFile().deleteOnExit();
    if (address != null) {
      address.toFile().deleteOnExit();
    }
  }

  /**
   * Downloads the file.
   *
   * @param sha256 what its digest has to be, in hexadecimal; null if any will do
   * @param owned whether the user said that the server may be loaded
   * @param workFolder where the file is kept until {@link #close}
   */
  static UrlTarget fetch(URI url, @Nullable String sha256, boolean owned, Path workFolder)
      throws LabException {
    requireUsable(url);
    UrlTarget target;
    try {
      InetAddress unused = InetAddress.getByName(url.getHost());
      target = new UrlTarget(url, owned, Files.createTempDirectory(workFolder, "ferry-url-"));
      target.limit.add(url.getHost());
      if (target.address != null) {
        // Nobody else may look into a temporary folder.
        Files.writeString(target.address, url.toString());
      }
    } catch (UnknownHostException e) {
      throw LabException.failure("--url: the host " + url.getHost() + " is not known", e);
    } catch (IOException e) {
      throw LabException.failure(
          "work folder " + workFolder + " cannot be written; give --work-dir another one", e);
    }
    try {
      target.download();
      target.verify(sha256);
      return target;
    } catch (LabException | RuntimeException e) {
      target.close();
      throw e;
    }
  }

  private static void requireUsable(URI url) throws LabException {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!Set.of("http", "https").contains(scheme) || url.getHost() == null) {
      throw LabException.usage(
          "--url is " + ShownUrl.of(url.toString()) + "; give one like https://example.org/file");
    }
    if (url.toString().endsWith(ShownUrl.QUERY)) {
      throw LabException.usage(
          "--url: a run does not keep the query of its address, so --resume does not know it; start"
              + " a new run");
    }
    if (url.getUserInfo() != null) {
      throw LabException.usage("--url has a password, which the run folder would show; remove it");
    }
  }

  private void download() throws LabException {
    HttpClient client =
        HttpClient.newBuilder()
            // In plain text it would ask each server for an upgrade.
            .version(isTls() ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(PATIENCE)
            .build();
    try {
      HttpResponse<InputStream> response =
          client.send(
              HttpRequest.newBuilder(url).timeout(PATIENCE).build(), BodyHandlers.ofInputStream());
      try (InputStream body = response.body();
          OutputStream out = Files.newOutputStream(file)) {
        if (response.statusCode() != OK) {
          throw LabException.failure(
              "--url: " + shown + " gives HTTP " + response.statusCode() + " and not 200");
        }
        limit.add(response.uri().getHost());
        http2 = response.version() == HttpClient.Version.HTTP_2;
        copy(body, out);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LabException.failure("--url: interrupted", e);
    } catch (IOException e) {
      // The causes may name the whole address as well.
      throw LabException.failure(
          "--url: %s cannot be downloaded: %s".formatted(shown, ShownUrl.in(Reason.of(e), url)));
    }
  }

  private boolean isTls() {
    return "https".equalsIgnoreCase(url.getScheme());
  }

  private void copy(InputStream body, OutputStream out) throws IOException, LabException {
    byte[] buffer = new byte[COPY_BYTES];
    long bytes = 0;
    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
      bytes += n;
      limit.requireAllowed(bytes);
      out.write(buffer, 0, n);
    }
  }

  private void verify(@Nullable String sha256) throws LabException {
    try {
      if (Files.size(file) == 0) {
        throw LabException.failure("--url: " + shown + " is empty");
      }
      String received = Sha256.ofFile(file).toHex();
      if (sha256 != null && !received.equalsIgnoreCase(sha256)) {
        throw LabException.failure(
            "--url: " + shown + " has the SHA-256 " + received + ", not " + sha256);
      }
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be read", e);
    }
  }

  @Override
  public Suite suite(@Nullable Duration time) {
    return new UrlSuite(url, limit.bytesPerSecond(time), http2, address);
  }

  @Override
  public void requireAllowed(RunPlan plan, Settings profile) throws LabException {
    try {
      limit.requireAllowed(plan, profile, Files.size(file));
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be read", e);
    }
  }

  @Override
  public Path file() {
    return file;
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      if (address != null) {
        Files.deleteIfExists(address);
      }
      Files.delete(folder);
    } catch (IOException e) {
      // The system's temporary folder is cleaned by others.
      return;
    }
  }
}
