package dev.ferry.suites.rival.jdk;

import dev.ferry.contract.Errors;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/**
 * Files by java.net.http as its documentation shows: {@code BodyHandlers.ofFile} and {@code
 * BodyPublishers.ofFile}, HTTP/1.1, everything else at its default. It does not compress. It
 * verifies as its user has to: it reads the file once more, after a download and before an upload.
 */
public final class OfFileClient implements TransferClient {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;

  private OfFileClient(String base) {
    this.base = base;
  }

  /** Connects, lazily, in plain text. */
  public static OfFileClient connect(String host, int port) {
    return new OfFileClient("http://" + host + ":" + port);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    // As the others do: under a temporary name first, so that half a file never looks whole.
    Path part = PartFile.partOf(target);
    try {
      try {
        HttpRequest.Builder request = request(path, options);
        if (options.verify()) {
          request.header(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10");
        }
        HttpResponse<Path> response =
            send(
                path,
                request.GET().build(),
                head ->
                    head.statusCode() == 200
                        ? BodySubscribers.ofFile(part)
                        : BodySubscribers.replacing(part));
        if (options.verify()) {
          verify(path, Sha256.ofFile(part), digest(path, response));
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        return TransferClient.plain(path, target);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  /** The digest of the download if the server knew it by then, otherwise by another request. */
  private Sha256 digest(StorePath path, HttpResponse<?> download) throws FerryException {
    String field = field(download);
    if (field == null) {
      HttpRequest head =
          request(path, TransferOptions.DEFAULT)
              .header(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10")
              .method("HEAD", BodyPublishers.noBody())
              .build();
      field = field(send(path, head, BodyHandlers.discarding()));
    }
    Sha256 digest = HttpRoutes.digest(field);
    if (digest == null) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": the server gives no digest");
    }
    return digest;
  }

  private static @Nullable String field(HttpResponse<?> response) {
    return response.headers().firstValue(HttpRoutes.UNENCODED_DIGEST).orElse(null);
  }

  private static void verify(StorePath path, Sha256 received, Sha256 sent) throws FerryException {
    if (!received.equals(sent)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH, path + ": arrived with SHA-256 " + received + ", not " + sent);
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try {
      HttpRequest.Builder request = request(path, options);
      if (options.verify()) {
        request.header(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(Sha256.ofFile(source)));
      }
      send(path, request.PUT(BodyPublishers.ofFile(source)).build(), BodyHandlers.discarding());
      return TransferClient.plain(path, source);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private HttpRequest.Builder request(StorePath path, TransferOptions options)
      throws FerryException {
    if (options.gzip()) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "ofFile does not compress");
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + HttpRoutes.uriPath(path)));
    return options.timeout() == null ? request : request.timeout(options.timeout());
  }

  private <T> HttpResponse<T> send(StorePath path, HttpRequest request, BodyHandler<T> handler)
      throws FerryException {
    try {
      HttpResponse<T> response = client.send(request, handler);
      if (response.statusCode() >= 300) {
        throw new FerryException(
            Errors.fromHttp(response.statusCode(), null), path + ": HTTP " + response.statusCode());
      }
      return response;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FerryException(ErrorKind.CANCELLED, path + ": cancelled", e);
    } catch (FerryException e) {
      throw e;
    } catch (IOException e) {
      throw new FerryException(ErrorKind.UNAVAILABLE, path + ": " + e.getMessage(), e);
    }
  }

  /** Does nothing: the client of JDK 17 ends when it is no longer referenced. */
  @Override
  public void close() {}
}
