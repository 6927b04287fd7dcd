package dev.ferry.suites.rival.blocks;

import dev.ferry.contract.Errors;
import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of the {@link BlockHttpServer}. State is the event loop's alone. */
final class BlockHttpHandler extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(BlockHttpHandler.class);

  private final FileStore store;
  private final BlockWorkers workers;
  private final int chunkBytes;
  private @Nullable Download download;
  private @Nullable Upload upload;

  BlockHttpHandler(FileStore store, BlockWorkers workers, int chunkBytes) {
    this.store = store;
    this.workers = workers;
    this.chunkBytes = chunkBytes;
  }

  private record Download(FileSource source, BlockCompression compressing) {
    void close() {
      compressing.close();
      try {
        source.close();
      } catch (FerryException e) {
        LOG.warn("cannot close: {}", e.getMessage());
      }
    }
  }

  private record Upload(FileSink sink, BlockReceiver receiver) {
    void close() {
      receiver.close();
      try {
        sink.close();
      } catch (FerryException e) {
        LOG.warn("cannot clean up: {}", e.getMessage());
      }
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
    if (message.decoderResult().isFailure()) {
      LOG.debug("malformed HTTP: {}", message.decoderResult().cause().toString());
      context.close();
      return;
    }
    if (message instanceof HttpRequest request) {
      begin(context, request);
    }
    if (message instanceof HttpContent content && upload != null) {
      BlockReceiver receiver = upload.receiver();
      if (!receiver.receive(content.content().retain())) {
        context.channel().config().setAutoRead(false);
      }
      if (content instanceof LastHttpContent) {
        receiver.end();
      }
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    if (download != null || upload != null) {
      // Our client waits for a response before its next request.
      context.close();
      return;
    }
    try {
      StorePath path = HttpRoutes.storePath(request.uri());
      if (request.method().equals(HttpMethod.GET)) {
        requireBlocks(request, HttpHeaderNames.ACCEPT_ENCODING);
        beginDownload(context, path);
      } else if (request.method().equals(HttpMethod.PUT)) {
        requireBlocks(request, HttpHeaderNames.CONTENT_ENCODING);
        beginUpload(context, path, request);
      } else {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST, request.method() + ": there is GET and PUT");
      }
    } catch (FerryException e) {
      refuse(context, e);
    }
  }

  private static void requireBlocks(HttpRequest request, CharSequence field) throws FerryException {
    if (!BlockFormat.ENCODING.equals(request.headers().get(field))) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          field + " must be " + BlockFormat.ENCODING + ": there is nothing else here");
    }
  }

  private void beginDownload(ChannelHandlerContext context, StorePath path) throws FerryException {
    FileSource source = store.open(path);
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    HttpUtil.setTransferEncodingChunked(response, true);
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_OCTET_STREAM)
        .set(HttpHeaderNames.CONTENT_ENCODING, BlockFormat.ENCODING)
        .set(HttpRoutes.UNENCODED_LENGTH, source.facts().size());
    context.write(response, context.voidPromise());
    download =
        new Download(
            source,
            new BlockCompression(
                source,
                chunkBytes,
                workers,
                n -> workers.allocator().directBuffer(n, n),
                () -> onLoop(context, () -> send(context))));
    send(context);
  }

  /** Sends compressed blocks while the channel is writable. */
  private void send(ChannelHandlerContext context) {
    Download current = download;
    if (current == null) {
      return;
    }
    try {
      while (!current.compressing().ended() && context.channel().isWritable()) {
        ByteBuf block = current.compressing().next();
        if (block == null) {
          break;
        }
        context.write(new DefaultHttpContent(block), context.voidPromise());
      }
      if (current.compressing().ended()) {
        download = null;
        current.close();
        context.write(LastHttpContent.EMPTY_LAST_CONTENT, context.voidPromise());
      }
      context.flush();
    } catch (FerryException | RuntimeException e) {
      // Cutting the connection is the one way to say that a body is not whole.
      LOG.debug("download cut: {}", e.toString());
      context.close();
    }
  }

  private void beginUpload(ChannelHandlerContext context, StorePath path, HttpRequest request)
      throws FerryException {
    long size = announcedSize(request.headers().get(HttpRoutes.UNENCODED_LENGTH));
    FileSink sink = store.create(path, CreateOptions.DEFAULT);
    BlockReceiver.Listener listener =
        new BlockReceiver.Listener() {
          @Override
          public void resume() {
            onLoop(context, () -> context.channel().config().setAutoRead(true));
          }

          @Override
          public void written() {
            try {
              FileFacts facts = sink.commit(size, null);
              onLoop(context, () -> stored(context, facts));
            } catch (FerryException e) {
              failed(e);
            }
          }

          @Override
          public void failed(FerryException failure) {
            onLoop(context, () -> endUpload(context, failure));
          }
        };
    upload = new Upload(sink, new BlockReceiver(path.value(), sink, workers, listener));
  }

  private static long announcedSize(@Nullable String field) throws FerryException {
    try {
      return field == null ? -1 : Long.parseLong(field);
    } catch (NumberFormatException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, HttpRoutes.UNENCODED_LENGTH + ": " + field, e);
    }
  }

  private void stored(ChannelHandlerContext context, FileFacts facts) {
    closeUpload();
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER);
    response
        .headers()
        .set(HttpRoutes.UNENCODED_LENGTH, facts.size())
        .set(HttpRoutes.LAST_MODIFIED, facts.lastModified());
    HttpUtil.setContentLength(response, 0);
    context.writeAndFlush(response, context.voidPromise());
  }

  /** The rest of the body is read and discarded, so that the client reads the response. */
  private void endUpload(ChannelHandlerContext context, FerryException failure) {
    closeUpload();
    context.channel().config().setAutoRead(true);
    refuse(context, failure);
  }

  private void closeUpload() {
    Upload current = upload;
    upload = null;
    if (current != null) {
      current.close();
    }
  }

  private static void refuse(ChannelHandlerContext context, FerryException failure) {
    ByteBuf text =
        Unpooled.copiedBuffer(String.valueOf(failure.getMessage()), StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(Errors.httpStatus(failure.kind())),
            text);
    HttpUtil.setContentLength(response, text.readableBytes());
    response.headers().set(HttpRoutes.ERROR, Errors.problemType(failure.kind()));
    context.writeAndFlush(response, context.voidPromise());
  }

  /**
   * Runs a task on the event loop, unless that ended with the server: its socket is closed then.
   */
  private static void onLoop(ChannelHandlerContext context, Runnable task) {
    try {
      context.executor().execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the server has closed: {}", e.toString());
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    // Later: this may come from within a write, between the parts of an HTTP chunk.
    if (download != null && context.channel().isWritable()) {
      onLoop(context, () -> send(context));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    closeUpload();
    Download current = download;
    download = null;
    if (current != null) {
      current.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("connection lost: {}", cause.toString());
    context.close();
  }
}
