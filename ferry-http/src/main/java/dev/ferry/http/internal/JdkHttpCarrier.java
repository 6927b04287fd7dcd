package dev.ferry.http.internal;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.Transfer;
import dev.ferry.http.HttpProtocol;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Files over java.net.http, HTTP/1.1 or HTTP/2, as good as plain code with it can be: one client
 * for all transfers, one buffer of the chunk size filled before each write or publication.
 *
 * <p>HTTP/2 is asked for by an upgrade, the one way this client has in plain text. Servers need not
 * upgrade a request with a body, and Ferry's does not; so an upload on a connection that may be new
 * is led by a {@code HEAD}. Where the server stays with HTTP/1.1, so does the transfer, and says
 * so.
 *
 * <p>After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class JdkHttpCarrier extends HttpCarrier {
  /** JVM flag: how much java.net.http reads from a socket at once; its default is 16 KiB. */
  public static final String TUNED_FLAG = "-Djdk.httpclient.bufsize=262144";

  /**
   * JVM flag: the largest HTTP/2 frame that the server may send; its default is 16 KiB. The
   * windows, of 16 MiB for each stream, are large already.
   */
  public static final String TUNED_HTTP2_FLAG = "-Djdk.httpclient.maxframesize=262144";

  /** Longer than it takes to tell a server that streams were cancelled. */
  private static final int LINGER_SECONDS = 1;

  /** No server closes a connection sooner after it was used, as far as we know. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final ExecutorService executor =
      Executors.newCachedThreadPool(new DaemonThreads("ferry-http-client"));
  private final HttpProtocol protocol;
  private final @Nullable CopyBuffers reused;
  private volatile @Nullable HttpClient client;
  private volatile long lastHttp2 = System.nanoTime() - FRESH_NANOS;

  private JdkHttpCarrier(
      String host, int port, HttpProtocol protocol, boolean reuse, boolean tuned) {
    super(host, port, "http", tuned, CopyBuffers.fresh());
    this.protocol = protocol;
    // Frames of HTTP/2 that wait for the socket are slices of buffers that look consumed.
    this.reused = reuse && protocol == HttpProtocol.HTTP_1_1 ? CopyBuffers.direct() : null;
    client = newClient();
  }

  private HttpClient newClient() {
    return HttpClient.newBuilder()
        .version(
            protocol == HttpProtocol.H2C ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .executor(executor)
        .build();
  }

  /**
   * Leaves a connection of HTTP/2 of which a response was given up. What JDK 17's client had queued
   * of it stays taken off the connection's window for ever, so that some such responses would stop
   * all later ones. Calls under way go on with the old client.
   */
  private synchronized void leaveConnection() {
    if (protocol == HttpProtocol.H2C && client != null) {
      lastHttp2 = System.nanoTime() - FRESH_NANOS;
      client = newClient();
    }
  }

  /** A body over HTTP/2, whose connection is left if it is closed before its end. */
  private final class ResponseBody extends FilterInputStream {
    private boolean ended;

    ResponseBody(InputStream body) {
      super(body);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      ended |= value < 0;
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int n = super.read(target, offset, length);
      ended |= n < 0;
      return n;
    }

    @Override
    public void close() throws IOException {
      super.close();
      if (!ended) {
        ended = true;
        leaveConnection();
      }
    }
  }

  /**
   * Connects, lazily, in plain text, and uploads as fast as this client can: pieces in direct
   * buffers that are filled anew when the client has consumed them.
   *
   * @param host a name or an address
   */
  public static JdkHttpCarrier connect(String host, int port) {
    return new JdkHttpCarrier(host, port, HttpProtocol.HTTP_1_1, true, false);
  }

  /**
   * The same, but uploads from a new heap buffer for each piece, as most write it: the {@code
   * HttpClient} method of the lab's tables.
   */
  public static JdkHttpCarrier connectPlain(String host, int port) {
    return connectPlain(host, port, HttpProtocol.HTTP_1_1);
  }

  /** The same over either protocol. */
  public static JdkHttpCarrier connectPlain(String host, int port, HttpProtocol protocol) {
    return new JdkHttpCarrier(host, port, protocol, false, false);
  }

  /**
   * The same with all that makes java.net.http faster, whatever the chunk size: uploads from direct
   * buffers of 256 KiB at least, and downloads that go to the file from the buffers the client read
   * into. The flag {@value #TUNED_FLAG}, for the whole JVM, belongs to it.
   */
  public static JdkHttpCarrier connectTuned(String host, int port) {
    return connectTuned(host, port, HttpProtocol.HTTP_1_1);
  }

  /**
   * The same over either protocol. HTTP/2 wants {@value #TUNED_HTTP2_FLAG} as well, and uploads
   * from new heap buffers: the client does not show when it has sent what it took.
   */
  public static JdkHttpCarrier connectTuned(String host, int port, HttpProtocol protocol) {
    return new JdkHttpCarrier(host, port, protocol, true, true);
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest ask) throws FerryException {
    Payload payload = ask.payload();
    if (protocol == HttpProtocol.H2C
        && payload != null
        && System.nanoTime() - lastHttp2 >= FRESH_NANOS) {
      upgrade(call);
    }
    return answer(exchange(call, ask, BodyHandlers.ofInputStream()));
  }

  private void upgrade(Call call) throws FerryException {
    OutgoingRequest ask = new OutgoingRequest("HEAD", HttpRoutes.FILES, Map.of());
    try (InputStream body = exchange(call, ask, BodyHandlers.ofInputStream()).body()) {
      Call.drain(body);
    } catch (IOException e) {
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    }
  }

  private HttpResponse<InputStream> exchange(
      Call call, OutgoingRequest ask, BodyHandler<InputStream> handler) throws FerryException {
    HttpClient open = client();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + server() + ask.rawPath()));
    ask.fields().forEach(request::header);
    Payload payload = ask.payload();
    FilePublisher publisher =
        payload == null || payload.length() == 0 ? null : new FilePublisher(payload, reused);
    if (ask.method().equals("GET")) {
      // With a body of no bytes it would say that it has none.
      request.GET();
    } else {
      request.method(ask.method(), publisher == null ? BodyPublishers.noBody() : publisher);
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

  private IncomingResponse answer(HttpResponse<InputStream> response) {
    HttpProtocol negotiated = protocol(response);
    InputStream body =
        negotiated == HttpProtocol.H2C ? new ResponseBody(response.body()) : response.body();
    return new IncomingResponse(
        response.statusCode(), Fields.of(response.headers()), negotiated, body);
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
  public Transfer fetch(Receiver receiver, OutgoingRequest ask, Path target) throws FerryException {
    if (!tuned()) {
      return super.fetch(receiver, ask, target);
    }
    receiver.call().expect();
    try (DirectBody direct = new DirectBody(target, receiver.options(), receiver.call().report())) {
      HttpResponse<InputStream> response = sendFor(direct, receiver.call(), ask);
      FileSink sink = direct.sink();
      return sink == null
          ? receive(receiver, answer(response), target)
          : receiver.commit(
              Fields.of(response.headers()), sink, false, sink.written(), protocol(response));
    } catch (IOException e) {
      leaveConnection();
      throw receiver.call().failure(e, ErrorKind.INCOMPLETE);
    }
  }

  private HttpResponse<InputStream> sendFor(DirectBody direct, Call call, OutgoingRequest ask)
      throws FerryException {
    try {
      return exchange(call, ask, direct);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.UNAVAILABLE && direct.begun()
          ? new FerryException(ErrorKind.INCOMPLETE, e.outage(), String.valueOf(e.getMessage()), e)
          : e;
    }
  }

  /**
   * JDK 17's client cannot be closed: its idle connections and its selector thread go when the
   * collector finds that nobody holds the client any more.
   */
  @Override
  protected synchronized void release() {
    client = null;
    // Over HTTP/2 these threads tell the server of cancelled streams, a little later: untold, it
    // would hold what it was sending until the connection is idle.
    CompletableFuture.delayedExecutor(LINGER_SECONDS, TimeUnit.SECONDS).execute(executor::shutdown);
  }
}
