package dev.ferry.bench;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Plan;
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
final class UrlTarget implements AutoCloseable {
  /** Bytes that a run downloads at most from a host of which nobody said whose it is. */
  private static final long LIMIT = 100_000_000;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Over which the limit is spread if the run has no other time. */
  private static final Duration USUAL_TIME = Duration.ofMinutes(8);

  private static final int COPY_BYTES = 64 * 1024;
  private static final int OK = 200;
  private static final String NAME = "[A-Za-z0-9._-]{1,100}";

  private final URI url;
  private final boolean owned;
  private final Path folder;
  private final Path file;

  /** Whether one of the hosts, before and after redirects, is another machine of somebody. */
  private boolean limited;

  private UrlTarget(URI url, boolean owned, Path folder) {
    this.url = url;
    this.owned = owned;
    this.folder = folder;
    String path = String.valueOf(url.getPath());
    String last = path.substring(path.lastIndexOf('/') + 1);
    this.file = folder.resolve(last.matches(NAME) && !last.startsWith(".") ? last : "download");
    // An interrupt may end the process before close was called.
    folder.toFile().deleteOnExit();
    file.toFile().deleteOnExit();
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
    requireHttp(url);
    UrlTarget target;
    try {
      InetAddress host = InetAddress.getByName(url.getHost());
      target = new UrlTarget(url, owned, Files.createTempDirectory(workFolder, "ferry-url-"));
      target.limitUnless(host);
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

  private static void requireHttp(URI url) throws LabException {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    if (!Set.of("http", "https").contains(scheme) || url.getHost() == null) {
      throw LabException.usage("--url is " + url + "; give one like https://example.org/file");
    }
    if (url.getRawQuery() != null) {
      throw LabException.usage(
          "--url has a query, which may be confidential and which the run folder would show; give"
              + " an address without one");
    }
    if (url.getUserInfo() != null) {
      throw LabException.usage("--url has a password, which the run folder would show; remove it");
    }
  }

  private void limitUnless(InetAddress host) {
    limited |= !owned && !host.isLoopbackAddress();
  }

  private void download() throws LabException {
    HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
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
              "--url: " + url + " gives HTTP " + response.statusCode() + " and not 200");
        }
        limitUnless(InetAddress.getByName(response.uri().getHost()));
        copy(body, out);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw LabException.failure("--url: interrupted", e);
    } catch (IOException e) {
      throw LabException.failure("--url: " + url + " cannot be downloaded: " + e.getMessage(), e);
    }
  }

  private void copy(InputStream body, OutputStream out) throws IOException, LabException {
    byte[] buffer = new byte[COPY_BYTES];
    long bytes = 0;
    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
      bytes += n;
      if (limited && bytes > LIMIT) {
        throw tooMuch("has more than %,d bytes".formatted(LIMIT), "with less");
      }
      out.write(buffer, 0, n);
    }
  }

  private void verify(@Nullable String sha256) throws LabException {
    try {
      if (Files.size(file) == 0) {
        throw LabException.failure("--url: " + url + " is empty");
      }
      String received = Sha256.ofFile(file).toHex();
      if (sha256 != null && !received.equalsIgnoreCase(sha256)) {
        throw LabException.failure(
            "--url: " + url + " has the SHA-256 " + received + ", not " + sha256);
      }
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be read", e);
    }
  }

  /**
   * Returns the suite that compares the clients.
   *
   * @param time how long the rows may run; null for all rounds of the profile
   */
  UrlSuite suite(@Nullable Duration time) {
    return new UrlSuite(url, limited ? LIMIT / (time == null ? USUAL_TIME : time).toSeconds() : 0);
  }

  /**
   * Checks how much a run downloads.
   *
   * @param profile the settings of the profile, with the rounds that are made in any case
   * @throws LabException if it is more than is allowed
   */
  void requireAllowed(Plan plan, Settings profile) throws LabException {
    long downloads =
        plan.groups().stream()
            .flatMap(group -> group.rows().stream().map(row -> group.settings(row, profile)))
            .mapToLong(row -> row.rounds() * (row.maxWarmupOperations() + row.samplesPerRound()))
            .sum();
    long most = LIMIT / downloads;
    if (limited && bytes() > most) {
      throw tooMuch(
          "would be downloaded %d times, %,d bytes together"
              .formatted(downloads, bytes() * downloads),
          "of at most %,d bytes".formatted(most));
    }
  }

  private LabException tooMuch(String what, String remedy) {
    return LabException.usage(
        ("--url: %s %s; give a file %s, or --yes-i-own-it if its server may be loaded with more"
                + " than %,d bytes")
            .formatted(url, what, remedy, LIMIT));
  }

  Path file() {
    return file;
  }

  private long bytes() throws LabException {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be read", e);
    }
  }

  @Override
  public void close() {
    try {
      Files.deleteIfExists(file);
      Files.delete(folder);
    } catch (IOException e) {
      // The system's temporary folder is cleaned by others.
      return;
    }
  }
}
