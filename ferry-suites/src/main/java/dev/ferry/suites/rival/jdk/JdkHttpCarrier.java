package dev.ferry.suites.rival.jdk;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.Transfer;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.Fields;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.http.internal.Receiver;
import dev.ferry.suites.rival.EndingStream;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.wire.internal.JdkTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files over java.net.http with HTTP/1.1 or HTTP/2. One client serves all transfers. One
 * buffer of the chunk size is filled before each write or publication.
 *
 * <p>In plaintext, HTTP/2 is requested with an upgrade, which is the only way with this client.
 * Servers need not upgrade a request with a body, and Ferry's server does not. And the client of
 * JDK 17 loses bytes of a response that arrive while it upgrades, and does not tell the server of a
 * request that is cancelled then. Therefore a {@code HEAD} precedes any other request if the
 * connection may be new. If the server stays with HTTP/1.1, the transfer uses HTTP/1.1 and reports
 * it.
 *
 * <p>After an interrupt, the interrupt status of the calling thread is set. Thread-safe.
 */
public final class JdkHttpCarrier extends HttpCarrier {
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
  private static final CopyBuffers UPLOADS = CopyBuffers.direct();

  private final ClientThreads threads = new ClientThreads();
  private final HttpProtocol protocol;
  private final @Nullable CopyBuffers reused;
  private final @Nullable SSLContext context;
  private volatile @Nullable HttpClient client;
  private volatile long lastHttp2 = System.nanoTime() - FRESH_NANOS;

  /** Creates a carrier as the other constructor does, in plain text. */
  public JdkHttpCarrier(String host, int port, HttpProtocol protocol, boolean tuned) {
    this(host, port, protocol, tuned, null);
  }

  /**
   * Creates a carrier that connects with its first request. It allocates a new heap buffer for each
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
   * @param tls null for plaintext
   */
  public JdkHttpCarrier(
      String host, int port, HttpProtocol protocol, boolean tuned, @Nullable SSLContext tls) {
    super(host, port, "jdk", tuned, tls != null);
    this.protocol = protocol;
    this.context = tls;
    // HTTP/2 frames that wait for the socket are slices of buffers that look consumed.
    this.reused = tuned && protocol == HttpProtocol.HTTP_1_1 ? UPLOADS : null;
    client = newClient();
  }

  private HttpClient newClient() {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(
                protocol == HttpProtocol.H2C
                    ? HttpClient.Version.HTTP_2
                    : HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(threads);
    if (context != null) {
      builder.sslContext(context).sslParameters(JdkTls.parameters(context));
    }
    return builder.build();
  }

  /**
   * Abandons an HTTP/2 connection on which a response was cancelled. The client of JDK 17 never
   * returns the queued bytes of that response to the connection's flow-control window. After
   * several such responses, all later responses would stall. Running calls continue with the old
   * client.
   */
  private synchronized void leaveConnection() {
    if (protocol == HttpProtocol.H2C && client != null) {
      lastHttp2 = System.nanoTime() - FRESH_NANOS;
      client = newClient();
    }
  }

  /** An HTTP/2 response body. If it is closed before its end, the connection is abandoned. */
  private final class ResponseBody extends EndingStream {
    private final AtomicBoolean left = new AtomicBoolean();

    ResponseBody(InputStream body) {
      super(body, () -> Closing.quietly(body));
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (!hasEnded() && !left.getAndSet(true)) {
        leaveConnection();
      }
    }
  }

  /** Returns a new pool each time, so that no download gets the buffer of another one. */
  @Override
  protected CopyBuffers arrays() {
    return CopyBuffers.arrays();
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    return incoming(exchange(call, outgoing, BodyHandlers.ofInputStream()));
  }

  private void upgrade(Call call) throws FerryException {
    OutgoingRequest outgoing = new OutgoingRequest("HEAD", FerryRoutes.FILES, Map.of());
    try (InputStream body = exchange(call, outgoing, BodyHandlers.ofInputStream()).body()) {
      Call.drain(body);
    } catch (IOException e) {
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    }
  }

  private HttpResponse<InputStream> exchange(
      Call call, OutgoingRequest outgoing, BodyHandler<InputStream> handler) throws FerryException {
    if (protocol == HttpProtocol.H2C
        && !tls()
        && !outgoing.method().equals("HEAD")
        && System.nanoTime() - lastHttp2 >= FRESH_NANOS) {
      upgrade(call);
    }
    HttpClient open = client();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
            URI.create((tls() ? "https://" : "http://") + server() + outgoing.rawPath()));
    outgoing.fields().forEach(request::header);
    Payload payload = outgoing.payload();
    FilePublisher publisher =
        payload == null || payload.length() == 0 ? null : new FilePublisher(payload, reused);
    if (outgoing.method().equals("GET")) {
      // An explicit empty body would add a Content-Length: 0 field.
      request.GET();
    } else {
      request.method(outgoing.method(), publisher == null ? BodyPublishers.noBody() : publisher);
    }
    HttpResponse<InputStream> response = call.await(() -> open.sendAsync(request.build(), handler));
    if (publisher != null && response.statusCode() < 300) {
      publisher.recycle();
    }
    if (response.version() == HttpClient.Version.HTTP_2) {
      lastHttp2 = System.nanoTime();
    }
    return response;
  }

