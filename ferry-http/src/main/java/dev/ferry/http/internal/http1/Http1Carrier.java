package dev.ferry.http.internal.http1;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferBatch;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.Fields;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.ListReader;
import dev.ferry.http.internal.Opener;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.http.internal.Problems;
import dev.ferry.http.internal.Receiver;
import dev.ferry.http.internal.ResponseFacts;
import dev.ferry.http.internal.StallTimer;
import dev.ferry.http.internal.WireInputStream;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.servers.Reachability;
import java.io.IOException;
import java.net.ProxySelector;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files over HTTP/1.1 on the thread of the caller: creates the requests, which {@link
 * Http1Client} sends, and processes the responses. It starts no thread for a transfer without
 * limits and has few classes, so the first transfer of a process is about as fast as later ones:
 * the bytes are moved by system calls, which need no compiler.
 *
 * <p>After an interrupt, the interrupt status of the calling thread is set. Thread-safe.
 */
public final class Http1Carrier implements Carrier {
  /** Smaller buffers and copies are never faster. */
  private static final int LEAST_COPY_BYTES = 256 * 1024;

  private final Http1Client client;

  /** For downloads that have to be decoded on their way to the file. */
  private final CopyBuffers arrays = CopyBuffers.arrays();

  private final ScheduledThreadPoolExecutor timers;
  private final StallTimer lookout;
  private final Set<Call> running = ConcurrentHashMap.newKeySet();

  /** The file that the server did not have when it was last asked for the facts of one. */
  private volatile @Nullable StorePath missing;

  private volatile boolean closed;

  /** Set after all running calls were stopped. The client must stay open until then. */
  private volatile boolean released;

  /** Takes ownership of a client. */
  Http1Carrier(Http1Client client) {
    this.client = client;
    timers = new ScheduledThreadPoolExecutor(1, new DaemonThreads("ferry-http-deadlines"));
    timers.setRemoveOnCancelPolicy(true);
    lookout = new StallTimer(timers, running);
  }

  /**
   * Creates a carrier that connects with its first request.
   *
   * @param host a host name or an IP address
   * @param basePath that of the server; empty for none
   * @param tls null for plaintext
   * @param token sent with each request; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Http1Carrier connect(
      String host, int port, String basePath, @Nullable ClientTls tls, @Nullable Token token) {
    return of(
        new Endpoint(new Address(host, port), null),
        basePath,
        false,
        tls,
        token,
        ProxySelector.getDefault());
  }

  /**
   * Creates a carrier to one of several servers.
   *
   * @param basePath that of the servers; empty for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Http1Carrier connect(
      Endpoint server, String basePath, @Nullable ClientTls tls, @Nullable Token token) {
    return of(server, basePath, true, tls, token, ProxySelector.getDefault());
  }

  /**
   * Creates a carrier.
   *
   * @param several whether the server is one of several
   * @param proxies null for none
   */
  static Http1Carrier of(
      Endpoint server,
      String basePath,
      boolean several,
      @Nullable ClientTls tls,
      @Nullable Token token,
      @Nullable ProxySelector proxies) {
    return new Http1Carrier(new Http1Client(server, basePath, several, tls, token, proxies));
  }

  /** Returns the size in bytes of one copy and of one buffer of an upload. */
  private int copyBytes(TransferOptions options) {
    return options.rateLimit() == null
        ? Math.max(options.chunkSize(), LEAST_COPY_BYTES)
        : options.chunkSize();
  }

  /** Processes a successful response. The bytes of its body are counted. */
  @FunctionalInterface
  private interface Handler<T> {
    T handle(IncomingResponse response, WireInputStream body) throws IOException;
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    PartRequest part = receiver.wanted();
    Map<String, String> fields = new LinkedHashMap<>();
    if (part != null) {
      fields.put("Range", new ByteRange(part.offset(), part.length()).requestField());
    }
    String version = part == null ? null : part.version();
    if (version != null) {
      fields.put("If-Match", '"' + version + '"');
    }
    TransferOptions used = part == null ? options : options.withCompression(null);
    try (Call call = begin(path, used)) {
      return fetch(receiver(call, path, new Opener(path, receiver), used), get(path, used, fields));
    } catch (FerryException e) {
      // The status 412 of other servers does not say which condition was false.
      throw version != null && e.kind() == ErrorKind.ALREADY_EXISTS
          ? new FerryException(ErrorKind.VERSION_MISMATCH, String.valueOf(e.getMessage()), e)
          : e;
    }
  }

  /** Creates the request for a file. */
  static OutgoingRequest get(StorePath path, TransferOptions options, Map<String, String> more) {
    return OutgoingRequest.of("GET", path, options.gzip(), options.digest(), more);
  }

  /** Creates what writes the body of a response to its file. */
  Receiver receiver(Call call, StorePath path, Opener opener, TransferOptions options) {
    return new Receiver(
        call,
        path,
        client.tls(),
        options.withProgress(call.report()),
        gzip -> head(call, path, gzip, options.digest()),
        opener);
  }

