package dev.ferry.suites.url;

import dev.ferry.http.HttpProtocol;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okio.BufferedSink;
import okio.Okio;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;

/** The clients by the names of their methods, at their defaults. */
final class UrlClients {
  /** Starts a client. */
  @FunctionalInterface
  interface Start {
    UrlClient start() throws IOException;
  }

  static final String HTTP_CLIENT = "HttpClient";
  static final String CURL = "Curl";

  /** The end of a method's name, if it prefers HTTP/2. */
  private static final String HTTP_2 = "Http2";

  private static final int OK = 200;
  private static final int PATIENCE_SECONDS = 60;

  private static final Map<String, Start> ALL = new LinkedHashMap<>();

  static {
    ALL.put(HTTP_CLIENT, () -> new Jdk(false));
    ALL.put("OkHttp", () -> new OkHttp(false));
    ALL.put("Apache", Apache::new);
    ALL.put("Jetty", () -> new Jetty(false));
    ALL.put("ReactorNetty", Reactor::new);
    ALL.put(CURL, () -> new CurlUrlClient(false));
    ALL.put(HTTP_CLIENT + HTTP_2, () -> new Jdk(true));
    ALL.put("OkHttp" + HTTP_2, () -> new OkHttp(true));
    ALL.put("Apache" + HTTP_2, ApacheUrlClient::new);
    ALL.put("Jetty" + HTTP_2, () -> new Jetty(true));
    ALL.put(CURL + HTTP_2, () -> new CurlUrlClient(true));
  }

  private UrlClients() {}

  /**
   * Returns the methods in the order of the table.
   *
   * @param http2 whether the server also speaks HTTP/2
   */
  static List<String> methods(boolean http2) {
    return ALL.keySet().stream().filter(method -> http2 || !method.endsWith(HTTP_2)).toList();
  }

  /** Returns the protocol of a method, as ALPN names it. */
  static String protocol(String method) {
    return protocol(method.endsWith(HTTP_2));
  }

  /** Returns a protocol as ALPN names it. */
  static String protocol(boolean http2) {
    return (http2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1).wireName(true);
  }

  /** Returns why a method of curl cannot run here, with a remedy; null if it can. */
  static @Nullable String curlObstacle(String method) {
    return CurlUrlClient.obstacle(method.endsWith(HTTP_2));
  }

  static UrlClient start(String method) throws IOException {
    Start start = ALL.get(method);
    if (start == null) {
      throw new IllegalArgumentException("no method " + method + " in " + ALL.keySet());
    }
    return start.start();
  }

  /** Returns a client of reactor-netty with the TLS that the others have. */
  static reactor.netty.http.client.HttpClient reactorNetty() {
    return reactor.netty.http.client.HttpClient.create()
        .followRedirect(true)
        .secure(
            tls ->
                tls.sslContext(
                    Http11SslContextSpec.forClient()
                        .configure(context -> context.sslProvider(SslProvider.JDK))));
  }

  static void requireOk(URI url, int status) throws IOException {
    if (status != OK) {
      throw new IOException(url + ": HTTP " + status);
    }
  }

  static IOException interrupted(URI url, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException(url + ": interrupted", e);
  }

  private static final class Jdk implements UrlClient {
    private final HttpClient client;

    Jdk(boolean http2) {
      client =
          HttpClient.newBuilder()
              .version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build();
    }

    @Override
    public String get(URI url, Path target) throws IOException {
      try {
        HttpResponse<Path> response =
            client.send(
                HttpRequest.newBuilder(url).build(),
                head ->
                    head.statusCode() == OK
                        ? BodyHandlers.ofFile(target).apply(head)
                        : BodySubscribers.replacing(target));
        requireOk(url, response.statusCode());
        return protocol(response.version() == HttpClient.Version.HTTP_2);
      } catch (InterruptedException e) {
        throw interrupted(url, e);
      }
    }

    /** Does nothing: the client of JDK 17 ends when it is no longer referenced. */
    @Override
    public void close() {}
  }

  private static final class OkHttp implements UrlClient {
    private final OkHttpClient client;

    OkHttp(boolean http2) {
      OkHttpClient.Builder builder = new OkHttpClient.Builder();
      client = (http2 ? builder : builder.protocols(List.of(Protocol.HTTP_1_1))).build();
    }

    @Override
    public String get(URI url, Path target) throws IOException {
      Request request =
          new Request.Builder()
              .url(url.toString())
              // Without the field OkHttp requests gzip, and decodes it.
              .header("Accept-Encoding", "identity")
              .build();
      try (okhttp3.Response response = client.newCall(request).execute()) {
        requireOk(url, response.code());
        try (BufferedSink sink = Okio.buffer(Okio.sink(target))) {
          sink.writeAll(response.body().source());
        }
        return protocol(response.protocol() == Protocol.HTTP_2);
      }
    }

    @Override
    public void close() {
      client.dispatcher().executorService().shutdown();
      client.connectionPool().evictAll();
    }
  }

  private static final class Apache implements UrlClient {
    private final CloseableHttpClient client =
        HttpClients.custom().disableContentCompression().build();

    @Override
    public String get(URI url, Path target) throws IOException {
      return client.execute(
          new HttpGet(url),
          response -> {
            requireOk(url, response.getCode());
            try (InputStream body = response.getEntity().getContent()) {
              Files.copy(body, target);
            }
            return protocol(false);
          });
    }

    @Override
    public void close() {
      try {
        client.close();
      } catch (IOException e) {
        throw new IllegalStateException("the client does not stop", e);
      }
    }
  }

  private static final class Jetty implements UrlClient {
    private final org.eclipse.jetty.client.HttpClient client;

    Jetty(boolean http2) {
      client =
          http2
              ? new org.eclipse.jetty.client.HttpClient(
                  new HttpClientTransportOverHTTP2(new HTTP2Client(new ClientConnector())))
              : new org.eclipse.jetty.client.HttpClient();
      LifeCycle.start(client);
      client.getContentDecoderFactories().clear();
    }

    @Override
    public String get(URI url, Path target) throws IOException {
      InputStreamResponseListener response = new InputStreamResponseListener();
      client.newRequest(url).send(response);
      try (InputStream body = response.getInputStream()) {
        Response head = response.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        requireOk(url, head.getStatus());
        Files.copy(body, target);
        return protocol(head.getVersion() == HttpVersion.HTTP_2);
      } catch (InterruptedException e) {
        throw interrupted(url, e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IOException(url + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      LifeCycle.stop(client);
    }
  }

  private static final class Reactor implements UrlClient {
    private final reactor.netty.http.client.HttpClient client = reactorNetty();

    @Override
    public String get(URI url, Path target) throws IOException {
      Iterable<byte[]> body =
          client
              .get()
              .uri(url)
              .response(
                  (response, content) -> {
                    int status = response.status().code();
                    return status == OK
                        ? content.asByteArray()
                        : reactor.core.publisher.Flux.error(new IOException("HTTP " + status));
                  })
              .toIterable();
      try (OutputStream file = Files.newOutputStream(target)) {
        for (byte[] bytes : body) {
          file.write(bytes);
        }
      } catch (RuntimeException e) {
        // Reactor wraps checked exceptions.
        throw new IOException(url + ": " + e.getMessage(), e);
      }
      return protocol(false);
    }

    /** Does nothing: the connections and threads are those of the process. */
    @Override
    public void close() {}
  }
}
