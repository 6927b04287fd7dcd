package dev.ferry.http.internal;

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
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.wire.Servers.Endpoint;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.servers.Reachability;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Creates the requests and processes the responses of file transfers, independent of the HTTP
 * client. Subclasses send the requests with a specific client. Thread-safe.
 */
public abstract class HttpCarrier implements Carrier {
  /** Smaller buffers and copies are never faster. */
  private static final int LEAST_COPY_BYTES = 256 * 1024;

  private final String server;
  private final boolean tls;

  /** For downloads that have to be decoded on their way to the file. */
  private final CopyBuffers arrays = CopyBuffers.arrays();

  private final ScheduledThreadPoolExecutor timers;
  private final StallTimer lookout;
  private final Set<Call> running = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Endpoint oneOfSeveral;

  /** The file that the server did not have when it was last asked for the facts of one. */
  private volatile @Nullable StorePath missing;

  private volatile boolean closed;

  /**
   * Set after all running calls were stopped. The client stops the calls and must stay open until
   * then.
   */
  private volatile boolean released;

  /**
   * @param host a host name or an IP address
   * @param tls whether the client uses TLS
   */
  protected HttpCarrier(String host, int port, boolean tls) {
    this.server = HostAndPort.of(host, port);
    this.tls = tls;
    timers = new ScheduledThreadPoolExecutor(1, new DaemonThreads("ferry-http-deadlines"));
    timers.setRemoveOnCancelPolicy(true);
    lookout = new StallTimer(timers, running);
  }

  /**
   * Sends a request and waits for the head of the response. The caller closes the body.
   *
   * <p>It sends a body once. Before it blocks, it passes {@link Call#during} what cancels the
   * request. If the body is closed before its end, the connection is not used again.
   *
   * @throws FerryException as created by {@link Call#failure}
   */
  protected abstract IncomingResponse send(Call call, OutgoingRequest request)
      throws FerryException;

  /** Whether the client can send trailer fields, and knows that they arrive. */
  protected abstract boolean takesTrailers();

  /** Releases the client. All its calls were stopped before. May be called more than once. */
  protected abstract void release();

  /** Returns the size in bytes of one copy and of one buffer of an upload. */
  private int copyBytes(TransferOptions options) {
    return options.rateLimit() == null
        ? Math.max(options.chunkSize(), LEAST_COPY_BYTES)
        : options.chunkSize();
  }

  /** Returns whether the client uses TLS. */
  protected final boolean tls() {
    return tls;
  }

  /** Processes a successful response. The bytes of its body are counted. */
  @FunctionalInterface
  private interface Handler<T> {
    T handle(IncomingResponse response, WireInputStream body) throws IOException;
  }

  @Override
  public final Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
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
  public static OutgoingRequest get(
      StorePath path, TransferOptions options, Map<String, String> more) {
    return OutgoingRequest.of("GET", path, options.gzip(), options.digest(), more);
  }

  /** Creates what writes the body of a response to its file. */
  public final Receiver receiver(
      Call call, StorePath path, Opener opener, TransferOptions options) {
    return new Receiver(
        call,
        path,
        tls,
        options.withProgress(call.report()),
        gzip -> head(call, path, gzip, options.digest()),
        opener);
  }

  /** Downloads a file, or a part of it. */
  public Transfer fetch(Receiver receiver, OutgoingRequest request) throws FerryException {
    receiver.call().expect();
    return receive(receiver, send(receiver.call(), request));
  }

  /** Writes the body of a response to its file. */
  public final Transfer receive(Receiver receiver, IncomingResponse response)
      throws FerryException {
    return handle(
        receiver.call(),
        response,
        receiver.path(),
        ErrorKind.INCOMPLETE,
        (head, body) -> receiver.copy(head, body, arrays, copyBytes(receiver.options())));
  }

  @Override
  public final Transfer upload(FileSource file, StorePath path, TransferOptions options)
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
                response.protocol().wireName(tls),
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
    if (takesTrailers() || algorithm == null || !file.isReadOnce()) {
      return takesTrailers();
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
    return takesTrailers();
  }

  /** Creates the request that sends a file, whose bytes the client adds. */
  public static OutgoingRequest put(
      StorePath path, TransferOptions options, @Nullable Digest digest, FileFacts facts) {
    return UploadCalls.put(path, options, digest, options.sent(facts), null);
  }

  /**
   * Reads the response to an upload.
   *
   * @param digest the digest that was sent; null if none was
   */
  public final FileFacts stored(
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
  public final UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException {
    return UploadCalls.status(ask(StorePath.ROOT, UploadCalls.status(id), limits), id);
  }

  @Override
  public final void cancelUpload(UploadId id, CallLimits limits) throws FerryException {
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
  public final FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
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
  public final FileFacts readNow(
      StorePath path, long size, Digest.Algorithm digest, CallLimits limits) throws FerryException {
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
  public final Fields head(
      Call call, StorePath path, boolean gzip, Digest.@Nullable Algorithm digest)
      throws FerryException {
    return fields(call, OutgoingRequest.of("HEAD", path, gzip, digest, Map.of()), path);
  }

  @Override
  public final boolean list(
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
  public final void change(Change change, CallLimits limits) throws FerryException {
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
        release();
      }
    }
  }

  /** Begins a call. The caller closes it. */
  public final Call begin(StorePath path, TransferOptions options) throws FerryException {
    StorePath.parseDirectory(path.value());
    requireOpen();
    CallReport report = new CallReport(path.value(), server, options, true);
    Endpoint endpoint = oneOfSeveral;
    if (endpoint != null) {
      report.oneOfSeveral(Reachability.CONNECT_TIMEOUT, () -> Reachability.of(endpoint));
    }
    return new Call(report, options.timeout(), timers, lookout, running);
  }

  /** Has later calls end soon if their server, which is one of several, is gone. */
  protected final void leaveIfGone(Endpoint server) {
    oneOfSeveral = server;
  }

  /** Returns {@code host:port}. */
  protected final String server() {
    return server;
  }

  /**
   * Throws if the carrier is closed.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE}
   */
  protected final void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the client of " + server + " is closed");
    }
  }

  /**
   * Stops running transfers, which fail with {@link ErrorKind#CANCELLED}, and releases the client.
   */
  @Override
  public final void close() {
    closed = true;
    for (Call call : running) {
      call.stop();
    }
    timers.shutdownNow();
    released = true;
    release();
  }
}
