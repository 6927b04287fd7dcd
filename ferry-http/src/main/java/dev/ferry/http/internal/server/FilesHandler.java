package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.Pace;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.http.internal.MadeBody;
import dev.ferry.http.internal.OutgoingBody;
import dev.ferry.http.internal.page.ZipBody;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.DiskSpeed;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.contract.ByteRange;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
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

  /**
   * Most bytes of a file that is read for its digest while it is sent. A larger one is sent with
   * sendfile, and its client asks for the digest, which is another round trip.
   */
  private static final int FOLLOWED_BYTES = 1024 * 1024;

  /** Bytes of a list to write and send at once. */
  private static final int LIST_BYTES = 64 * 1024;

  /** Steps of one connection after which the event loop surely turns to others. */
  private static final int MAX_IN_ROW = 64;

  private final CallerStores stores;
  private final int bufferSize;

  private final UploadRequests uploads;
  private final PortState state;
  private final WebDavRequests properties;

  /** Those of the request that is handled, or of the last one. */
  private @Nullable FileOperations files;

  /** Whether the request that is handled, or the last one, only reads. */
  private boolean reads;

  private int pending;

  /** Steps that were done on the event loop since one was done on a worker. */
  private int inRow;

  /** That of the transfer that runs, or of the last one. */
  private @Nullable Pace pace;

  private @Nullable BodySender download;

  /** The facts that a client waits for; null if none does. */
  private @Nullable CompletableFuture<FileFacts> awaited;

  /** Completed to end the last digest that was begun while a file was sent; null if none was. */
  private @Nullable CompletableFuture<Boolean> cut;

  /**
   * @param bufferSize bytes of one copy of a compressed download, at least 1
   * @param state that of the port
   */
  public FilesHandler(CallerStores stores, int bufferSize, PortState state) {
    this.stores = stores;
    this.bufferSize = bufferSize;
    this.uploads = new UploadRequests(this);
    this.state = state;
    this.properties = new WebDavRequests(this, state.locks());
  }

  @Override
  protected void handle(ChannelHandlerContext context, HttpRequest request) throws FerryException {
    FullHttpResponse open = PageRequests.open(request);
    if (open != null) {
      refuse(context, open);
      return;
    }
    FileRequest parsed = FileRequest.of(request);
    if (parsed.rawPath().equals(HttpRoutes.HEALTH)) {
      refuse(context, Responses.health(request.method()));
      return;
    }
    FileOperations own =
        stores.of(
            request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
            TlsContexts.session(context.channel()),
            running());
    FileOperations begun = own.on(properties.locking(own.store(), request.method(), parsed));
    files = begun;
    reads = WebDavRequests.reads(request.method());
    if (WebDavRequests.handles(request)) {
      properties.handle(context, begun.store(), request, parsed);
    } else {
      route(context, begun, request, parsed);
    }
  }

  private FileOperations files() {
    return Objects.requireNonNull(files);
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
      case "GET" ->
          PageRequests.isOpen(request.rawPath())
              ? Operation.OTHER
              : request.namesDirectory() && !PageRequests.isZip(request)
                  ? Operation.LIST
                  : Operation.DOWNLOAD;
      case "POST" ->
          PageRequests.isForm(http)
              ? Operation.UPLOAD
              : PageRequests.isZip(request) ? Operation.DOWNLOAD : Operation.OTHER;
      case "HEAD" -> Operation.STAT;
      case "DELETE" -> Operation.DELETE;
      case "COPY" -> Operation.COPY;
      case "MOVE" -> Operation.MOVE;
      case "MKCOL" -> Operation.MAKE_DIRECTORY;
      default -> Operation.OTHER;
    };
  }

  private void route(
      ChannelHandlerContext context, FileOperations files, HttpRequest http, FileRequest request)
      throws FerryException {
    if (UploadRequests.isAboutUpload(request)) {
      uploads.handle(context, files, http, request);
      return;
    }
    StorePath path = request.fileOrDirectory();
    FileStore store = files.store();
    running().path(path.value());
    HttpMethod method = http.method();
    if (isHead()) {
      Retries.Call<Head> head = () -> head(context, files, path, http, request);
      if (request.wantedDigest() == null) {
        step(context, head, made -> respondToHead(context, made), Head::discard);
      } else {
        // The whole file may have to be read.
        offload(context, head, made -> respondToHead(context, made), Head::discard);
      }
    } else if (method.equals(HttpMethod.GET) && request.namesDirectory()) {
      boolean tree = request.recursive();
      if (PageRequests.isZip(request)) {
        RunningRequest running = running();
        archive(
            context,
            path,
            request.chunked(),
            () -> ZipBody.of(store, path, archives(), running.holder(), running::bytes));
      } else if (PageRequests.wantsHtml(request.headers())) {
        answer(context, () -> PageRequests.folder(store, path, request, rules().basePath()));
      } else {
        offload(
            context,
            () -> new ListBody(tree ? store.listTree(path) : store.list(path)),
            body -> sendMade(context, PageRequests.listHead(store, path, request), body),
            ListBody::close);
      }
    } else if (method.equals(HttpMethod.GET)) {
      OpenedFile.Reading reading =
          files.request().rateLimit() == null
              ? new OpenedFile.Reading(
                  context.alloc(), !canSendFile(context) && request.acceptsTrailers())
              : null;
      step(
          context,
          () -> OpenedFile.open(files, path, http, request, rules().basePath(), reading),
          opened -> respondToGet(context, files, path, request, opened),
          OpenedFile::discard);
    } else if (WebDavChanges.changes(http)) {
      RunningRequest own = files.request();
      Executor trees = state.trees(method.equals(WebDavChanges.COPY), own.holder());
      answer(
          WebDavChanges.isLong(http, request) ? own.working(trees) : files.workers(),
          context,
          () ->
              WebDavChanges.make(
                  files, path, http, request, rules(), () -> context.channel().isActive()));
    } else if (UploadRequests.stores(method, request)) {
      uploads.begin(context, files, http, request);
    } else if (request.namesDirectory() && PageRequests.isForm(http)) {
      uploads.form(context, files, http, request, path);
    } else if (request.namesDirectory()
        && method.equals(HttpMethod.POST)
        && PageRequests.isZip(request)) {
      receiveBody(
          context, http, PageRequests.selection(this, context, store, path, request.chunked()));
    } else {
      respond(context, Responses.methodNotAllowed(method, request));
    }
  }

  /**
   * The response to a {@code HEAD}.
   *
   * @param facts complete when the digest is known that the client wants
   * @param response makes it of the facts
   */
  private record Head(
      CompletableFuture<FileFacts> facts, Function<FileFacts, HttpResponse> response) {
    void discard() {
      facts.cancel(false);
    }
  }

  private static Head head(
      ChannelHandlerContext context,
      FileOperations files,
      StorePath path,
      HttpRequest http,
      FileRequest request)
      throws FerryException {
    Digest.Algorithm wanted = request.wantedDigest();
    if (wanted != null && !context.channel().isActive()) {
      throw new FerryException(ErrorKind.CANCELLED, path + ": the client is gone");
    }
    FileFacts stated = files.stat(path);
    FileFacts known = request.readsNow() ? stated.withoutDigests() : stated;
    CompletableFuture<FileFacts> facts = CompletableFuture.completedFuture(known);
    if (known.directory() && !request.namesDirectory()) {
      String uri = FileRequest.directoryUri(path, http);
      return new Head(facts, directory -> Responses.moved(Responses.head(directory, false), uri));
    }
    boolean gzip = request.acceptsGzip() && !known.directory() && isCompressed(files.store(), path);
    if (!known.directory() && Conditions.notModified(request.headers(), known, gzip)) {
      return new Head(facts, file -> Responses.notModified(file, gzip));
    }
    return new Head(
        wanted == null ? facts : files.withDigest(path, known, wanted, request.readsNow()),
        file -> Responses.head(stated(file, wanted), gzip));
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

  private void respondToGet(
      ChannelHandlerContext context,
      FileOperations files,
      StorePath path,
      FileRequest request,
      OpenedFile opened) {
    FileSource file = opened.file();
    FileFacts facts = opened.facts();
    ByteRange range = opened.range();
    Digest.Algorithm wanted = request.wantedDigest();
    ByteBuf content = opened.content();
    if (content != null) {
      HttpResponse head = head(stated(facts, wanted), opened);
      FullHttpResponse whole =
          new DefaultFullHttpResponse(
              head.protocolVersion(),
              head.status(),
              content,
              head.headers(),
              EmptyHttpHeaders.INSTANCE);
      send(context, whole, content.readableBytes());
      return;
    }
    // A client that sends many requests at once gets the digest of a small file behind it.
    boolean follows =
        wanted != null
            && range == null
            && facts.digest(wanted) == null
            && facts.size() <= FOLLOWED_BYTES
            && request.acceptsTrailers();
    boolean buffered = opened.gzip() || file.channel() == null || follows || !canSendFile(context);
    HttpResponse head = head(stated(facts, wanted), opened);
    Digest.Algorithm trailing = null;
    if (wanted != null && range == null && facts.digest(wanted) == null) {
      if (!buffered) {
        computeDigest(files, path, facts, wanted, request.readsNow());
      } else {
        file.computeWhileReading(wanted);
        if (request.acceptsTrailers()) {
          trailing = wanted;
          Responses.digestFollows(head, facts, isHttp2(context));
        }
      }
    }
    download(context, head, opened, opened.part(), buffered, trailing);
  }

  private static HttpResponse head(FileFacts stated, OpenedFile opened) {
    ByteRange range = opened.range();
    return range == null ? Responses.head(stated, opened.gzip()) : Responses.part(stated, range);
  }

  /** A client that wants a digest does not get another one instead. */
  private static FileFacts stated(FileFacts facts, Digest.@Nullable Algorithm wanted) {
    return wanted == null ? facts : facts.withoutDigests().withDigest(facts.digest(wanted));
  }

  /** Responds now, or when the digest is known. */
  private void respondToHead(ChannelHandlerContext context, Head head) {
    CompletableFuture<FileFacts> facts = head.facts();
    if (facts.isDone() && !facts.isCompletedExceptionally()) {
      respondToHead(context, head.response().apply(facts.join()));
      return;
    }
    pending++;
    awaited = facts;
    closeIfInVain(context);
    CompletableFuture<FileFacts> unused =
        facts.whenComplete(
            (known, failure) ->
                Offload.onLoop(
                    context,
                    () -> {
                      pending--;
                      awaited = null;
                      if (failure == null) {
                        respondToHead(context, head.response().apply(known));
                      } else if (!facts.isCancelled()) {
                        refuse(context, failure);
                      }
                    }));
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
  private void computeDigest(
      FileOperations files,
      StorePath path,
      FileFacts known,
      Digest.Algorithm algorithm,
      boolean now) {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    cut = ended;
    try {
      files
          .workers()
          .execute(
              () -> {
                if (ended.isDone()) {
                  return;
                }
                try {
                  CompletableFuture<FileFacts> facts =
                      files.withDigest(path, known, algorithm, now);
                  CompletableFuture<Boolean> unused =
                      ended.whenComplete((gone, failure) -> facts.cancel(false));
                } catch (FerryException | RejectedExecutionException e) {
                  // The HEAD fails in the same way, and its response says so.
                  LOG.debug("no digest of {}: {}", path, e.toString());
                }
              });
    } catch (RejectedExecutionException e) {
      LOG.debug("no digest of {}: the server is closing", path);
    }
  }

  /** Sends a list that is made meanwhile. */
  final void sendMade(ChannelHandlerContext context, HttpResponse head, MadeBody body) {
    sendMade(context, head, body, LIST_BYTES, null);
  }

  private void sendMade(
      ChannelHandlerContext context,
      HttpResponse head,
      MadeBody body,
      int size,
      @Nullable Pace chosen) {
    if (!HttpUtil.isTransferEncodingChunked(head)) {
      endWithResponse();
    }
    send(context, head, body, size, chosen);
  }

  /**
   * Responds with an archive.
   *
   * @param folder what it has entries of
   * @param begin begins it, on a worker
   */
  final void archive(
      ChannelHandlerContext context,
      StorePath folder,
      boolean chunked,
      Retries.Call<ZipBody> begin) {
    offload(
        context,
        begin,
        body -> {
          HttpResponse head = PageRequests.zipHead(folder, chunked);
          FileOperations current = files();
          int size = current.chunk(BUFFER_BYTES);
          sendMade(context, head, body, size, current.pace(current.workers()));
        },
        ZipBody::close);
  }

  /** Returns the memory of the names in all archives of the port. */
  final NameMemory archives() {
    return state.archives();
  }

  private void download(
      ChannelHandlerContext context,
      HttpResponse response,
      OpenedFile opened,
      ByteRange part,
      boolean buffered,
      Digest.@Nullable Algorithm trailing) {
    FileSource file = opened.file();
    FileOperations current = files();
    Progress progress = current.progress(part.first());
    if (opened.gzip()) {
      OutgoingBody body = FileBody.closing(file, true, bufferSize, trailing, progress);
      send(context, response, body, current.chunk(bufferSize), current.pace(current.workers()));
    } else if (buffered) {
      OutgoingBody body = FileBody.part(file, part.first(), part.length(), trailing, progress);
      send(context, response, body, current.chunk(BUFFER_BYTES), current.pace(current.workers()));
    } else {
      begin(context, response);
      RateLimit limit = current.request().rateLimit();
      long slice = limit == null ? Long.MAX_VALUE : limit.chunkSize();
      Pace paced = paced(context.executor());
      closeIfInVain(context);
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
      @Nullable Pace chosen) {
    pace = chosen;
    closeIfInVain(context);
    begin(context, head);
    FileOperations current = files();
    start(
        new BufferedDownload(
            context,
            body,
            size,
            current.workers(),
            chosen,
            current.request()::bytes,
            listener(context)));
  }

  private void start(BodySender begun) {
    download = begun;
    begun.start();
  }

  /** Returns the pace of a transfer that begins; null if there is no limit. */
  final @Nullable Pace paced(Executor executor) {
    pace = files().pace(executor);
    return pace;
  }

  @Override
  protected boolean holdsBack() {
    return (pace != null && pace.isWaiting()) || (download != null && download.busy());
  }

  private void begin(ChannelHandlerContext context, HttpResponse head) {
    connection(head);
    discardBody(context);
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

  /** Responds with what a worker makes. */
  final void answer(ChannelHandlerContext context, Retries.Call<FullHttpResponse> work) {
    answer(files().workers(), context, work);
  }

  private void answer(
      Executor executor, ChannelHandlerContext context, Retries.Call<FullHttpResponse> work) {
    offload(executor, context, work, response -> refuse(context, response), response -> {});
  }

  /**
   * Does work that takes as long as a few system calls: on the event loop, or on a worker if the
   * store is slow, or the connection has had its share of the event loop.
   */
  final <T> void step(
      ChannelHandlerContext context, Retries.Call<T> work, Consumer<T> then, Consumer<T> discard) {
    DiskSpeed speed = stores.speed();
    Retries.Call<T> timed =
        () -> {
          long begun = speed.begin();
          try {
            return work.run();
          } finally {
            speed.ended(begun);
          }
        };
    if (!speed.isFast() || ++inRow > MAX_IN_ROW) {
      inRow = 0;
      offload(context, timed, then, discard);
      return;
    }
    T result;
    try {
      result = timed.run();
    } catch (FerryException | RuntimeException | Error e) {
      refuse(context, e);
      return;
    }
    Offload.accept(files().workers(), context, result, then, discard);
  }

  final <T> void offload(
      ChannelHandlerContext context, Retries.Call<T> work, Consumer<T> then, Consumer<T> discard) {
    offload(files().workers(), context, work, then, discard);
  }

  private <T> void offload(
      Executor executor,
      ChannelHandlerContext context,
      Retries.Call<T> work,
      Consumer<T> then,
      Consumer<T> discard) {
    pending++;
    boolean wantedByItsClientAlone = reads;
    Offload.run(
        executor,
        context,
        () -> {
          if (wantedByItsClientAlone && !context.channel().isActive()) {
            // A client could reset its requests, and have the server work for each.
            throw new FerryException(ErrorKind.CANCELLED, "the client has gone");
          }
          return work.run();
        },
        result -> {
          pending--;
          then.accept(result);
        },
        discard,
        failure -> {
          pending--;
          refuse(context, failure);
        });
  }

  @Override
  protected boolean end(FerryException why) {
    return awaited != null && awaited.completeExceptionally(why);
  }

  @Override
  protected boolean worksInVain() {
    return !reads || pace != null || pending > 0 && awaited != null;
  }

  @Override
  protected boolean busy() {
    return pending > 0 || uploads.busy();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    uploads.gone();
    if (awaited != null) {
      awaited.cancel(false);
    }
    if (download != null) {
      download.cut();
      download = null;
      if (cut != null) {
        cut.complete(true);
      }
    }
    super.channelInactive(context);
  }
}
