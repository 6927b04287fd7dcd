package dev.ferry.http.internal.server;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.page.FormSink;
import dev.ferry.net.ServedRequest.Operation;
import dev.ferry.net.internal.RunningRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The requests of a connection that store files, and those about uploads. */
final class UploadRequests {
  private final FilesHandler handler;
  private final Executor workers;
  private @Nullable BodyReceiver upload;
  private @Nullable UploadBody receiving;

  /**
   * @param workers write files
   */
  UploadRequests(FilesHandler handler, Executor workers) {
    this.handler = handler;
    this.workers = workers;
  }

  /** Returns whether a request is about an upload that can be continued. */
  static boolean isAboutUpload(FileRequest request) {
    return request.rawPath().startsWith(HttpRoutes.UPLOADS);
  }

  /** Returns what a request that {@link #isAboutUpload} is for. */
  static Operation operation(HttpMethod method) {
    return switch (method.name()) {
      case "HEAD" -> Operation.UPLOAD_STATUS;
      case "DELETE" -> Operation.CANCEL_UPLOAD;
      case "PATCH" -> Operation.UPLOAD;
      default -> Operation.OTHER;
    };
  }

  /** Returns whether a request stores a file. */
  static boolean stores(HttpMethod method, FileRequest request) {
    return method.equals(HttpMethod.PUT)
        || (method.equals(HttpMethod.POST) && new UploadFields(request.headers()).begins());
  }

  /** Handles a request that {@link #isAboutUpload}. */
  void handle(ChannelHandlerContext context, FileStore store, HttpRequest http, FileRequest request)
      throws FerryException {
    UploadId id = HttpRoutes.uploadId(request.rawPath());
    HttpMethod method = http.method();
    if (method.equals(HttpMethod.HEAD)) {
      handler.offload(
          context,
          () -> UploadResponses.status(store.upload(id)),
          response -> handler.refuse(context, response),
          response -> {});
    } else if (method.equals(HttpMethod.DELETE)) {
      handler.offload(
          context,
          () -> {
            store.cancelUpload(id);
            return Responses.empty(HttpResponseStatus.NO_CONTENT);
          },
          response -> handler.refuse(context, response),
          response -> {});
    } else if (method.equals(HttpMethod.PATCH)) {
      handler.offload(
          context,
          () -> store.upload(id),
          kept -> append(context, store, http, request, id, kept),
          kept -> {});
    } else {
      handler.respond(context, UploadResponses.methodNotAllowed(method, request));
    }
  }

  private void append(
      ChannelHandlerContext context,
      FileStore store,
      HttpRequest http,
      FileRequest request,
      UploadId id,
      KeptUpload kept) {
    UploadFields fields = new UploadFields(request.headers());
    try {
      FullHttpResponse refusal = UploadResponses.refusal(kept, fields, request);
      if (refusal != null) {
        handler.refuse(context, refusal);
        return;
      }
      long stated = fields.wholeLength(fields.offset());
      long size = stated < 0 ? kept.size() : stated;
      Executor working = handler.running().working(workers);
      handler.offload(
          context,
          () -> digesting(IncomingUpload.append(store, id, kept, fields, request, size), working),
          begun ->
              receive(
                  context,
                  http,
                  store,
                  request,
                  begun,
                  false,
                  false,
                  facts -> UploadResponses.stored(facts, begun)),
          Closing::quietly);
    } catch (FerryException e) {
      handler.refuse(context, e);
    }
  }

  /** Handles a request that {@link #stores}. */
  void begin(ChannelHandlerContext context, FileStore store, HttpRequest http, FileRequest request)
      throws FerryException {
    boolean gzip = FileRequest.isGzip(request.coding());
    boolean continuable = new UploadFields(request.headers()).begins();
    boolean identity = HttpHeaderValues.IDENTITY.contentEquals(request.coding());
    if (!identity && (continuable || !gzip)) {
      handler.refuse(
          context,
          continuable
              ? UploadResponses.coded(request.coding())
              : Responses.codingNotSupported(request.coding()));
      return;
    }
    StorePath path = request.file();
    Executor working = handler.running().working(workers);
    handler.offload(
        context,
        () -> digesting(IncomingUpload.begin(store, request), working),
        begun ->
            receive(
                context,
                http,
                store,
                request,
                begun,
                gzip,
                true,
                facts -> UploadResponses.stored(facts, begun)),
        Closing::quietly,
        failure -> refuse(context, store, path, request, failure));
  }

  /** Handles a form whose files are stored in a folder. */
  void form(
      ChannelHandlerContext context,
      FileStore store,
      HttpRequest http,
      FileRequest request,
      StorePath folder)
      throws FerryException {
    FormSink form =
        new FormSink(store, folder, http.headers().get(HttpHeaderNames.CONTENT_TYPE, ""));
    IncomingUpload begun = new IncomingUpload(form, folder, true, -1, null, null);
    RunningRequest running = handler.running();
    receive(
        context,
        http,
        store,
        request,
        begun,
        false,
        true,
        facts -> {
          if (form.stored().size() == 1) {
            running.path(form.stored().get(0));
          }
          return PageRequests.stored(form.stored(), folder, http);
        });
  }

