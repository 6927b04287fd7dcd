package dev.ferry.suites.calls.service.http;

import dev.ferry.http.HttpProtocol;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.Dispatcher;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * A client for small calls over OkHttp, with HTTP/1.1 or HTTP/2 with prior knowledge. Blocking
 * calls run on the caller's thread, asynchronous calls on OkHttp's threads. Thread-safe.
 */
public final class OkHttpCallClient extends HttpCallClient {
  private static final int CONNECTIONS = 64;
  private static final int KEEP_MINUTES = 5;
  private static final MediaType JSON_TYPE = MediaType.get(JSON);

  private final OkHttpClient client;

  private OkHttpCallClient(String scheme, String host, int port, OkHttpClient client) {
    super(scheme, host, port);
    this.client = client;
  }

  /** Creates a client in plaintext, which connects lazily. */
  public static OkHttpCallClient connect(String host, int port, HttpProtocol protocol) {
    return of("http", host, port, settings(protocol).build());
  }

  /**
   * Creates a client over an OkHttpClient, for instance one with its own certificates.
   *
   * @param scheme {@code http} or {@code https}
   * @param client its calls are cancelled and its connections closed when this client is closed
   */
  public static OkHttpCallClient of(String scheme, String host, int port, OkHttpClient client) {
    return new OkHttpCallClient(scheme, host, port, client);
  }

  /** Settings for small calls. No thread is started before the first call. */
  public static OkHttpClient.Builder settings(HttpProtocol protocol) {
    Dispatcher dispatcher = new Dispatcher();
    dispatcher.setMaxRequests(CONNECTIONS);
    dispatcher.setMaxRequestsPerHost(CONNECTIONS);
    return new OkHttpClient.Builder()
        .socketFactory(new NoDelaySockets())
        .connectionPool(new ConnectionPool(CONNECTIONS, KEEP_MINUTES, TimeUnit.MINUTES))
        .dispatcher(dispatcher)
        .readTimeout(Duration.ZERO)
        .writeTimeout(Duration.ZERO)
        .followRedirects(false)
        .protocols(
            List.of(
                protocol == HttpProtocol.H2C ? Protocol.H2_PRIOR_KNOWLEDGE : Protocol.HTTP_1_1));
  }

  private Call of(Request request) {
    okhttp3.Request.Builder builder =
        new okhttp3.Request.Builder()
            .url(uri(request))
            .header("Accept", request.accept())
            // Without this field, OkHttp requests gzip and decodes it.
            .header("Accept-Encoding", "identity");
    byte[] body = request.body();
    if (body != null) {
      builder.post(RequestBody.create(body, JSON_TYPE));
    }
    return client.newCall(builder.build());
  }

  @Override
  protected <T> T exchange(Request request, Reading<T> reading) throws IOException {
    try (Response response = of(request).execute()) {
      return read(response, reading);
    }
  }

  private <T> T read(Response response, Reading<T> reading) throws IOException {
    try (InputStream body = response.body().byteStream()) {
      if (!response.isSuccessful()) {
        throw problem(server(), response.code(), body);
      }
      return reading.read(body);
    }
  }

  @Override
  protected <T> CompletableFuture<T> exchangeAsync(Request request, Reading<T> reading) {
    CompletableFuture<T> result = new CompletableFuture<>();
    of(request)
        .enqueue(
            new Callback() {
              @Override
              public void onFailure(Call call, IOException failure) {
                result.completeExceptionally(failure);
              }

              @Override
              public void onResponse(Call call, Response response) {
                try (response) {
                  result.complete(read(response, reading));
                } catch (IOException | RuntimeException e) {
                  result.completeExceptionally(e);
                }
              }
            });
    return result;
  }

  @Override
  public void close() {
    client.dispatcher().cancelAll();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }
}
