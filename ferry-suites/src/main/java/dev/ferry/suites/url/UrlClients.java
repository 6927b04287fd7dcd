package dev.ferry.suites.url;

import dev.ferry.suites.rival.Programs;
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
import java.nio.charset.StandardCharsets;
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
import okhttp3.Response;
import okio.BufferedSink;
import okio.Okio;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.util.component.LifeCycle;
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

  /** The program of {@link #CURL}. */
  static final String PROGRAM = "curl";

  private static final int OK = 200;
  private static final int PATIENCE_SECONDS = 60;

  private static final Map<String, Start> ALL = new LinkedHashMap<>();

  static {
    ALL.put(HTTP_CLIENT, Jdk::new);
    ALL.put("OkHttp", OkHttp::new);
    ALL.put("Apache", Apache::new);
    ALL.put("Jetty", Jetty::new);
    ALL.put("ReactorNetty", Reactor::new);
    ALL.put(CURL, Curl::new);
  }

  private UrlClients() {}

  /** Returns the methods in the order of the table. */
  static List<String> methods() {
    return List.copyOf(ALL.keySet());
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

  /** Returns a call of curl with no settings of the user: neither its file nor proxies. */
  static List<String> curl(Path program, URI url, Path target) {
    return List.of(
        program.toString(),
        "-q",
        "-sSfL",
        "--http1.1",
        "--noproxy",
        "*",
        "-o",
        target.toString(),
        url.toString());
  }

  private static void requireOk(URI url, int status) throws IOException {
    if (status != OK) {
      throw new IOException(url + ": HTTP " + status);
    }
  }

  private static IOException interrupted(URI url, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IOException(url + ": interrupted", e);
  }

  private static final class Jdk implements UrlClient {
    private final HttpClient client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .build();

    @Override
    public void get(URI url, Path target) throws IOException {
      try {
        HttpResponse<Path> response =
            client.send(
                HttpRequest.newBuilder(url).build(),
                head ->
                    head.statusCode() == OK
                        ? BodyHandlers.ofFile(target).apply(head)
                        : BodySubscribers.replacing(target));
        requireOk(url, response.statusCode());
      } catch (InterruptedException e) {
        throw interrupted(url, e);
      }
    }

    /** Does nothing: the client of JDK 17 ends when it is no longer referenced. */
    @Override
    public void close() {}
  }

  private static final class OkHttp implements UrlClient {
    private final OkHttpClient client =
        new OkHttpClient.Builder().protocols(List.of(Protocol.HTTP_1_1)).build();

    @Override
    public void get(URI url, Path target) throws IOException {
      Request request =
          new Request.Builder()
              .url(url.toString())
              // Without the field OkHttp requests gzip, and decodes it.
              .header("Accept-Encoding", "identity")
              .build();
      try (Response response = client.newCall(request).execute()) {
        requireOk(url, response.code());
        try (BufferedSink sink = Okio.buffer(Okio.sink(target))) {
          sink.writeAll(response.body().source());
        }
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
    public void get(URI url, Path target) throws IOException {
      client.execute(
          new HttpGet(url),
          response -> {
            requireOk(url, response.getCode());
            try (InputStream body = response.getEntity().getContent()) {
              return Files.copy(body, target);
            }
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
    private final org.eclipse.jetty.client.HttpClient client =
        new org.eclipse.jetty.client.HttpClient();

    Jetty() {
      LifeCycle.start(client);
      client.getContentDecoderFactories().clear();
    }

    @Override
    public void get(URI url, Path target) throws IOException {
      InputStreamResponseListener response = new InputStreamResponseListener();
      client.newRequest(url).send(response);
      try (InputStream body = response.getInputStream()) {
        requireOk(url, response.get(PATIENCE_SECONDS, TimeUnit.SECONDS).getStatus());
        Files.copy(body, target);
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
    public void get(URI url, Path target) throws IOException {
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
    }

    /** Does nothing: the connections and threads are those of the process. */
    @Override
    public void close() {}
  }

  /** A curl for each download; its start is part of the download. */
  private static final class Curl implements UrlClient {
    private final Path curl;

    Curl() throws IOException {
      curl = Programs.find(PROGRAM).orElseThrow(() -> new IOException("no curl on the PATH"));
    }

    @Override
    public void get(URI url, Path target) throws IOException {
      Process process =
          new ProcessBuilder(curl(curl, url, target)).redirectErrorStream(true).start();
      try {
        process.getOutputStream().close();
        String said =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int exit = process.waitFor();
        if (exit != 0) {
          throw new IOException(url + ": curl ended with " + exit + " " + said);
        }
      } catch (InterruptedException e) {
        throw interrupted(url, e);
      } finally {
        process.destroyForcibly();
      }
    }

    @Override
    public void close() {}
  }
}
