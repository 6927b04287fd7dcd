package dev.ferry.http.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.http.Closing;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of HTTP/1.1, or one stream of HTTP/2: takes a request at a time, asks the store on
 * a worker, answers.
 *
 * <p>The socket is read only while something waits for what it brings: the next head, a body that
 * is stored, a body that is thrown away. A {@link io.netty.handler.flow.FlowControlHandler} before
 * this one keeps what a read brought beyond that. State is the event loop's alone.
 */
final class FilesHandler extends ChannelInboundHandlerAdapter {
  /** Told to every connection when the server stops. */
  static final Object SERVER_CLOSES = new Object();

  private static final Logger LOG = LoggerFactory.getLogger(FilesHandler.class);

  /** How long a client may go on sending a body that was refused, to come to read the refusal. */
  private static final int LINGER_SECONDS = 30;

  /** Read and sent at once where a file is not compressed. */
  private static final int PIECE_BYTES = 256 * 1024;

  private final FileStore store;
  private final Executor workers;
  private final int bufferSize;

  private @Nullable Upload upload;
  private boolean responding;
  private boolean bodyRead = true;
  private boolean keepAlive = true;
  private boolean head;
  private int working;

  FilesHandler(FileStore store, Executor workers, int bufferSize) {
    this.store = store;
    this.workers = workers;
    this.bufferSize = bufferSize;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request) {
      begin(context, request);
    } else if (message instanceof HttpContent content) {
      receive(context, content);
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    context.channel().config().setAutoRead(false);
    responding = true;
    keepAlive &= HttpUtil.isKeepAlive(request);
    head = request.method().equals(HttpMethod.HEAD);
    if (request.decoderResult().isFailure()) {
      // Where the next request begins nobody knows.
      bodyRead = true;
      keepAlive = false;
      String why = String.valueOf(request.decoderResult().cause().getMessage());
      refuse(
          context, new FerryException(ErrorKind.INVALID_REQUEST, "malformed HTTP request: " + why));
      return;
    }
    bodyRead =
        !HttpUtil.isTransferEncodingChunked(request) && HttpUtil.getContentLength(request, 0L) == 0;
    try {
      route(context, request, FileRequest.of(request));
    } catch (FerryException e) {
      refuse(context, e);
    }
  }

  private void route(ChannelHandlerContext context, HttpRequest http, FileRequest request)
      throws FerryException {
    StorePath path = request.fileOrDirectory();
    HttpMethod method = http.method();
    if (head) {
      boolean gzip = request.acceptsGzip();
      offload(
          context,
          () -> store.stat(path, request.wantsDigest()),
          facts -> answerHead(context, Responses.head(facts, gzip)),
          facts -> {});
    } else if (method.equals(HttpMethod.GET) && request.namesDirectory()) {
      offload(
          context,
          () -> store.list(path),
          entries -> answer(context, Responses.list(entries)),
          entries -> {});
    } else if (method.equals(HttpMethod.GET)) {
      boolean gzip = request.acceptsGzip();
      offload(
          context, () -> store.open(path), file -> download(context, file, gzip), Closing::quietly);
    } else if (method.equals(HttpMethod.PUT)) {
      beginUpload(context, HttpUtil.is100ContinueExpected(http), request);
    } else {
      answer(context, Responses.methodNotAllowed(method, request));
    }
  }

  private void answerHead(ChannelHandlerContext context, HttpResponse response) {
    connection(response);
    context.write(response, context.voidPromise());
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(f -> responded(context, ((ChannelFuture) f).cause()));
  }

  private void download(ChannelHandlerContext context, FileSource file, boolean gzip) {
    Download.Listener listener =
        new Download.Listener() {
          @Override
          public void sent() {
            responded(context, null);
          }

          @Override
          public void failed(Throwable failure) {
            // Cutting the connection is the one way to say that a body is not whole.
            LOG.debug("download cut: {}", failure.toString());
            context.close();
          }
        };
    HttpResponse response = Responses.head(file.facts(), gzip);
    connection(response);
    context.write(response, context.voidPromise());
    // HTTP/2 has frames, which sendfile knows nothing of.
    Download download =
        gzip || context.channel() instanceof Http2StreamChannel
            ? new PieceDownload(
                context, file, gzip, gzip ? bufferSize : PIECE_BYTES, workers, listener)
            : new PlainDownload(context, file, listener);
    download.start();
  }

  private record Begun(FileSink sink, boolean created) implements Closeable {
    @Override
    public void close() throws IOException {
      sink.close();
    }
  }

