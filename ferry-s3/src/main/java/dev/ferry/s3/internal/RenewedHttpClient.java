package dev.ferry.s3.internal;

import java.io.IOException;
import java.util.function.Supplier;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * An HTTP client that is replaced if it has shut itself down. Apache's client does so if a request
 * throws an {@link Error}, for instance when direct memory is exhausted for a moment, and then
 * refuses all requests. Thread-safe.
 */
final class RenewedHttpClient implements SdkHttpClient {
  private final Supplier<SdkHttpClient> factory;
  private SdkHttpClient client;

  /**
   * @param factory creates a client that throws {@link IllegalStateException} once it is shut down
   */
  RenewedHttpClient(Supplier<SdkHttpClient> factory) {
    this.factory = factory;
    this.client = factory.get();
  }

  private synchronized SdkHttpClient client() {
    return client;
  }

  private synchronized void renew(SdkHttpClient broken) {
    if (client == broken) {
      broken.close();
      client = factory.get();
    }
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    SdkHttpClient used = client();
    ExecutableHttpRequest prepared = used.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        try {
          return prepared.call();
        } catch (IllegalStateException e) {
          renew(used);
          // The SDK repeats a request whose connection failed.
          throw new IOException("the HTTP client has shut itself down", e);
        }
      }

      @Override
      public void abort() {
        prepared.abort();
      }
    };
  }

  @Override
  public String clientName() {
    return client().clientName();
  }

  @Override
  public synchronized void close() {
    client.close();
  }
}
