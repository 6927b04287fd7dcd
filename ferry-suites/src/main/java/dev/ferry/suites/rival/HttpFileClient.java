package dev.ferry.suites.rival;

import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.HostPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Files over an HTTP client of others: the work that is the same for all of them. A download goes
 * to a new file, whose digest is computed as it is written. The response contains the server's
 * digest if it was known; otherwise a HEAD request asks for it afterwards. A verified upload reads
 * the file twice, since the request begins with the digest.
 *
 * <p>Deadlines, retries and the like are those of the client. Subclasses have one method to write,
 * and are as thread-safe as their client.
 */
public abstract class HttpFileClient implements TransferClient {
  /** Copies and buffers of tuned clients have at least this size in bytes. */
  public static final int TUNED_BYTES = 256 * 1024;

  private final String server;
  private final boolean tuned;
  private final boolean tls;

  /**
   * @param tuned whether copies and buffers have at least {@link #TUNED_BYTES}, and not the chunk
   *     size
   */
  protected HttpFileClient(String host, int port, boolean tuned, boolean tls) {
    this.server = (tls ? "https://" : "http://") + new HostPort(host, port);
    this.tuned = tuned;
    this.tls = tls;
  }

  /** Sends a request, and returns when the exchange has the whole response. */
  protected abstract void send(HttpExchange exchange)
      throws IOException, InterruptedException, ExecutionException;

  @Override
  public final Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    require(options);
    Digest.Algorithm algorithm = options.digest();
    try (PartFile file = new PartFile(target, algorithm, tuned);
        HttpExchange get = request("GET", path, options, null, file)) {
      exchange(path, get.accepting(options.gzip()).wanting(algorithm));
      if (algorithm == null) {
        file.commit();
      } else {
        file.commit(path.value(), digest(path, options, get, algorithm));
      }
      return transfer(path, target, get, get.received(), get.encoding());
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private Digest digest(
      StorePath path, TransferOptions options, HttpExchange get, Digest.Algorithm algorithm)
      throws IOException {
    Digest digest = get.digest(algorithm);
    if (digest == null) {
      try (HttpExchange head = request("HEAD", path, options, null, null)) {
        exchange(path, head.accepting(options.gzip()).wanting(algorithm));
        digest = head.digest(algorithm);
      }
    }
    return algorithm.requireGiven(digest, path.value());
  }

  @Override
  public final Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    require(options);
    Digest.Algorithm algorithm = options.digest();
    try (SentFile file = new SentFile(source, options.gzip(), bufferSize(options));
        HttpExchange put = request("PUT", path, options, file, null).accepting(false)) {
      Digest sent = algorithm == null ? null : algorithm.ofFile(source);
      if (sent != null) {
        put.with(FerryRoutes.DIGEST, FerryRoutes.field(sent));
      }
      if (options.gzip()) {
        put.with("Content-Encoding", "gzip")
            .with(FerryRoutes.UNENCODED_LENGTH, Long.toString(file.size()));
      }
      exchange(path, put);
      if (sent != null) {
        // A server that has not computed it has stored whatever arrived.
        Digest stored = sent.algorithm().requireGiven(put.digest(sent.algorithm()), path.value());
        PartFile.requireEqual(path.value(), stored, sent);
      }
      return transfer(path, source, put, file.sent(), options.gzip() ? "gzip" : "identity");
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private static void require(TransferOptions options) throws FerryException {
    Compression compression = options.compression();
    if (compression != null && !compression.equals(Compression.GZIP)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "HTTP clients compress by gzip at its first level alone");
    }
    if (options.timeout() != null || options.rateLimit() != null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "HTTP clients of rows have no deadline and no pace");
    }
  }

  private int bufferSize(TransferOptions options) {
    return tuned ? Math.max(options.chunkSize(), TUNED_BYTES) : options.chunkSize();
  }

  private HttpExchange request(
      String method,
      StorePath path,
      TransferOptions options,
      @Nullable SentFile body,
      @Nullable PartFile file) {
    return new HttpExchange(method, path, server, bufferSize(options), body, file);
  }

  private void exchange(StorePath path, HttpExchange exchange) throws IOException {
    try {
      send(exchange);
    } catch (InterruptedException e) {
      throw FerryException.interrupted(path + ": cancelled", e);
    } catch (IOException | ExecutionException | RuntimeException e) {
      // A server that refuses an upload may close the connection before it has read all.
      exchange.requireNotRefused();
      throw failure(path, e);
    }
    exchange.finish();
  }

  private static FerryException failure(StorePath path, Exception failure) {
    Throwable first = failure;
    for (Throwable t = failure; t != null; t = t.getCause()) {
      first = t;
      if (t instanceof FerryException ferry) {
        return ferry;
      }
    }
    return new FerryException(ErrorKind.UNAVAILABLE, path + ": " + first, failure);
  }

  private Transfer transfer(
      StorePath path, Path file, HttpExchange exchange, long wireBytes, String encoding)
      throws IOException {
    FileFacts facts =
        FileFacts.of(path.value(), Files.readAttributes(file, BasicFileAttributes.class));
    return new Transfer(facts, wireBytes, exchange.protocol().wireName(tls), encoding);
  }
}