  private void beginUpload(
      ChannelHandlerContext context, boolean expectContinue, FileRequest request)
      throws FerryException {
    StorePath path = request.file();
    boolean gzip = FileRequest.isGzip(request.coding());
    if (!gzip && !HttpHeaderValues.IDENTITY.contentEquals(request.coding())) {
      keepAlive &= bodyRead;
      answer(context, Responses.codingNotSupported(request.coding()));
      return;
    }
    long size = request.length();
    Sha256 digest = request.digest();
    offload(
        context,
        () -> {
          boolean created = !store.exists(path);
          return new Begun(store.create(path, request.createOnly()), created);
        },
        begun -> {
          upload =
              new Upload(
                  begun.sink(),
                  path.value(),
                  gzip,
                  size,
                  digest,
                  workers,
                  new UploadListener(context, begun.created()));
          if (expectContinue) {
            context.writeAndFlush(Responses.empty(HttpResponseStatus.CONTINUE));
          }
          context.channel().config().setAutoRead(true);
        },
        Closing::quietly);
  }

  private final class UploadListener implements Upload.Listener {
    private final ChannelHandlerContext context;
    private final boolean created;

    UploadListener(ChannelHandlerContext context, boolean created) {
      this.context = context;
      this.created = created;
    }

    @Override
    public void resume() {
      Offload.onLoop(
          context,
          () -> {
            if (upload != null) {
              context.channel().config().setAutoRead(true);
            }
          });
    }

    @Override
    public void stored(FileFacts facts) {
      Offload.onLoop(
          context,
          () -> {
            upload = null;
            answer(context, Responses.stored(facts, created));
          });
    }

    @Override
    public void failed(Throwable failure) {
      Offload.onLoop(
          context,
          () -> {
            upload = null;
            refuse(context, failure);
          });
    }
  }

  private void receive(ChannelHandlerContext context, HttpContent content) {
    boolean last = content instanceof LastHttpContent;
    bodyRead |= last;
    Upload current = upload;
    if (content.decoderResult().isFailure() && current != null) {
      content.release();
      bodyRead = true;
      keepAlive = false;
      upload = null;
      current.abort();
      String why = String.valueOf(content.decoderResult().cause().getMessage());
      refuse(context, new FerryException(ErrorKind.INVALID_REQUEST, "malformed body: " + why));
    } else if (current != null) {
      if (!current.receive(content.content(), last) || last) {
        context.channel().config().setAutoRead(false);
      }
    } else {
      content.release();
      if (last && !responding && !keepAlive) {
        context.close();
      }
    }
  }

  /** Answers with the problem that a failure is. */
  private void refuse(ChannelHandlerContext context, Throwable failure) {
    FerryException problem = Responses.problemOf(failure);
    if (problem.kind() == ErrorKind.INTERNAL) {
      LOG.warn("request failed", failure);
    }
    keepAlive &= bodyRead;
    answer(context, Responses.problem(problem.kind(), String.valueOf(problem.getMessage())));
  }

  private void answer(ChannelHandlerContext context, FullHttpResponse response) {
    connection(response);
    context
        .writeAndFlush(response)
        .addListener(f -> responded(context, ((ChannelFuture) f).cause()));
  }

  private void connection(HttpResponse response) {
    HttpUtil.setKeepAlive(response, keepAlive);
  }

  /** A response has left: now the rest of the request may come, and the next one. */
  private void responded(ChannelHandlerContext context, @Nullable Throwable failure) {
    responding = false;
    if (failure != null || (!keepAlive && bodyRead)) {
      context.close();
      return;
    }
    if (!keepAlive) {
      context.executor().schedule(() -> context.close(), LINGER_SECONDS, TimeUnit.SECONDS);
    }
    context.channel().config().setAutoRead(true);
  }

  private <T> void offload(
      ChannelHandlerContext context, Offload.Work<T> work, Consumer<T> then, Consumer<T> discard) {
    working++;
    Offload.run(
        workers,
        context,
        work,
        result -> {
          working--;
          then.accept(result);
        },
        discard,
        failure -> {
          working--;
          refuse(context, failure);
        });
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event == SERVER_CLOSES) {
      context.executor().execute(() -> closeWhenAnswered(context));
    } else if (event instanceof IdleStateEvent && !busy()) {
      context.close();
    }
  }

  /** Whether the client waits for the store, and not the other way round. */
  boolean busy() {
    return working > 0 || (upload != null && upload.busy());
  }

  /** Whether neither a request is read nor an answer under way. */
  boolean idle() {
    return !responding && bodyRead;
  }

  private void closeWhenAnswered(ChannelHandlerContext context) {
    keepAlive = false;
    if (!responding) {
      context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Upload current = upload;
    upload = null;
    if (current != null) {
      current.abort();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("connection lost: {}", cause.toString());
    } else {
      LOG.warn("connection closed after an unexpected failure", cause);
    }
    context.close();
  }
}
