package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.upload.UploadId;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.page.FormSink;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores files, at once or by uploads that can be continued, and says what has arrived of these.
 */
final class UploadRequests {
  private UploadRequests() {}

  private static UploadId id(Exchange exchange) throws FerryException {
    return HttpRoutes.uploadId(exchange.request().rawPath());
  }

  /** Responds with what has arrived of an upload. */
  static void status(Exchange exchange) throws FerryException {
    UploadId id = id(exchange);
    exchange.answer(() -> UploadResponses.status(exchange.store().upload(id)));
  }

  /** Discards an upload. */
  static void cancel(Exchange exchange) throws FerryException {
    UploadId id = id(exchange);
    exchange.answer(
        () -> {
          exchange.store().cancelUpload(id);
          return Responses.empty(HttpResponseStatus.NO_CONTENT);
        });
  }

  /** Receives the rest of a file, or a part of it. */
  static void append(Exchange exchange) throws FerryException {
    UploadId id = id(exchange);
    exchange.offload(
        () -> IncomingUpload.append(exchange, id),
        begun -> receive(exchange, begun, false),
        Closing::quietly);
  }

  /** Receives a file, or the first part of one. */
  static void begin(Exchange exchange) throws FerryException {
    FileRequest request = exchange.request();
    boolean gzip = FileRequest.isGzip(request.coding());
    boolean continuable = new UploadFields(request.headers()).begins();
    boolean identity = HttpHeaderValues.IDENTITY.contentEquals(request.coding());
    if (!identity && (continuable || !gzip)) {
      exchange.respondEarly(
          continuable
              ? UploadResponses.coded(request.coding())
              : Responses.codingNotSupported(request.coding()));
      return;
    }
    StorePath path = request.file();
    if (!continuable && !gzip && SmallUpload.fits(exchange)) {
      SmallUpload.receive(exchange);
      return;
    }
    exchange.offload(
        () -> {
          try {
            return IncomingUpload.begin(exchange);
          } catch (FerryException e) {
            requireNone(exchange, path, e);
            throw e;
          }
        },
        begun -> receive(exchange, begun, gzip),
        Closing::quietly);
  }

  /** Receives a form whose files are stored in a folder. */
  static void form(Exchange exchange) throws FerryException {
    StorePath folder = exchange.path();
    String type = exchange.request().headers().get(HttpHeaderNames.CONTENT_TYPE, "");
    FormSink form = new FormSink(exchange.store(), folder, type);
    IncomingUpload begun = IncomingUpload.ofForm(form, folder);
    receive(
        exchange,
        begun,
        false,
        facts -> {
          if (form.stored().size() == 1) {
            exchange.running().path(form.stored().get(0));
          }
          return PageRequests.stored(form.stored(), exchange);
        });
  }

  /**
   * Throws the refusal of a request whose {@code If-None-Match: *} is false (RFC 9110, 13.1.2),
   * because its file exists. A file in place of a parent directory is no reason for that.
   *
   * @param failure why the file cannot be stored
   */
  static void requireNone(Exchange exchange, StorePath path, FerryException failure)
      throws FerryException {
    if (failure.kind() == ErrorKind.ALREADY_EXISTS
        && Conditions.createsOnly(exchange.request().headers())
        && exchange.store().exists(path)) {
      throw new RefusedException(Responses.preconditionFailed(failure));
    }
  }

  private static void receive(Exchange exchange, IncomingUpload begun, boolean gzip) {
    receive(exchange, begun, gzip, facts -> UploadResponses.stored(facts, begun));
  }

  /** Receives a body, after which the upload responds with what it is given. */
  private static void receive(
      Exchange exchange,
      IncomingUpload begun,
      boolean gzip,
      Function<FileFacts, FullHttpResponse> response) {
    exchange.running().path(begun.path().value());
    UploadBody body = new UploadBody(exchange, begun, gzip, response);
    exchange.goesOnWith(body);
    String version = new UploadFields(exchange.request().headers()).version();
    if (begun.first() && version != null && begun.part() != null) {
      exchange.context().writeAndFlush(UploadResponses.supported(begun, version, exchange.base()));
    }
    exchange.expect(body);
    body.begin();
  }

  /** Passes the body of a request to its upload, at the pace of its caller, and responds. */
  private static final class UploadBody
      implements Exchange.Body, BodyReceiver.Listener, Exchange.Work {
    private final Exchange exchange;
    private final IncomingUpload begun;
    private final BodyReceiver upload;
    private final boolean gzip;
    private final Function<FileFacts, FullHttpResponse> response;
    private final @Nullable Pace pace;
    private long arrived;

    /** Whether the upload takes no more now. */
    private boolean full;

    /** Whether nothing more is to be received: it has ended, or the connection is gone. */
    private boolean ended;

    UploadBody(
        Exchange exchange,
        IncomingUpload begun,
        boolean gzip,
        Function<FileFacts, FullHttpResponse> response) {
      this.exchange = exchange;
      this.begun = begun;
      this.gzip = gzip;
      this.response = response;
      this.pace = exchange.paced();
      BodyReceiver receiver =
          new BodyReceiver(
              begun.sink(),
              begun.path().value(),
              gzip,
              begun.size(),
              begun.digest(),
              exchange.files().workers(),
              this);
      this.upload = begun.ends() ? receiver : receiver.keeping();
    }

    void begin() {
      if (mayGoOn()) {
        exchange.resume();
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
      exchange.running().bytes(bytes);
      if (pace != null) {
        pace.moved(bytes);
      }
    }

    private boolean mayGoOn() {
      return pace == null || pace.mayGoOn(this::resumeUnlessFull);
    }

    private void resumeUnlessFull() {
      if (!ended && !full) {
        exchange.resume();
      }
    }

    @Override
    public void resume() {
      Offload.onLoop(exchange.context(), this::resumeNow);
    }

    private void resumeNow() {
      full = false;
      if (!ended && (pace == null || !pace.isWaiting())) {
        exchange.resume();
      }
    }

    @Override
    public void abort() {
      upload.abort();
    }

    @Override
    public void stored(FileFacts facts) {
      end(() -> exchange.respond(response.apply(facts)));
    }

    @Override
    public void kept(long received) {
      end(() -> exchange.respond(UploadResponses.appended(begun, received)));
    }

    @Override
    public void failed(Throwable failure) {
      Throwable told = failure;
      try {
        if (failure instanceof FerryException e) {
          requireNone(exchange, begun.path(), e);
        }
      } catch (FerryException | RefusedException e) {
        told = e;
      }
      Throwable why = told;
      end(() -> exchange.refuse(why));
    }

    private void end(Runnable response) {
      Offload.onLoop(
          exchange.context(),
          () -> {
            if (!ended) {
              count();
            }
            ended = true;
            exchange.goesOnWith(null);
            exchange.bodyEnded();
            response.run();
          });
    }

    /** Returns whether received data is being written or checked. */
    @Override
    public boolean busy() {
      return upload.busy();
    }

    @Override
    public void gone() {
      ended = true;
    }

    @Override
    public void over() {
      ended = true;
    }
  }
}
