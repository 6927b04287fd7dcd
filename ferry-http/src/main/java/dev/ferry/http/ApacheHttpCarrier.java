package dev.ferry.http;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * Files over the blocking client of Apache HttpClient 5, HTTP/1.1, as fast as it gets: a pool of
 * connections, and copies of 256 KiB at least, whatever the chunk size, on the caller's thread.
 *
 * <p>After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class ApacheHttpCarrier implements Carrier {
  /** Copies smaller than this are never faster. */
  private static final int COPY_BYTES = 256 * 1024;

  private static final int KEPT_BUFFERS = 8;

  private final String server;
  private final CloseableHttpClient client = ApacheClients.create();
  private final ScheduledThreadPoolExecutor timers;
  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(KEPT_BUFFERS);
  private volatile boolean closed;

  private ApacheHttpCarrier(String server) {
    this.server = server;
    timers =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "ferry-apache-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    timers.setRemoveOnCancelPolicy(true);
  }

  /**
   * Connects, lazily, in plain text.
   *
   * @param host a name or an address
   */
  public static ApacheHttpCarrier connect(String host, int port) {
    return new ApacheHttpCarrier(HostAndPort.of(host, port));
  }

  /** What becomes of the response to a request. */
  @FunctionalInterface
  private interface Handler<T> {
    T handle(Fields fields, WireInputStream body, String protocol) throws IOException;
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    ByteBuffer buffer = takeBuffer(options.chunkSize());
    try (Call call = begin(path, options.timeout())) {
      HttpUriRequestBase request = request("GET", HttpRoutes.uriPath(path));
      acceptGzip(request, options.gzip());
      Receiver receiver =
          new Receiver(call, path, server, options, gzip -> head(call, path, gzip, true));
      Exchange exchange = new Exchange(call, request, path);
      return exchange.run(
          ErrorKind.INCOMPLETE,
          (fields, body, protocol) -> receiver.copy(fields, body, target, buffer, protocol));
    } finally {
      giveBuffer(buffer);
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    ByteBuffer buffer = takeBuffer(options.chunkSize());
    try (Call call = begin(path, options.timeout());
        FileSource file = FileSource.open(source)) {
      HttpUriRequestBase request = request("PUT", HttpRoutes.uriPath(path));
      Sha256 digest = options.verify() ? call.digest(file) : null;
      if (digest != null) {
        request.setHeader(HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(digest));
      }
      if (options.createOnly()) {
        request.setHeader("If-None-Match", "*");
        request.setConfig(ApacheClients.requests(true));
      }
      Exchange exchange = new Exchange(call, request, path);
      FileEntity entity = new FileEntity(file, options, buffer, exchange.region);
      request.setEntity(entity);
      options.progress().update(0, file.facts().size());
      return exchange.run(
          ErrorKind.UNAVAILABLE,
          (fields, body, protocol) -> {
            Call.drain(body);
            FileFacts facts =
                new FileFacts(
                    path.value(),
                    file.facts().size(),
                    ResponseFacts.lastModified(fields),
                    false,
                    digest);
            return new Transfer(
                facts, entity.written(), protocol, options.gzip() ? "gzip" : "identity");
          });
    } finally {
      giveBuffer(buffer);
    }
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    try (Call call = begin(path, null)) {
      return ResponseFacts.facts(head(call, path, false, digest), path.value());
    }
  }

  private Fields head(Call call, StorePath path, boolean gzip, boolean digest)
      throws FerryException {
    HttpUriRequestBase request = request("HEAD", HttpRoutes.uriPath(path));
    acceptGzip(request, gzip);
    if (digest) {
      request.setHeader(HttpRoutes.WANT_UNENCODED_DIGEST, "sha-256=10");
    }
    return new Exchange(call, request, path)
        .run(
            ErrorKind.UNAVAILABLE,
            (fields, body, protocol) -> {
              Call.drain(body);
              return fields;
            });
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    String uri = HttpRoutes.uriPath(directory);
    HttpUriRequestBase request = request("GET", uri.endsWith("/") ? uri : uri + "/");
    try (Call call = begin(directory, null)) {
      return new Exchange(call, request, directory)
          .run(
              ErrorKind.UNAVAILABLE,
              (fields, body, protocol) -> ResponseFacts.list(body, directory.value()));
    }
  }

  private Call begin(StorePath path, @Nullable Duration timeout) throws FerryException {
    StorePath.parseDirectory(path.value());
    if (closed) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the carrier to " + server + " is closed");
    }
    return new Call(path.value(), server, timeout, timers, running);
  }

  private HttpUriRequestBase request(String method, String uriPath) {
    return new HttpUriRequestBase(method, URI.create("http://" + server + uriPath));
  }

  private static void acceptGzip(HttpUriRequestBase request, boolean gzip) {
    if (gzip) {
      request.setHeader("Accept-Encoding", "gzip");
    }
  }

  private ByteBuffer takeBuffer(int chunkSize) {
    int capacity = Math.max(chunkSize, COPY_BYTES);
    ByteBuffer free = buffers.poll();
    return free != null && free.capacity() == capacity ? free : ByteBuffer.allocate(capacity);
  }

  private void giveBuffer(ByteBuffer buffer) {
    boolean unused = buffers.offer(buffer);
  }

  /** One request and its response, on the caller's thread. */
  private final class Exchange {
    private final Call call;
    private final HttpUriRequestBase request;
    private final StorePath path;
    final InterruptRegion region;

    Exchange(Call call, HttpUriRequestBase request, StorePath path) {
      this.call = call;
      this.request = request;
      this.path = path;
      this.region = new InterruptRegion(request::cancel);
    }

    /**
     * Sends the request and hands a successful response on.
     *
     * @param inBody what a failure after the head of the response is
     */
    <T> T run(ErrorKind inBody, Handler<T> handler) throws FerryException {
      try (ClassicHttpResponse response = send()) {
        try (WireInputStream body = new WireInputStream(body(response))) {
          Fields fields = name -> value(response.getFirstHeader(name));
          ResponseFacts.throwUnlessSuccess(response.getCode(), fields, body, path.value());
          return handler.handle(
              fields, body, response.getVersion().format().toLowerCase(Locale.ROOT));
        } catch (IOException e) {
          throw call.failure(e, inBody);
        }
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    }

    private ClassicHttpResponse send() throws FerryException {
      try {
        call.during(request::cancel);
        region.enter();
        return client.executeOpen(null, request, null);
      } catch (IOException | IllegalStateException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      } finally {
        region.leave();
      }
    }

    /** Closing a body of Apache's reads it to its end, which may be far. */
    private InputStream body(ClassicHttpResponse response) throws IOException {
      HttpEntity entity = response.getEntity();
      InputStream content = entity == null ? InputStream.nullInputStream() : entity.getContent();
      return new FilterInputStream(content) {
        @Override
        public void close() {
          request.cancel();
        }
      };
    }

    private static @Nullable String value(@Nullable Header header) {
      return header == null ? null : header.getValue();
    }
  }

  /** Stops running transfers, which fail with {@link ErrorKind#CANCELLED}, and the connections. */
  @Override
  public void close() {
    closed = true;
    for (Call call : running) {
      call.stop(ErrorKind.CANCELLED, "the carrier was closed");
    }
    timers.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }
}