  private IncomingResponse incoming(HttpResponse<InputStream> response) {
    HttpProtocol negotiated = protocol(response);
    InputStream body = response.body();
    InputStream ending =
        negotiated == HttpProtocol.H2C
            ? new ResponseBody(body)
            : new EndingStream(body, () -> Closing.quietly(body));
    return new IncomingResponse(
        response.statusCode(), fields(response.headers()), negotiated, ending);
  }

  static Fields fields(HttpHeaders headers) {
    return name -> headers.firstValue(name).orElse(null);
  }

  private static HttpProtocol protocol(HttpResponse<?> response) {
    return response.version() == HttpClient.Version.HTTP_2
        ? HttpProtocol.H2C
        : HttpProtocol.HTTP_1_1;
  }

  private HttpClient client() throws FerryException {
    requireOpen();
    HttpClient open = client;
    if (open == null) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the carrier to " + server() + " is closed");
    }
    return open;
  }

  @Override
  public Transfer fetch(Receiver receiver, OutgoingRequest outgoing) throws FerryException {
    if (!tuned()) {
      return super.fetch(receiver, outgoing);
    }
    receiver.call().expect();
    try (DirectBody direct =
        new DirectBody(receiver.opener(), receiver.options(), receiver.call().report())) {
      HttpResponse<InputStream> response = sendFor(direct, receiver.call(), outgoing);
      FileSink sink = direct.sink();
      return sink == null
          ? receive(receiver, incoming(response))
          : receiver.commit(
              response.statusCode(),
              fields(response.headers()),
              sink,
              false,
              sink.written(),
              protocol(response));
    } catch (IOException e) {
      leaveConnection();
      throw receiver.call().failure(e, ErrorKind.INCOMPLETE);
    }
  }

  private HttpResponse<InputStream> sendFor(DirectBody direct, Call call, OutgoingRequest outgoing)
      throws FerryException {
    try {
      return exchange(call, outgoing, direct);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.UNAVAILABLE && direct.begun()
          ? new FerryException(ErrorKind.INCOMPLETE, e.outage(), String.valueOf(e.getMessage()), e)
          : e;
    }
  }

  @Override
  protected synchronized void release() {
    client = null;
    threads.stop();
  }

  /**
   * The threads of a carrier. The client of JDK 17 cannot be closed: its selector thread, with idle
   * connections and buffers, ends seconds after the garbage collector has found the client
   * unreachable, or when it is interrupted. This class knows that thread because it hands tasks
   * over.
   */
  private static final class ClientThreads implements Executor {
    private static final String SELECTOR = "-SelectorManager";

    private final ExecutorService workers =
        Executors.newCachedThreadPool(new DaemonThreads("ferry-jdk-client"));

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

    /** Closes all connections. This also tells the server of cancelled streams. */
    void stop() {
      selectors.forEach(Thread::interrupt);
      workers.shutdown();
    }
  }
}
