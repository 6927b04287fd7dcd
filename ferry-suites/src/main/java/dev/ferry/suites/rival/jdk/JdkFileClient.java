package dev.ferry.suites.rival.jdk;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.HostPort;
import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Files over java.net.http with HTTP/1.1 or HTTP/2. One client serves all transfers. One buffer of
 * the chunk size is filled before each write or publication.
 *
 * <p>In plaintext, HTTP/2 is requested with an upgrade, which is the only way with this client.
 * Servers need not upgrade a request with a body, and Ferry's server does not. And the client of
 * JDK 17 loses bytes of a response that arrive while it upgrades. Therefore a {@code HEAD} precedes
 * any other request if the connection may be new. If the server stays with HTTP/1.1, the transfer
 * uses HTTP/1.1 and reports it. Thread-safe.
 */
public final class JdkFileClient extends HttpFileClient {
  /**
   * JVM flag: the number of bytes that java.net.http reads from a socket at once. The default is 16
   * KiB.
   */
  public static final String TUNED_FLAG = "-Djdk.httpclient.bufsize=262144";

  /**
   * JVM flag: the largest HTTP/2 frame that the server may send. The default is 16 KiB. The
   * flow-control window of 16 MiB per stream is large enough.
   */
  public static final String TUNED_HTTP2_FLAG = "-Djdk.httpclient.maxframesize=262144";

  /** No known server closes a connection earlier after its last use. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(20);

  /**
   * The buffers of uploads of all clients. The client of JDK 17 keeps what its last request refers
   * to, also after it was closed.
   */
  private static final Buffers UPLOADS = Buffers.direct();

  private final boolean tuned;
  private final @Nullable Buffers reused;
  private final ClientThreads threads = new ClientThreads();
  private final HttpClient client;
  private final URI files;
  private final boolean upgrades;
  private volatile long lastHttp2 = System.nanoTime() - FRESH_NANOS;

  /** Creates a client as the other constructor does, in plain text. */
  public JdkFileClient(String host, int port, HttpProtocol protocol, boolean tuned) {
    this(host, port, protocol, tuned, null);
  }

  /**
   * Creates a client that connects with its first request. It allocates a new heap buffer for each
   * read of an upload and for each download, as is common.
   *
   * <p>A tuned one has all optimizations of java.net.http, independent of the chunk size. Uploads
   * over HTTP/1.1 use direct buffers of at least 256 KiB, which are refilled after the client has
   * consumed them; over HTTP/2 they use new heap buffers, because the client does not show when it
   * has sent a buffer. Downloads are written to the file from the buffers into which the client has
   * read. Use it together with the JVM flags {@value #TUNED_FLAG} and, for HTTP/2, {@value
   * #TUNED_HTTP2_FLAG}.
   *
   * @param host a host name or an IP address
   * @param tuned whether it is set up for speed
   * @param ssl null for plaintext
   */
  public JdkFileClient(
      String host, int port, HttpProtocol protocol, boolean tuned, @Nullable ClientSsl ssl) {
    super(host, port, tuned, ssl != null);
    boolean http2 = protocol == HttpProtocol.H2C;
    this.tuned = tuned;
    // HTTP/2 frames that wait for the socket are slices of buffers that look consumed.
    this.reused = tuned && !http2 ? UPLOADS : null;
    this.upgrades = http2 && ssl == null;
    this.files = URI.create("http://" + new HostPort(host, port) + FerryRoutes.FILES);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .executor(threads)
            .connectTimeout(Carrier.CONNECT_TIMEOUT);
    if (ssl != null) {
      builder.sslContext(ssl.context()).sslParameters(ssl.parameters());
    }
    client = builder.build();
  }

  @Override
  protected void send(HttpExchange exchange) throws IOException, InterruptedException {
    if (upgrades && System.nanoTime() - lastHttp2 >= FRESH_NANOS) {
      HttpRequest head =
          HttpRequest.newBuilder(files).method("HEAD", BodyPublishers.noBody()).build();
      HttpResponse<Void> unused = client.send(head, BodyHandlers.discarding());
    }
    HttpRequest.Builder request = HttpRequest.newBuilder(exchange.uri());
    exchange.fields().forEach(request::header);
    SentFile file = exchange.body();
    FilePublisher publisher =
        file == null || file.length() == 0 ? null : new FilePublisher(file, reused);
    if (exchange.method().equals("GET")) {
      // An explicit empty body would add a Content-Length: 0 field.
      request.GET();
    } else {
      request.method(exchange.method(), publisher == null ? BodyPublishers.noBody() : publisher);
    }
    HttpResponse<?> response =
        tuned ? write(request.build(), exchange) : copy(request.build(), exchange);
    if (publisher != null && response.statusCode() < 300) {
      publisher.recycle();
    }
    if (response.version() == HttpClient.Version.HTTP_2) {
      lastHttp2 = System.nanoTime();
    }
  }

  private HttpResponse<?> copy(HttpRequest request, HttpExchange exchange)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        client.send(
            request,
            head -> {
              begin(exchange, head);
              return BodyHandlers.ofInputStream().apply(head);
            });
    try (InputStream body = response.body()) {
      byte[] buffer = new byte[exchange.method().equals("GET") ? exchange.bufferSize() : 1024];
      for (int n; (n = body.readNBytes(buffer, 0, buffer.length)) > 0; ) {
        exchange.write(ByteBuffer.wrap(buffer, 0, n));
      }
    }
    return response;
  }

  private HttpResponse<?> write(HttpRequest request, HttpExchange exchange)
      throws IOException, InterruptedException {
    return client.send(
        request,
        head -> {
          begin(exchange, head);
          return new DirectBody(exchange);
        });
  }

  private static void begin(HttpExchange exchange, ResponseInfo head) {
    exchange.begin(
        head.version() == HttpClient.Version.HTTP_2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1,
        head.statusCode(),
        name -> head.headers().firstValue(name).orElse(null));
  }

  @Override
  public void close() {
    threads.stop();
  }

  /**
   * The threads of a client. That of JDK 17 cannot be closed: its selector thread, with idle
   * connections and buffers, ends seconds after the garbage collector has found the client
   * unreachable, or when it is interrupted. This class knows that thread because it hands tasks
   * over.
   */
  private static final class ClientThreads implements Executor {
    private static final String SELECTOR = "-SelectorManager";

    private final ExecutorService workers =
        Executors.newCachedThreadPool(task -> Daemon.of("jdk-client", task));

    /** Several, if a connection was abandoned. */
    private final Set<Thread> selectors = ConcurrentHashMap.newKeySet();

    @Override
    public void execute(Runnable task) {
      Thread caller = Thread.currentThread();
      if (caller.getName().endsWith(SELECTOR) && selectors.add(caller)) {
        selectors.removeIf(thread -> !thread.isAlive());
      }
      workers.execute(task);
    }

    /** Closes all connections. */
    void stop() {
      selectors.forEach(Thread::interrupt);
      workers.shutdown();
    }
  }
}