  /** Downloads a file, or a part of it. */
  private Transfer fetch(Receiver receiver, OutgoingRequest request) throws FerryException {
    receiver.call().expect();
    IncomingResponse response = send(receiver.call(), request);
    TransferOptions options = receiver.options();
    if (options.rateLimit() != null && response.body() instanceof ResponseBody body) {
      // The transfer waits after each write.
      body.limitWrites(options.chunkSize());
    }
    return receive(receiver, response);
  }

  private IncomingResponse send(Call call, OutgoingRequest request) throws FerryException {
    requireOpen();
    return client.send(call, request);
  }

  /** Writes the body of a response to its file. */
  Transfer receive(Receiver receiver, IncomingResponse response) throws FerryException {
    return handle(
        receiver.call(),
        response,
        receiver.path(),
        ErrorKind.INCOMPLETE,
        (head, body) -> receiver.copy(head, body, arrays, copyBytes(receiver.options())));
  }

  @Override
  public Transfer upload(FileSource file, StorePath path, TransferOptions options)
      throws FerryException {
    StorePath.parse(path.value());
    HttpCompression.require(options);
    try (Call call = begin(path, options)) {
      boolean rest = UploadCalls.isRest(options.create().upload(), file);
      boolean gzip = !rest && options.gzip() && HttpCompression.worthwhile(file);
      return put(call, file, path, options.withGzip(gzip));
    }
  }

  private Transfer put(Call call, FileSource file, StorePath path, TransferOptions options)
      throws FerryException {
    UploadPart part = options.create().upload();
    Digest.Algorithm algorithm = options.digest();
    long offset = part == null ? 0 : part.offset();
    try (Payload payload =
        new Payload(file, options, copyBytes(options), call.report()).from(offset)) {
      boolean follows = offset == 0 && mayFollow(call, file, path, algorithm);
      payload.followedBy(follows ? algorithm : null);
      Digest digest = algorithm == null || follows ? null : call.digest(file, algorithm);
      call.report().update(offset, file.facts().size());
      call.expect();
      OutgoingRequest request =
          UploadCalls.put(path, options, digest, options.sent(file.facts()), payload);
      if (path.equals(missing) && !file.isReadOnce()) {
        // To ask whether it is still missing takes another round trip. Other refusals can come
        // while the file is sent.
        missing = null;
        request = request.unasked();
      }
      return handled(
          call,
          request,
          path,
          (response, body) -> {
            Call.drain(body);
            // Not before: of a file that was refused on its way, not all was read.
            Digest sent = payload.following() == null ? digest : payload.followingDigest();
            long known = file.facts().size();
            long size = known == FileFacts.UNKNOWN_SIZE ? payload.sent() : known;
            return new Transfer(
                UploadCalls.stored(response.fields(), path, size, sent),
                payload.sent(),
                response.protocol().wireName(client.tls()),
                options.gzip() ? "gzip" : "identity");
          });
    }
  }

  /**
   * Returns whether the digest may follow the file. If it cannot come before, this asks the server.
   */
  private boolean mayFollow(
      Call call, FileSource file, StorePath path, Digest.@Nullable Algorithm algorithm)
      throws FerryException {
    if (client.takesTrailers() || algorithm == null || !file.isReadOnce()) {
      return client.takesTrailers();
    }
    call.expect();
    try {
      Fields unused = head(call, path, false, null);
    } catch (FerryException e) {
      switch (e.kind()) {
        // The response has said whether it takes trailers. The upload may be permitted all the
        // same.
        case NOT_FOUND, PERMISSION_DENIED, INVALID_PATH -> {}
        default -> throw e;
      }
    }
    return client.takesTrailers();
  }

  /** Creates the request that sends a file, whose bytes the client adds. */
  static OutgoingRequest put(
      StorePath path, TransferOptions options, @Nullable Digest digest, FileFacts facts) {
    return UploadCalls.put(path, options, digest, options.sent(facts), null);
  }

  /**
   * Reads the response to an upload.
   *
   * @param digest the digest that was sent; null if none was
   */
  FileFacts stored(
      Call call, IncomingResponse response, StorePath path, long size, @Nullable Digest digest)
      throws FerryException {
    return handle(
        call,
        response,
        path,
        ErrorKind.UNAVAILABLE,
        (head, body) -> {
          Call.drain(body);
          return UploadCalls.stored(head.fields(), path, size, digest);
        });
  }

  @Override
  public void transferAll(TransferBatch batch) throws FerryException {
    new Pipeline(this, client, batch).run();
  }

  @Override
  public UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException {
    return UploadCalls.status(ask(StorePath.ROOT, UploadCalls.status(id), limits), id);
  }

  @Override
  public void cancelUpload(UploadId id, CallLimits limits) throws FerryException {
    Fields unused = ask(StorePath.ROOT, UploadCalls.cancel(id), limits);
  }

