package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.upload.UploadId;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.page.FormSink;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The requests of a connection that store files, and those about uploads. */
final class UploadRequests {
  private final FilesHandler handler;
  private @Nullable UploadBody receiving;

  UploadRequests(FilesHandler handler) {
    this.handler = handler;
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
  void handle(
      ChannelHandlerContext context, FileOperations files, HttpRequest http, FileRequest request)
      throws FerryException {
    FileStore store = files.store();
    UploadId id = HttpRoutes.uploadId(request.rawPath());
    HttpMethod method = http.method();
    if (method.equals(HttpMethod.HEAD)) {
      handler.answer(context, () -> UploadResponses.status(store.upload(id)));
    } else if (method.equals(HttpMethod.DELETE)) {
      handler.answer(
          context,
          () -> {
            store.cancelUpload(id);
            return Responses.empty(HttpResponseStatus.NO_CONTENT);
          });
    } else if (method.equals(HttpMethod.PATCH)) {
      handler.offload(
          context,
          () -> IncomingUpload.append(files, id, request),
          begun -> receive(context, http, files, request, begun, false),
          Closing::quietly);
    } else {
      handler.respond(context, UploadResponses.methodNotAllowed(method, request));
    }
  }

  /** Handles a request that {@link #stores}. */
  void begin(
      ChannelHandlerContext context, FileOperations files, HttpRequest http, FileRequest request)
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
    if (!continuable && !gzip && SmallUpload.fits(http, files)) {
      handler.receiveBody(context, http, new SmallUpload(handler, context, files, path, request));
      return;
    }
    handler.offload(
        context,
        () -> {
          try {
            return IncomingUpload.begin(files, path, request);
          } catch (FerryException e) {
            requireNone(files, path, request, e);
            throw e;
          }
        },
        begun -> receive(context, http, files, request, begun, gzip),
        Closing::quietly);
  }

  /** Handles a form whose files are stored in a folder. */
  void form(
      ChannelHandlerContext context,
      FileOperations files,
      HttpRequest http,
      FileRequest request,
      StorePath folder)
      throws FerryException {
    FormSink form =
        new FormSink(files.store(), folder, http.headers().get(HttpHeaderNames.CONTENT_TYPE, ""));
    IncomingUpload begun = new IncomingUpload(form, folder, true, true, -1, null, null, null);
    receive(
        context,
        http,
        files,
        request,
        begun,
        false,
        facts -> {
          if (form.stored().size() == 1) {
            files.request().path(form.stored().get(0));
          }
          return PageRequests.stored(form.stored(), folder, http);
        });
  }

  /**
   * Throws the refusal of a request whose {@code If-None-Match: *} is false (RFC 9110, 13.1.2),
   * because its file exists. A file in place of a parent directory is no reason for that.
   *
   * @param failure why the file cannot be stored
   */
  static void requireNone(
      FileOperations files, StorePath path, FileRequest request, FerryException failure)
      throws FerryException {
    if (failure.kind() == ErrorKind.ALREADY_EXISTS
        && Conditions.createsOnly(request.headers())
        && files.store().exists(path)) {
      throw new RefusedException(Responses.preconditionFailed(failure));
    }
  }

  private void receive(
      ChannelHandlerContext context,
      HttpRequest http,
      FileOperations files,
      FileRequest fields,
      IncomingUpload begun,
      boolean gzip) {
    Function<FileFacts, FullHttpResponse> response = facts -> UploadResponses.stored(facts, begun);
    receive(context, http, files, fields, begun, gzip, response);
  }

  /** Receives a body, after which the upload responds with what it is given. */
  private void receive(
      ChannelHandlerContext context,
      HttpRequest http,
      FileOperations files,
      FileRequest fields,
      IncomingUpload begun,
      boolean gzip,
      Function<FileFacts, FullHttpResponse> response) {
    files.request().path(begun.path().value());
    UploadBody body = new UploadBody(context, files, fields, begun, gzip, response);
    receiving = body;
    String version = new UploadFields(fields.headers()).version();
    if (begun.first() && version != null && begun.part() != null) {
      context.writeAndFlush(UploadResponses.supported(begun, version, handler.rules().basePath()));
    }
    handler.expectBody(context, http, body);
    body.begin();
  }

  /** Passes the body of a request to its upload, at the pace of its caller, and responds. */
  private final class UploadBody implements RequestHandler.Body, BodyReceiver.Listener {
    private final ChannelHandlerContext context;
    private final FileOperations files;
    private final FileRequest request;
    private final IncomingUpload begun;
    private final BodyReceiver upload;
    private final boolean gzip;
    private final Function<FileFacts, FullHttpResponse> response;
    private final @Nullable Pace pace;
    private long arrived;

    /** Whether the upload takes no more now. */
    private boolean full;

    UploadBody(
        ChannelHandlerContext context,
        FileOperations files,
        FileRequest request,
        IncomingUpload begun,
        boolean gzip,
        Function<FileFacts, FullHttpResponse> response) {
      this.context = context;
      this.files = files;
      this.request = request;
      this.begun = begun;
      this.gzip = gzip;
      this.response = response;
      this.pace = handler.paced(context.executor());
      BodyReceiver receiver =
          new BodyReceiver(
              begun.sink(),
              begun.path().value(),
              gzip,
              begun.size(),
              begun.digest(),
              files.workers(),
              this);
      this.upload = begun.ends() ? receiver : receiver.keeping();
    }

    void begin() {
      if (mayGoOn()) {
        handler.resume(context);
      }
    }

    @Override
    public void trailers(HttpHeaders fields) {
      if (begun.follows() != null) {
        upload.follow(() -> FileRequest.followingDigest(fields));
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
      files.request().bytes(bytes);
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

    @Override
    public void resume() {
      Offload.onLoop(context, this::resumeNow);
    }

    private void resumeNow() {
      full = false;
      if (receiving == this && (pace == null || !pace.isWaiting())) {
        handler.resume(context);
      }
    }

    @Override
    public void abort() {
      upload.abort();
    }

    @Override
    public void stored(FileFacts facts) {
      end(() -> handler.respond(context, response.apply(facts)));
    }

    @Override
    public void kept(long received) {
      end(() -> handler.respond(context, UploadResponses.appended(begun, received)));
    }

    @Override
    public void failed(Throwable failure) {
      Throwable told = failure;
      try {
        if (failure instanceof FerryException e) {
          requireNone(files, begun.path(), request, e);
        }
      } catch (FerryException | RefusedException e) {
        told = e;
      }
      Throwable why = told;
      end(() -> handler.refuse(context, why));
    }

    private void end(Runnable response) {
      Offload.onLoop(
          context,
          () -> {
            if (receiving == this) {
              count();
            }
            receiving = null;
            handler.bodyEnded();
            response.run();
          });
    }
  }

  /** Returns whether received data is being written or checked. */
  boolean busy() {
    return receiving != null && receiving.upload.busy();
  }

  /** Called when the connection is gone. */
  void gone() {
    receiving = null;
  }
}
