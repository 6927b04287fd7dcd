package dev.ferry.http.internal.server;

import dev.ferry.contract.ByteRange;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.Pace;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.http.internal.OutgoingBody;
import dev.ferry.net.ServedRequest.Operation;
import dev.ferry.net.internal.CallerStores;
import dev.ferry.net.internal.RunningRequest;
import dev.ferry.net.internal.TlsContexts;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles requests for files. Accesses the store on a worker and transfers bodies between the store
 * and the client.
 */
public class FilesHandler extends RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FilesHandler.class);

  /** Bytes to read and send at once for a file that is not compressed. */
  private static final int BUFFER_BYTES = 256 * 1024;

  /** Bytes of a list to write and send at once. */
  private static final int LIST_BYTES = 64 * 1024;

  private final CallerStores stores;
  private final Executor workers;
  private final int bufferSize;

  private final UploadRequests uploads;
  private final WebDav webDav;
  private final WebDavRequests properties;
  private int pending;

  /** That of the transfer that runs, or of the last one. */
  private @Nullable Pace pace;

  private @Nullable BodySender download;

  /**
   * @param workers read and write files
   * @param bufferSize bytes of one copy of a compressed download, at least 1
   * @param webDav that of the port
   */
  public FilesHandler(CallerStores stores, Executor workers, int bufferSize, WebDav webDav) {
    this.stores = stores;
    this.workers = workers;
    this.bufferSize = bufferSize;
    this.uploads = new UploadRequests(this, workers);
    this.webDav = webDav;
    this.properties = new WebDavRequests(this, webDav.locks());
  }

  @Override
  protected void handle(ChannelHandlerContext context, HttpRequest request) throws FerryException {
    FileRequest parsed = FileRequest.of(request);
    if (parsed.rawPath().equals(HttpRoutes.HEALTH)) {
      refuse(context, Responses.health(request.method()));
      return;
    }
    FileStore store =
        stores.of(
            request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
            TlsContexts.session(context.channel()),
            running());
    FileStore locking = properties.locking(store, parsed);
    if (WebDavRequests.handles(request)) {
      properties.handle(context, locking, request, parsed);
    } else {
      route(context, locking, request, parsed);
    }
  }

  @Override
  protected Operation operation(HttpRequest http) {
    HttpMethod method = http.method();
    FileRequest request = FileRequest.of(http);
    if (UploadRequests.isAboutUpload(request)) {
      return UploadRequests.operation(method);
    }
    if (WebDavRequests.handles(http)) {
      return WebDavRequests.operation(http);
    }
    if (WebDavChanges.isLink(http)) {
      return Operation.MAKE_LINK;
    }
    if (UploadRequests.stores(method, request)) {
      return Operation.UPLOAD;
    }
    return switch (method.name()) {
      case "GET" -> request.namesDirectory() ? Operation.LIST : Operation.DOWNLOAD;
      case "HEAD" -> Operation.STAT;
      case "DELETE" -> Operation.DELETE;
      case "COPY" -> Operation.COPY;
      case "MOVE" -> Operation.MOVE;
      case "MKCOL" -> Operation.MAKE_DIRECTORY;
      default -> Operation.OTHER;
    };
  }

  private void route(
      ChannelHandlerContext context, FileStore store, HttpRequest http, FileRequest request)
      throws FerryException {
    if (UploadRequests.isAboutUpload(request)) {
      uploads.handle(context, store, http, request);
      return;
    }
    StorePath path = request.fileOrDirectory();
    running().path(path.value());
    HttpMethod method = http.method();
    if (isHead()) {
      offload(
          context,
          () -> head(store, path, http, request),
          response -> respondToHead(context, response),
          response -> {});
    } else if (method.equals(HttpMethod.GET) && request.namesDirectory()) {
      offload(
          context,
          () -> new ListBody(store.list(path)),
          body -> list(context, body, request.chunked()),
          ListBody::close);
    } else if (method.equals(HttpMethod.GET)) {
      offload(
          context,
          () -> OpenedFile.open(store, path, request),
          opened -> respondToGet(context, store, path, request, opened),
          opened -> Closing.quietly(opened.file()),
          failure -> refuseToOpen(context, store, path, http, failure));
    } else if (WebDavChanges.changes(http)) {
      RunningRequest running = running();
      offload(
          running.working(WebDavChanges.isLong(http, request) ? webDav.trees() : workers),
          context,
          () ->
              WebDavChanges.make(
                  store, path, http, request, running, rules(), () -> context.channel().isActive()),
          response -> refuse(context, response),
          response -> {},
          failure -> refuse(context, failure));
    } else if (UploadRequests.stores(method, request)) {
      uploads.begin(context, store, http, request);
    } else {
      respond(context, Responses.methodNotAllowed(method, request));
    }
  }

  private static HttpResponse head(
      FileStore store, StorePath path, HttpRequest http, FileRequest request)
      throws FerryException {
    Digest.Algorithm wanted = request.wantedDigest();
    FileFacts facts = store.stat(path, false);
    if (facts.directory() && !request.namesDirectory()) {
      return Responses.moved(Responses.head(facts, false), FileRequest.directoryUri(path, http));
    }
    boolean gzip = request.acceptsGzip() && !facts.directory() && isCompressed(store, path);
    if (!facts.directory() && Conditions.notModified(request.headers(), facts, gzip)) {
      return Responses.notModified(facts, gzip);
    }
    FileFacts complete = wanted == null ? facts : store.stat(path, wanted);
    return Responses.head(stated(complete, wanted), gzip);
  }

  /** Returns whether a GET sends gzip. A caller who may not read the file gets its facts alone. */
  private static boolean isCompressed(FileStore store, StorePath path) throws FerryException {
    try (FileSource file = store.open(path)) {
      return HttpCompression.worthwhile(file);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.PERMISSION_DENIED) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Responds to a {@code GET} of what is no file: leads to the list of a directory if the caller
   * may know of it, as {@code HEAD} does. {@link FileStore#open} says {@link
   * ErrorKind#INVALID_PATH} of a directory.
   */
  private void refuseToOpen(
      ChannelHandlerContext context,
      FileStore store,
      StorePath path,
      HttpRequest http,
      Throwable failure) {
    if (!context.channel().isActive()) {
      // The request has ended with its connection.
      return;
    }
    if (!(failure instanceof FerryException e) || e.kind() != ErrorKind.INVALID_PATH) {
      refuse(context, failure);
      return;
    }
    offload(
        context,
        () -> isDirectory(store, path),
        directory -> {
          if (directory) {
            refuse(context, Responses.folder(path, FileRequest.directoryUri(path, http)));
          } else {
            refuse(context, failure);
          }
        },
        directory -> {});
  }

  private static boolean isDirectory(FileStore store, StorePath path) {
    try {
      return store.stat(path, false).directory();
    } catch (FerryException e) {
      return false;
    }
  }

  private void respondToGet(
      ChannelHandlerContext context,
      FileStore store,
      StorePath path,
      FileRequest request,
      OpenedFile opened) {
    FileSource file = opened.file();
    FileFacts facts = file.facts();
    ByteRange range = request.range(facts);
    if (opened.notModified()) {
      Closing.quietly(file, running().working(workers));
      refuse(context, Responses.notModified(facts, opened.gzip()));
    } else if (range != null && range.isEmpty()) {
      Closing.quietly(file, running().working(workers));
      refuse(context, Responses.unsatisfiable(facts, range));
    } else {
      boolean buffered = opened.gzip() || file.channel() == null || !canSendFile(context);
      Digest.Algorithm wanted = request.wantedDigest();
      FileFacts stated = stated(facts, wanted);
      HttpResponse head =
          range == null ? Responses.head(stated, opened.gzip()) : Responses.part(stated, range);
      Digest.Algorithm trailing = null;
      if (wanted != null && range == null && facts.digest(wanted) == null) {
        if (!buffered) {
          computeDigest(store, path, wanted);
        } else {
          file.computeWhileReading(wanted);
          if (request.acceptsTrailers()) {
            trailing = wanted;
            Responses.digestFollows(head, facts, isHttp2(context));
          }
        }
      }
      ByteRange part = range == null ? new ByteRange(0, facts.size()) : range;
      download(context, head, opened, part, buffered, trailing);
    }
  }

  /** A client that wants a digest does not get another one instead. */
  private static FileFacts stated(FileFacts facts, Digest.@Nullable Algorithm wanted) {
    return wanted == null ? facts : facts.withoutDigests().withDigest(facts.digest(wanted));
  }

  private void respondToHead(ChannelHandlerContext context, HttpResponse response) {
    if (response instanceof FullHttpResponse whole) {
      refuse(context, whole);
      return;
    }
    connection(response);
    context.write(response, context.voidPromise());
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(f -> responded(context, ((ChannelFuture) f).cause()));
  }

  /** Computes a digest while the file is sent, for the HEAD request that follows. */
  private void computeDigest(FileStore store, StorePath path, Digest.Algorithm algorithm) {
    try {
      running()
          .working(workers)
          .execute(
              () -> {
                try {
                  store.stat(path, algorithm);
                } catch (FerryException e) {
                  // The HEAD fails in the same way, and its response says so.
                  LOG.debug("no digest of {}: {}", path, e.toString());
                }
              });
    } catch (RejectedExecutionException e) {
      LOG.debug("no digest of {}: the server is closing", path);
    }
  }

  /** Sends properties. */
  final void sendProperties(ChannelHandlerContext context, PropertyBody body, boolean chunked) {
    if (!chunked) {
      endWithResponse();
    }
    send(context, MultiStatus.head(chunked), body, LIST_BYTES, null);
  }

  private void list(ChannelHandlerContext context, ListBody body, boolean chunked) {
    if (!chunked) {
      endWithResponse();
    }
    send(context, Responses.list(chunked), body, LIST_BYTES, null);
  }

  private void download(
      ChannelHandlerContext context,
      HttpResponse response,
      OpenedFile opened,
      ByteRange part,
      boolean buffered,
      Digest.@Nullable Algorithm trailing) {
    FileSource file = opened.file();
    RunningRequest request = running();
    RateLimit limit = request.rateLimit();
    Progress progress = (position, size) -> request.bytes(position - part.first());
    if (opened.gzip()) {
      OutgoingBody body = FileBody.closing(file, true, bufferSize, trailing, progress);
      send(context, response, body, bufferSize, limit);
    } else if (buffered) {
      OutgoingBody body = FileBody.part(file, part.first(), part.length(), trailing, progress);
      send(context, response, body, BUFFER_BYTES, limit);
    } else {
      begin(context, response);
      long slice = limit == null ? Long.MAX_VALUE : limit.chunkSize();
      Pace paced = paced(limit, context.executor());
      start(new PlainDownload(context, file, part, slice, paced, progress, listener(context)));
    }
  }

  /**
   * Whether the file is sent as it is: sendfile produces no HTTP/2 frames, and encrypts nothing.
   */
  private static boolean canSendFile(ChannelHandlerContext context) {
    return !isHttp2(context) && context.pipeline().get(SslHandler.class) == null;
  }

  private static boolean isHttp2(ChannelHandlerContext context) {
    return context.channel() instanceof Http2StreamChannel;
  }

  private void send(
      ChannelHandlerContext context,
      HttpResponse head,
      OutgoingBody body,
      int size,
      @Nullable RateLimit limit) {
    begin(context, head);
    RunningRequest request = running();
    Executor working = request.working(workers);
    start(
        new BufferedDownload(
            context,
            body,
            Pace.chunk(limit, size),
            working,
            paced(limit, working),
            request::bytes,
            listener(context)));
  }

  private void start(BodySender begun) {
    download = begun;
    begun.start();
  }

  /** Returns the pace of a transfer that begins; null if there is no limit. */
  final @Nullable Pace paced(@Nullable RateLimit limit, Executor executor) {
    pace = Pace.of(limit, executor);
    return pace;
  }

  @Override
  protected boolean holdsBack() {
    return pace != null && pace.isWaiting();
  }

  private void begin(ChannelHandlerContext context, HttpResponse head) {
    connection(head);
    context.write(head, context.voidPromise());
  }

  private BodySender.Listener listener(ChannelHandlerContext context) {
    RunningRequest request = running();
    return new BodySender.Listener() {
      @Override
      public void sent() {
        download = null;
        responded(context, null);
      }

      @Override
      public void failed(Throwable failure) {
        // Only closing the connection shows the client that the body is incomplete.
        LOG.debug("response cut: {}", failure.toString());
        if (failure instanceof FerryException e) {
          request.end(e.kind());
        }
        context.close();
      }
    };
  }

  final <T> void offload(
      ChannelHandlerContext context, Offload.Work<T> work, Consumer<T> then, Consumer<T> discard) {
    offload(context, work, then, discard, failure -> refuse(context, failure));
  }

  final <T> void offload(
      ChannelHandlerContext context,
      Offload.Work<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    offload(running().working(workers), context, work, then, discard, failed);
  }

  private <T> void offload(
      Executor executor,
      ChannelHandlerContext context,
      Offload.Work<T> work,
      Consumer<T> then,
      Consumer<T> discard,
      Consumer<Throwable> failed) {
    pending++;
    Offload.run(
        executor,
        context,
        work,
        result -> {
          pending--;
          then.accept(result);
        },
        discard,
        failure -> {
          pending--;
          failed.accept(failure);
        });
  }

  @Override
  protected boolean busy() {
    return pending > 0 || uploads.busy();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    uploads.gone();
    if (download != null) {
      download.cut();
      download = null;
    }
    super.channelInactive(context);
  }
}