  /**
   * Refuses to store a file. If it exists, {@code If-None-Match: *} is false (RFC 9110, 13.1.2). A
   * file in place of a parent directory is no reason for that.
   */
  private void refuse(
      ChannelHandlerContext context,
      FileStore store,
      StorePath path,
      FileRequest request,
      Throwable failure) {
    if (!(failure instanceof FerryException e)
        || e.kind() != ErrorKind.ALREADY_EXISTS
        || !Conditions.createsOnly(request.headers())
        || !context.channel().isActive()) {
      handler.refuse(context, failure);
      return;
    }
    handler.offload(
        context,
        () -> store.exists(path),
        exists ->
            handler.refuse(
                context, exists ? Responses.preconditionFailed(e) : Responses.problem(e)),
        exists -> {});
  }

  /** Announces the digest that the request has. */
  private static IncomingUpload digesting(IncomingUpload begun, Executor working) {
    Digest digest = begun.digest();
    if (digest != null) {
      begun.sink().expectDigest(digest.algorithm(), working);
    }
    return begun;
  }

  private void receive(
      ChannelHandlerContext context,
      HttpRequest http,
      FileStore store,
      FileRequest fields,
      IncomingUpload begun,
      boolean gzip,
      boolean first,
      Function<FileFacts, FullHttpResponse> response) {
    RunningRequest request = handler.running();
    request.path(begun.path().value());
    Executor working = request.working(workers);
    BodyReceiver begunUpload =
        new BodyReceiver(
            begun.sink(),
            begun.path().value(),
            gzip,
            begun.size(),
            begun.digest(),
            working,
            new Listener(context, store, fields, begun, first, response));
    upload = begun.ends() ? begunUpload : begunUpload.keeping();
    UploadBody body =
        new UploadBody(
            context,
            begunUpload,
            gzip,
            request,
            handler.paced(request.rateLimit(), context.executor()));
    receiving = body;
    String version = new UploadFields(fields.headers()).version();
    if (first && version != null && begun.part() != null) {
      context.writeAndFlush(UploadResponses.supported(begun, version));
    }
    handler.expectBody(context, http, body);
    body.begin();
  }

  /** Passes the body of a request to its upload, at the pace of its caller. */
  private final class UploadBody implements RequestHandler.Body {
    private final ChannelHandlerContext context;
    private final BodyReceiver upload;
    private final boolean gzip;
    private final RunningRequest request;
    private final @Nullable Pace pace;
    private long arrived;

    /** Whether the upload takes no more now. */
    private boolean full;

    UploadBody(
        ChannelHandlerContext context,
        BodyReceiver upload,
        boolean gzip,
        RunningRequest request,
        @Nullable Pace pace) {
      this.context = context;
      this.upload = upload;
      this.gzip = gzip;
      this.request = request;
      this.pace = pace;
    }

    void begin() {
      if (mayGoOn()) {
        handler.resume(context);
      }
    }

    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      arrived += buffer.readableBytes();
      count();
      full = !upload.receive(buffer, last);
      return last || (mayGoOn() && !full);
    }

    /** Counts bytes of the file: those of a compressed body when they were written. */
    private void count() {
      long bytes = gzip ? upload.written() : arrived;
      request.bytes(bytes);
      if (pace != null) {
        pace.moved(bytes);
      }
    }

    private boolean mayGoOn() {
      return pace == null || pace.mayGoOn(this::resumeUnlessFull);
    }

    private void resumeUnlessFull() {
      if (receiving == this && !full) {
        handler.resume(context);
      }
    }

    /** Called when the upload takes more again. */
    void resume() {
      full = false;
      if (pace == null || !pace.isWaiting()) {
        handler.resume(context);
      }
    }

    @Override
    public void abort() {
      upload.abort();
    }
  }

  private final class Listener implements BodyReceiver.Listener {
    private final ChannelHandlerContext context;
    private final FileStore store;
    private final FileRequest request;
    private final IncomingUpload begun;
    private final boolean first;
    private final Function<FileFacts, FullHttpResponse> response;

    Listener(
        ChannelHandlerContext context,
        FileStore store,
        FileRequest request,
        IncomingUpload begun,
        boolean first,
        Function<FileFacts, FullHttpResponse> response) {
      this.response = response;
      this.context = context;
      this.store = store;
      this.request = request;
      this.begun = begun;
      this.first = first;
    }

    @Override
    public void resume() {
      Offload.onLoop(context, this::resumeNow);
    }

    private void resumeNow() {
      if (receiving != null) {
        receiving.resume();
      }
    }

    @Override
    public void stored(FileFacts facts) {
      end(() -> handler.respond(context, response.apply(facts)));
    }

    @Override
    public void kept(long received) {
      end(() -> handler.respond(context, UploadResponses.appended(begun, received, first)));
    }

    @Override
    public void failed(Throwable failure) {
      end(() -> refuse(context, store, begun.path(), request, failure));
    }

    private void end(Runnable response) {
      Offload.onLoop(
          context,
          () -> {
            if (receiving != null) {
              receiving.count();
            }
            upload = null;
            receiving = null;
            handler.bodyEnded();
            response.run();
          });
    }
  }

  /** Returns whether received data is being written or checked. */
  boolean busy() {
    return upload != null && upload.busy();
  }

  /** Called when the connection is gone. */
  void gone() {
    upload = null;
    receiving = null;
  }
}
