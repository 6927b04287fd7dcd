package dev.ferry.suites.calls.service.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Small calls over HttpURLConnection, which has no client that could be made: each call has a
 * connection of its own. Thread-safe, without asynchronous calls.
 */
public final class UrlCallClient extends HttpCallClient {
  private final @Nullable SSLContext tls;
  private final Listener listener;

  /** Hears of the steps of a call, on its thread. */
  public interface Listener {
    /** The connection is established. */
    void connected();

    /** The head of the response has arrived. */
    void responded();
  }

  /**
   * Calls a server.
   *
   * @param tls null for plain text
   */
  public UrlCallClient(String host, int port, @Nullable SSLContext tls, Listener listener) {
    super(tls == null ? "http" : "https", host, port);
    this.tls = tls;
    this.listener = listener;
  }

  @Override
  protected <T> T exchange(Request request, Reading<T> reading) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(uri(request)).toURL().openConnection();
    if (tls != null) {
      ((HttpsURLConnection) connection).setSSLSocketFactory(tls.getSocketFactory());
    }
    try {
      connection.setRequestProperty("Accept", request.accept());
      // Otherwise the JDK would keep the connection for the next call.
      connection.setRequestProperty("Connection", "close");
      byte[] body = request.body();
      if (body != null) {
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", JSON);
        connection.setFixedLengthStreamingMode(body.length);
      }
      connection.connect();
      listener.connected();
      if (body != null) {
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
      }
      int status = connection.getResponseCode();
      listener.responded();
      try (InputStream in =
          status < HttpURLConnection.HTTP_BAD_REQUEST
              ? connection.getInputStream()
              : Objects.requireNonNullElse(
                  connection.getErrorStream(), InputStream.nullInputStream())) {
        if (status != HttpURLConnection.HTTP_OK) {
          throw problem(server(), status, in);
        }
        return reading.read(in);
      }
    } finally {
      connection.disconnect();
    }
  }

  @Override
  protected <T> CompletableFuture<T> exchangeAsync(Request request, Reading<T> reading) {
    return CompletableFuture.failedFuture(
        new UnsupportedOperationException("HttpURLConnection responds on the caller's thread"));
  }

  @Override
  public void close() {
    // Every call has closed its own connection.
  }
}