  private Fields fields(Call call, OutgoingRequest request, StorePath path) throws FerryException {
    return handled(
        call,
        request,
        path,
        (response, body) -> {
          Call.drain(body);
          return response.fields();
        });
  }

  @Override
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    try (Call call = begin(path, limits)) {
      FileFacts facts;
      try {
        facts = ResponseFacts.facts(head(call, path, false, null), path.value());
      } catch (FerryException e) {
        if (e.kind() == ErrorKind.NOT_FOUND) {
          missing = path;
        }
        throw e;
      }
      missing = null;
      if (digest == null || facts.directory() || facts.digest(digest) != null) {
        return facts;
      }
      // The server responds. It now has to read this many bytes for the digest.
      call.report().watch().expectResponse(facts.size());
      return ResponseFacts.facts(head(call, path, false, digest), path.value());
    }
  }

  @Override
  public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException {
    Map<String, String> now = Map.of("Cache-Control", "no-cache");
    try (Call call = begin(path, limits)) {
      call.report().watch().expectResponse(size);
      OutgoingRequest request = OutgoingRequest.of("HEAD", path, false, digest, now);
      return ResponseFacts.facts(fields(call, request, path), path.value());
    }
  }

  /**
   * Returns the header fields of a response to HEAD.
   *
   * @param digest the algorithm of the digest to request; null for none
   */
  private Fields head(Call call, StorePath path, boolean gzip, Digest.@Nullable Algorithm digest)
      throws FerryException {
    return fields(call, OutgoingRequest.of("HEAD", path, gzip, digest, Map.of()), path);
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    String uri = HttpRoutes.uriPath(directory);
    String query = tree ? "?" + HttpRoutes.RECURSIVE_QUERY : "";
    try (Call call = begin(directory, limits)) {
      OutgoingRequest request =
          new OutgoingRequest("GET", (uri.endsWith("/") ? uri : uri + "/") + query, Map.of());
      ListReader reader = new ListReader(call, directory.value());
      return handled(
          call,
          request,
          directory,
          (response, body) -> {
            String recursive = response.fields().get(HttpRoutes.RECURSIVE);
            boolean wanted = !tree || HttpRoutes.YES.equals(recursive);
            if (wanted) {
              reader.read(body, entries);
            }
            return wanted;
          });
    }
  }

  @Override
  public void change(Change change, CallLimits limits) throws FerryException {
    StorePath path = StorePath.parse(change.path().value());
    Fields fields = ask(path, NameRequests.of(change), limits);
    if (change instanceof Change.MakeLink && fields.get(HttpRoutes.LINK) == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": this server makes no links, and may have made an empty file there");
    }
  }

  /** Sends a request without a body, and returns the header fields of the response. */
  private Fields ask(StorePath path, OutgoingRequest request, CallLimits limits)
      throws FerryException {
    try (Call call = begin(path, limits)) {
      return fields(call, request, path);
    }
  }

  /** Begins a call that transfers no file, and expects its response. The caller closes it. */
  private Call begin(StorePath path, CallLimits limits) throws FerryException {
    Call call = begin(path, TransferOptions.DEFAULT.withLimits(limits));
    call.expect();
    return call;
  }

  /** Sends a request, and passes a successful response to the handler. */
  private <T> T handled(Call call, OutgoingRequest request, StorePath path, Handler<T> handler)
      throws FerryException {
    return handle(call, send(call, request), path, ErrorKind.UNAVAILABLE, handler);
  }

  /**
   * Passes a successful response to the handler and closes it.
   *
   * @param inBody the error kind of a failure after the head
   */
  private <T> T handle(
      Call call, IncomingResponse response, StorePath path, ErrorKind inBody, Handler<T> handler)
      throws FerryException {
    try (WireInputStream body = new WireInputStream(response.body(), call)) {
      call.during(body);
      Problems.throwUnlessSuccess(response.status(), response.fields(), body, path.value());
      return handler.handle(response, body);
    } catch (IOException e) {
      throw call.failure(e, inBody);
    } finally {
      if (released) {
        // The call started during close and may have opened a connection again.
        client.close();
      }
    }
  }

  /** Begins a call. The caller closes it. */
  Call begin(StorePath path, TransferOptions options) throws FerryException {
    StorePath.parseDirectory(path.value());
    requireOpen();
    CallReport report = new CallReport(path.value(), client.server(), options, true);
    Endpoint endpoint = client.oneOfSeveral();
    if (endpoint != null) {
      report.oneOfSeveral(Reachability.CONNECT_TIMEOUT, () -> Reachability.of(endpoint));
    }
    return new Call(report, options.timeout(), timers, lookout, running);
  }

  /**
   * Throws if the carrier is closed.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE}
   */
  void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE, "the client of " + client.server() + " is closed");
    }
  }

  /**
   * Stops running transfers, which fail with {@link ErrorKind#CANCELLED}, and releases the client.
   */
  @Override
  public void close() {
    closed = true;
    for (Call call : running) {
      call.stop();
    }
    timers.shutdownNow();
    released = true;
    client.close();
  }
}
