package dev.ferry.suites.rival.jdk;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.HostPort;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.suites.rival.FerryRoutes;
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
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Files by java.net.http as its documentation shows: {@code BodyHandlers.ofFile} and {@code
 * BodyPublishers.ofFile}, HTTP/1.1, everything else at its default. It does not compress. It
 * verifies as its user has to: it reads the file once before an upload. It computes the CRC-32C of
 * a download while it arrives, and reads the file once more for its SHA-256.
 */
public record OfFileClient(HttpClient client, String base) implements TransferClient {
  /** Connects, lazily, in plain text. */
  public static OfFileClient connect(String host, int port, @Nullable ClientSsl ssl) {
    HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
    if (ssl != null) {
      builder.sslContext(ssl.context()).sslParameters(ssl.parameters());
    }
    return new OfFileClient(
        builder.build(), (ssl == null ? "http://" : "https://") + new HostPort(host, port));
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    // As the others do: under a temporary name first, so that half a file never looks whole.
    Path part = PartFile.partOf(target);
    try {
      try {
        Digest.Algorithm algorithm = options.digest();
        HttpRequest.Builder request = request(path, options);
        if (algorithm != null) {
          request.header(FerryRoutes.WANT_DIGEST, FerryRoutes.wanted(algorithm));
        }
        CRC32C crc = algorithm == Digest.Algorithm.CRC32C ? new CRC32C() : null;
        HttpResponse<Path> response =
            send(
                path,
                request.GET().build(),
                head ->
                    head.statusCode() == 200
                        ? summed(BodySubscribers.ofFile(part), crc)
                        : BodySubscribers.replacing(part));
        if (algorithm != null) {
          Digest received = crc == null ? algorithm.ofFile(part) : Crc32c.of(crc);
          PartFile.requireEqual(path.value(), received, digest(path, response, algorithm));
        }
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        return TransferClient.plain(path, target, HttpProtocol.HTTP_1_1.wireName());
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private static <T> BodySubscriber<T> summed(BodySubscriber<T> subscriber, @Nullable CRC32C crc) {
    return crc == null ? subscriber : new SummedBody<>(subscriber, crc);
  }

  /** The digest of the download if the server knew it by then, otherwise by another request. */
  private Digest digest(StorePath path, HttpResponse<?> download, Digest.Algorithm algorithm)
      throws FerryException {
    String field = field(download);
    if (field == null) {
      HttpRequest head =
          request(path, TransferOptions.DEFAULT)
              .header(FerryRoutes.WANT_DIGEST, FerryRoutes.wanted(algorithm))
              .method("HEAD", BodyPublishers.noBody())
              .build();
      field = field(send(path, head, BodyHandlers.discarding()));
    }
    return algorithm.requireGiven(FerryRoutes.digest(field, algorithm), path.value());
  }

  private static @Nullable String field(HttpResponse<?> response) {
    return response.headers().firstValue(FerryRoutes.DIGEST).orElse(null);
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try {
      HttpRequest.Builder request = request(path, options);
      Digest.Algorithm algorithm = options.digest();
      if (algorithm != null) {
        Digest digest = algorithm.ofFile(source);
        request.header(FerryRoutes.DIGEST, FerryRoutes.field(digest));
      }
      send(path, request.PUT(BodyPublishers.ofFile(source)).build(), BodyHandlers.discarding());
      return TransferClient.plain(path, source, HttpProtocol.HTTP_1_1.wireName());
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
        HttpRequest.newBuilder(URI.create(base + FerryRoutes.uriPath(path)));
    return options.timeout() == null ? request : request.timeout(options.timeout());
  }

  private <T> HttpResponse<T> send(StorePath path, HttpRequest request, BodyHandler<T> handler)
      throws FerryException {
    try {
      HttpResponse<T> response = client.send(request, handler);
      if (response.statusCode() >= 300) {
        throw FerryRoutes.refused(path.value(), response.statusCode());
      }
      return response;
    } catch (InterruptedException e) {
      throw FerryException.interrupted(path + ": cancelled", e);
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
