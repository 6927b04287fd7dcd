package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.contract.Errors;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.rival.TransferClient;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * java.net.http with bodies of blocks, compressed and decompressed by several threads; speaks to
 * {@link BlockHttpServer} alone. Files travel compressed or not at all.
 */
public final class BlockHttpClient implements TransferClient {
  /** The content coding of all bodies. */
  public static final String ENCODING = BlockFormat.ENCODING;

  private static final String PROTOCOL = "http/1.1";
  private static final int OK = 200;
  private static final int CLOSE_SECONDS = 3;

  private final String server;
  private final BlockWorkers workers;
  private final SendBuffers buffers = new SendBuffers();
  private final ExecutorService executor =
      Executors.newCachedThreadPool(new DefaultThreadFactory("blocks-client", true));
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor).build();

  private BlockHttpClient(String server, BlockWorkers workers) {
    this.server = server;
    this.workers = workers;
  }

  /**
   * Connects, lazily, in plain text.
   *
   * @param host a name or an IPv4 address
   * @param codec compresses and decompresses
   * @param threads how many do so at once; at least 1
   * @throws UnsupportedOperationException if this machine does not have the codec
   */
  public static BlockHttpClient connect(
      String host, int port, CompressionCodec codec, int threads) {
    return new BlockHttpClient(
        host + ":" + port, BlockWorkers.of("blocks-client-compress", codec, threads));
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    requireCompressed(path, options);
    HttpRequest request =
        request(path).header("Accept-Encoding", BlockFormat.ENCODING).GET().build();
    try (BlockBody body = new BlockBody(target, workers)) {
      HttpResponse<String> response = send(request, body, path);
      String encoding = field(response, "Content-Encoding", path);
      FileFacts facts = body.commit(size(response, path));
      return new Transfer(facts, body.wireBytes(), PROTOCOL, encoding);
    }
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    requireCompressed(path, options);
    try (FileSource source = FileSource.open(file);
        BlockPublisher body = new BlockPublisher(source, options.chunkSize(), workers, buffers)) {
      HttpRequest request =
          request(path)
              .header("Content-Encoding", BlockFormat.ENCODING)
              .header("Content-Type", "application/octet-stream")
              .header(HttpRoutes.UNENCODED_LENGTH, Long.toString(source.facts().size()))
              .PUT(body)
              .build();
      HttpResponse<String> response = send(request, BodyHandlers.ofString(), path);
      body.recycle();
      if (size(response, path) != source.facts().size()) {
        throw new FerryException(ErrorKind.INCOMPLETE, path + ": arrived with another size");
      }
      FileFacts facts =
          new FileFacts(
              path.value(), source.facts().size(), lastModified(response, path), false, null);
      return new Transfer(facts, body.published(), PROTOCOL, BlockFormat.ENCODING);
    }
  }

  private static void requireCompressed(StorePath path, TransferOptions options)
      throws FerryException {
    if (!options.gzip()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, path + ": is sent compressed only; enable gzip");
    }
  }

  private HttpRequest.Builder request(StorePath path) {
    return HttpRequest.newBuilder(URI.create("http://" + server + HttpRoutes.uriPath(path)));
  }

  private HttpResponse<String> send(HttpRequest request, BodyHandler<String> body, StorePath path)
      throws FerryException {
    CompletableFuture<HttpResponse<String>> sent = client.sendAsync(request, body);
    try {
      HttpResponse<String> response = sent.get();
      if (response.statusCode() != OK) {
        throw new FerryException(
            Errors.fromHttp(
                response.statusCode(),
                response.headers().firstValue(HttpRoutes.ERROR).orElse(null)),
            response.body());
      }
      return response;
    } catch (ExecutionException e) {
      throw failure(path, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new FerryException(ErrorKind.CANCELLED, path + ": cancelled", e);
    }
  }

  private FerryException failure(StorePath path, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException ferry) {
        return ferry;
      }
    }
    return new FerryException(
        ErrorKind.UNAVAILABLE,
        path + ": connection to " + server + " lost: " + reason(failure),
        failure);
  }

  private static String reason(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private static long size(HttpResponse<?> response, StorePath path) throws FerryException {
    String text = field(response, HttpRoutes.UNENCODED_LENGTH, path);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw malformed(path, HttpRoutes.UNENCODED_LENGTH, e);
    }
  }

  private static Instant lastModified(HttpResponse<?> response, StorePath path)
      throws FerryException {
    try {
      return Instant.parse(field(response, HttpRoutes.LAST_MODIFIED, path));
    } catch (DateTimeParseException e) {
      throw malformed(path, HttpRoutes.LAST_MODIFIED, e);
    }
  }

  private static String field(HttpResponse<?> response, String name, StorePath path)
      throws FerryException {
    return response.headers().firstValue(name).orElseThrow(() -> malformed(path, name, null));
  }

  private static FerryException malformed(StorePath path, String name, @Nullable Exception cause) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, path + ": the server's " + name + " is missing or wrong", cause);
  }

  /** Stops the threads; the client's own end when the collector finds it. */
  @Override
  public void close() {
    workers.close();
    executor.shutdown();
    try {
      executor.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
