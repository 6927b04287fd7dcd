package dev.ferry.suites.calls.service.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** A client for small calls over java.net.http with HTTP/1.1 and its own threads. Thread-safe. */
public final class JdkCallClient extends HttpCallClient {
  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "ferry-calls-jdk");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable HttpClient client;

  private JdkCallClient(String host, int port) {
    super("http", host, port);
    client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(executor).build();
  }

  /** Creates a client in plaintext, which connects lazily. */
  public static JdkCallClient connect(String host, int port) {
    return new JdkCallClient(host, port);
  }

  private HttpClient client() throws IOException {
    HttpClient open = client;
    if (open == null) {
      throw new IOException("the client is closed");
    }
    return open;
  }

  private HttpRequest of(Request request) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(uri(request))).header("Accept", request.accept());
    byte[] body = request.body();
    return body == null
        ? builder.GET().build()
        : builder.header("Content-Type", JSON).POST(BodyPublishers.ofByteArray(body)).build();
  }

  @Override
  protected <T> T exchange(Request request, Reading<T> reading) throws IOException {
    try {
      // Receive small bodies as a whole, because streaming a body costs a thread switch.
      if (request.accept().equals(JSON)) {
        return read(client().send(of(request), BodyHandlers.ofByteArray()), reading);
      }
      HttpResponse<InputStream> response = client().send(of(request), BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        throwUnlessSuccess(response, body);
        return reading.read(body);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  protected <T> CompletableFuture<T> exchangeAsync(Request request, Reading<T> reading) {
    try {
      return client()
          .sendAsync(of(request), BodyHandlers.ofByteArray())
          .thenApply(
              response -> {
                try {
                  return read(response, reading);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> T read(HttpResponse<byte[]> response, Reading<T> reading) throws IOException {
    InputStream body = new ByteArrayInputStream(response.body());
    throwUnlessSuccess(response, body);
    return reading.read(body);
  }

  private void throwUnlessSuccess(HttpResponse<?> response, InputStream body) throws IOException {
    if (response.statusCode() != HttpURLConnection.HTTP_OK) {
      throw problem(server(), response.statusCode(), body);
    }
  }

  /** JDK 17's HttpClient cannot be closed; it stops when it is garbage-collected. */
  @Override
  public void close() {
    client = null;
    executor.shutdownNow();
  }
}
