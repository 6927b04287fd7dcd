package dev.ferry.http;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Files over java.net.http, HTTP/1.1, as good as plain code with it can be: one client for all
 * transfers, one buffer of the chunk size filled before each write or publication.
 *
 * <p>After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class JdkHttpCarrier implements Carrier {
  /** JVM flag: how much java.net.http reads from a socket at once; its default is 16 KiB. */
  public static final String TUNED_FLAG = "-Djdk.httpclient.bufsize=262144";

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** Pieces smaller than this are never faster. */
  private static final int TUNED_BYTES = 256 * 1024;

  private final String server;
  private final ExecutorService executor =
      Executors.newCachedThreadPool(daemons("ferry-http-client"));
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, daemons("ferry-http-deadlines"));
  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final UploadBuffers buffers;
  private final boolean tuned;
  private volatile @Nullable HttpClient client;

  private JdkHttpCarrier(String server, UploadBuffers buffers, boolean tuned) {
    this.server = server;
    this.buffers = buffers;
    this.tuned = tuned;
    timers.setRemoveOnCancelPolicy(true);
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(executor)
            .build();
  }

  /**
   * Connects, lazily, in plain text, and uploads as fast as this client can: pieces in direct
   * buffers that are filled anew when the client has consumed them.
   *
   * @param host a name or an address
   */
  public static JdkHttpCarrier connect(String host, int port) {
    return connect(host, port, new UploadBuffers.Reused(), false);
  }

  /**
   * The same, but uploads from a new heap buffer for each piece, as most write it: the {@code
   * HttpClient} method of the lab's tables.
   */
  public static JdkHttpCarrier connectPlain(String host, int port) {
    return connect(host, port, new UploadBuffers.Fresh(), false);
  }

  /**
   * The same with all that makes java.net.http faster, whatever the chunk size: uploads from direct
   * buffers of 256 KiB at least, and downloads that go to the file from the buffers the client read
   * into. The flag {@value #TUNED_FLAG}, for the whole JVM, belongs to it.
   */
  public static JdkHttpCarrier connectTuned(String host, int port) {
    return connect(host, port, new UploadBuffers.Reused(), true);
  }

  private static JdkHttpCarrier connect(
      String host, int port, UploadBuffers buffers, boolean tuned) {
    return new JdkHttpCarrier(HostAndPort.of(host, port), buffers, tuned);
  }

  private static TransferOptions atLeastTuned(TransferOptions options) {
    return options.withChunkSize(Math.max(options.chunkSize(), TUNED_BYTES));
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    try (Call call = begin(path, options.timeout())) {
      HttpRequest.Builder request = request(HttpRoutes.uriPath(path)).GET();
      if (options.gzip()) {
        request.header("Accept-Encoding", "gzip");
      }
      Receiver receiver = new Receiver(call, path, server, options, gzip -> head(call, path, gzip));
      return tuned
          ? downloadDirectly(receiver, request, target)
          : receive(receiver, send(call, request), target, options.chunkSize());
    }
  }

  private static Transfer receive(
      Receiver receiver, HttpResponse<InputStream> response, Path target, int bufferSize)
      throws FerryException {
    try (WireInputStream body = new WireInputStream(response.body())) {
      Fields fields = requireSuccess(response, body, receiver.path());
      ByteBuffer buffer = ByteBuffer.allocate(bufferSize);
      return receiver.copy(fields, body, target, buffer, protocol(response));
    } catch (IOException e) {
      throw receiver.call().failure(e, ErrorKind.INCOMPLETE);
    }
  }

  private Transfer downloadDirectly(Receiver receiver, HttpRequest.Builder request, Path target)
      throws FerryException {
    TransferOptions options = receiver.options();
    try (DirectBody direct = new DirectBody(target, options.progress())) {
      HttpResponse<InputStream> response = sendFor(direct, receiver.call(), request);
      FileSink sink = direct.sink();
      return sink == null
          ? receive(receiver, response, target, atLeastTuned(options).chunkSize())
          : receiver.commit(
              Fields.of(response.headers()), sink, false, sink.written(), protocol(response));
    } catch (IOException e) {
      throw receiver.call().failure(e, ErrorKind.INCOMPLETE);
    }
  }

  private HttpResponse<InputStream> sendFor(
      DirectBody direct, Call call, HttpRequest.Builder request) throws FerryException {
    try {
      return call.send(client(), request.build(), direct);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.UNAVAILABLE && direct.begun()
          ? new FerryException(ErrorKind.INCOMPLETE, String.valueOf(e.getMessage()), e)
          : e;
    }
  }

  private Fields head(Call call, StorePath path, boolean gzip) throws IOException {
    HttpRequest.Builder request =
        request(HttpRoutes.uriPath(path))
            .header(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10")
            .method("HEAD", BodyPublishers.noBody());
    if (gzip) {
      request.header("Accept-Encoding", "gzip");
    }
    HttpResponse<InputStream> response = send(call, request);
    try (WireInputStream body = new WireInputStream(response.body())) {
      Fields fields = requireSuccess(response, body, path);
      Call.drain(body);
      return fields;
    }
  }

  private HttpResponse<InputStream> send(Call call, HttpRequest.Builder request)
      throws FerryException {
    return call.send(client(), request.build(), BodyHandlers.ofInputStream());
  }

  private static Fields requireSuccess(HttpResponse<?> response, InputStream body, StorePath path)
      throws IOException {
    Fields fields = Fields.of(response.headers());
    ResponseFacts.throwUnlessSuccess(response.statusCode(), fields, body, path.value());
    return fields;
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    try (Call call = begin(path, options.timeout());
        FileSource file = FileSource.open(source)) {
      HttpRequest.Builder request =
          request(HttpRoutes.uriPath(path)).header("Content-Type", "application/octet-stream");
      Sha256 digest = options.verify() ? call.digest(file) : null;
      if (digest != null) {
        request.header(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
      }
      if (options.createOnly()) {
        request.header("If-None-Match", "*");
      }
      if (options.gzip()) {
        request.header("Content-Encoding", "gzip");
      }
      FilePublisher publisher =
          new FilePublisher(file, tuned ? atLeastTuned(options) : options, buffers);
      boolean empty = publisher.contentLength() == 0;
      request.PUT(empty ? BodyPublishers.noBody() : publisher);
      options.progress().update(0, file.facts().size());
      HttpResponse<InputStream> response = send(call, request);
      try (WireInputStream body = new WireInputStream(response.body())) {
        Fields unused = requireSuccess(response, body, path);
        Call.drain(body);
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
      publisher.recycle();
      FileFacts facts =
          new FileFacts(
              path.value(),
              file.facts().size(),
              ResponseFacts.lastModified(Fields.of(response.headers())),
              false,
              digest);
      return new Transfer(
          facts, publisher.published(), protocol(response), options.gzip() ? "gzip" : "identity");
    }
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    HttpRequest.Builder request =
        request(HttpRoutes.uriPath(path)).method("HEAD", BodyPublishers.noBody());
    if (digest) {
      request.header(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10");
    }
    try (Call call = begin(path, null)) {
      HttpResponse<InputStream> response = send(call, request);
      try (WireInputStream body = new WireInputStream(response.body())) {
        Fields fields = requireSuccess(response, body, path);
        Call.drain(body);
        return ResponseFacts.facts(fields, path.value());
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    }
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    String uri = HttpRoutes.uriPath(directory);
    HttpRequest.Builder request = request(uri.endsWith("/") ? uri : uri + "/").GET();
    try (Call call = begin(directory, null)) {
      HttpResponse<InputStream> response = send(call, request);
      try (WireInputStream body = new WireInputStream(response.body())) {
        Fields unused = requireSuccess(response, body, directory);
        return ResponseFacts.list(body, directory.value());
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    }
  }

  private Call begin(StorePath path, @Nullable Duration timeout) throws FerryException {
    StorePath.parseDirectory(path.value());
    client();
    return new Call(path.value(), server, timeout, timers, running);
  }

  private HttpClient client() throws FerryException {
    HttpClient open = client;
    if (open == null) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the carrier to " + server + " is closed");
    }
    return open;
  }

  private HttpRequest.Builder request(String uriPath) {
    return HttpRequest.newBuilder(URI.create("http://" + server + uriPath));
  }

  private static String protocol(HttpResponse<?> response) {
    return response.version() == HttpClient.Version.HTTP_2 ? "h2c" : "http/1.1";
  }

  /**
   * Stops running transfers, which fail with {@link ErrorKind#CANCELLED}, and the threads.
   *
   * <p>JDK 17's client cannot be closed: its idle connections and its selector thread go when the
   * collector finds that nobody holds the client any more.
   */
  @Override
  public void close() {
    client = null;
    for (Call call : running) {
      call.stop(ErrorKind.CANCELLED, "the carrier was closed");
    }
    timers.shutdownNow();
    executor.shutdown();
  }
}
