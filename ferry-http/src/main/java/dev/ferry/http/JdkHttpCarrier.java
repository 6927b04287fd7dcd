package dev.ferry.http;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
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
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files over java.net.http, HTTP/1.1, as good as plain code with it can be: one client for all
 * transfers, one buffer of the chunk size filled before each write or publication.
 *
 * <p>After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class JdkHttpCarrier implements Carrier {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final int INFLATE_BYTES = 64 * 1024;

  private final String server;
  private final ExecutorService executor =
      Executors.newCachedThreadPool(daemons("ferry-http-client"));
  private final ScheduledThreadPoolExecutor timers =
      new ScheduledThreadPoolExecutor(1, daemons("ferry-http-deadlines"));
  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final DirectBuffers buffers = new DirectBuffers();
  private volatile @Nullable HttpClient client;

  private JdkHttpCarrier(String server) {
    this.server = server;
    timers.setRemoveOnCancelPolicy(true);
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(executor)
            .build();
  }

  /** Connects, lazily, in plain text; {@code host} is a name or an address. */
  public static JdkHttpCarrier connect(String host, int port) {
    boolean bareIpv6 = host.indexOf(':') >= 0 && !host.startsWith("[");
    return new JdkHttpCarrier((bareIpv6 ? "[" + host + "]" : host) + ":" + port);
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
    try (Call call = begin(path, options.timeout())) {
      // A read of JDK 17's body swallows interrupts, so the caller's thread waits beside it.
      return call.runOn(executor, () -> fetch(call, path, target, options));
    }
  }

  private Transfer fetch(Call call, StorePath path, Path target, TransferOptions options)
      throws FerryException {
    HttpRequest.Builder request = request(HttpRoutes.uriPath(path)).GET();
    if (options.gzip()) {
      request.header("Accept-Encoding", "gzip");
    }
    HttpResponse<InputStream> response = call.send(client(), request.build());
    try (InputStream body = response.body()) {
      ResponseFacts.throwUnlessSuccess(response, path.value());
      return receive(call, path, response, body, target, options);
    } catch (IOException e) {
      throw call.failure(e, ErrorKind.INCOMPLETE);
    }
  }

  private Transfer receive(
      Call call,
      StorePath path,
      HttpResponse<InputStream> response,
      InputStream body,
      Path target,
      TransferOptions options)
      throws IOException {
    HttpHeaders headers = response.headers();
    boolean gzip = ResponseFacts.isGzip(headers, path.value());
    long size = ResponseFacts.size(headers, gzip);
    CountingInputStream wire = new CountingInputStream(body);
    try (FileSink sink = FileSink.create(target, SinkOptions.DEFAULT)) {
      InputStream plain = gzip ? new GZIPInputStream(wire, INFLATE_BYTES) : wire;
      byte[] buffer = new byte[options.chunkSize()];
      ByteBuffer filled = ByteBuffer.wrap(buffer);
      options.progress().update(0, size);
      for (int n; (n = plain.readNBytes(buffer, 0, buffer.length)) > 0; ) {
        call.check();
        sink.write(filled.clear().limit(n));
        options.progress().update(sink.written(), size);
      }
      // A gzip stream knows its own end; the connection wants the body's.
      Call.drain(wire);
      call.check();
      Sha256 digest = options.verify() ? digest(call, path, headers, gzip) : null;
      FileFacts facts = sink.commit(size, digest);
      return new Transfer(facts, wire.count(), protocol(response), gzip ? "gzip" : "identity");
    }
  }

  /** The digest that the response to a download names, or else the one the server computes. */
  private Sha256 digest(Call call, StorePath path, HttpHeaders download, boolean gzip)
      throws IOException {
    Sha256 known = HttpRoutes.digest(field(download, HttpRoutes.UNENCODED_DIGEST));
    if (known != null) {
      return known;
    }
    HttpRequest.Builder request =
        request(HttpRoutes.uriPath(path))
            .header(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10")
            .method("HEAD", BodyPublishers.noBody());
    if (gzip) {
      // Another coding would have another tag.
      request.header("Accept-Encoding", "gzip");
    }
    HttpResponse<InputStream> response = call.send(client(), request.build());
    try (InputStream body = response.body()) {
      ResponseFacts.throwUnlessSuccess(response, path.value());
      Call.drain(body);
    }
    String tag = field(download, "ETag");
    if (tag != null && !tag.equals(field(response.headers(), "ETag"))) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded");
    }
    Sha256 digest = HttpRoutes.digest(field(response.headers(), HttpRoutes.UNENCODED_DIGEST));
    if (digest == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": " + server + " gives no digest to verify; ask for the file without");
    }
    return digest;
  }

  private static @Nullable String field(HttpHeaders headers, String name) {
    return ResponseFacts.header(headers, name);
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    try (Call call = begin(path, options.timeout());
        FileSource file = FileSource.open(source)) {
      HttpRequest.Builder request =
          request(HttpRoutes.uriPath(path)).header("Content-Type", "application/octet-stream");
      Sha256 digest = options.verify() ? digest(call, file) : null;
      if (digest != null) {
        request.header(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
      }
      if (options.createOnly()) {
        request.header("If-None-Match", "*");
      }
      if (options.gzip()) {
        request.header("Content-Encoding", "gzip");
      }
      FilePublisher publisher = new FilePublisher(file, options, buffers);
      boolean empty = publisher.contentLength() == 0;
      request.PUT(empty ? BodyPublishers.noBody() : publisher);
      options.progress().update(0, file.facts().size());
      HttpResponse<InputStream> response = call.send(client(), request.build());
      try (InputStream body = response.body()) {
        ResponseFacts.throwUnlessSuccess(response, path.value());
        Call.drain(body);
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
      publisher.recycle();
      FileFacts facts =
          new FileFacts(
              path.value(),
              file.facts().size(),
              ResponseFacts.lastModified(response.headers()),
              false,
              digest);
      return new Transfer(
          facts, publisher.published(), protocol(response), options.gzip() ? "gzip" : "identity");
    }
  }

  private static Sha256 digest(Call call, FileSource file) throws FerryException {
    try {
      Sha256 digest = file.sha256();
      call.check();
      return digest;
    } catch (FerryException e) {
      throw call.failure(e, e.kind());
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
      HttpResponse<InputStream> response = call.send(client(), request.build());
      try (InputStream body = response.body()) {
        ResponseFacts.throwUnlessSuccess(response, path.value());
        Call.drain(body);
        return ResponseFacts.facts(response.headers(), path.value());
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    }
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    String uri = HttpRoutes.uriPath(directory);
    HttpRequest request = request(uri.endsWith("/") ? uri : uri + "/").GET().build();
    try (Call call = begin(directory, null)) {
      HttpResponse<InputStream> response = call.send(client(), request);
      try (InputStream body = response.body()) {
        ResponseFacts.throwUnlessSuccess(response, directory.value());
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
