package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.http.internal.Closing;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/**
 * The body of a {@code PUT} of a small file. The store is used only when all of it has arrived, and
 * then once: a larger one is begun, written and committed at different times, each on a worker.
 */
final class SmallUpload implements Exchange.Body {
  private final Exchange exchange;
  private final int length;

  /** What has arrived; null if nothing has, or if the store has it. */
  private @Nullable ByteBuf content;

  private HttpHeaders trailers = EmptyHttpHeaders.INSTANCE;

  SmallUpload(Exchange exchange) {
    this.exchange = exchange;
    this.length =
        Integer.parseInt(exchange.request().headers().get(HttpHeaderNames.CONTENT_LENGTH, "0"));
  }

  /**
   * Returns whether the body of a request is small, and its client neither waits for the begin of
   * the upload nor has a limited rate.
   */
  static boolean fits(Exchange exchange) {
    HttpRequest request = exchange.http();
    return HttpUtil.getContentLength(request, Long.MAX_VALUE) <= ConnectionHandler.SMALL
        && !HttpUtil.isTransferEncodingChunked(request)
        && !HttpUtil.is100ContinueExpected(request)
        && exchange.running().rateLimit() == null;
  }

  @Override
  public void trailers(HttpHeaders fields) {
    trailers = fields;
  }

  @Override
  public boolean receive(ByteBuf buffer, boolean last) {
    add(buffer);
    ByteBuf all = content;
    if (!last || all == null) {
      return true;
    }
    content = null;
    exchange.bodyEnded();
    exchange.running().bytes(all.readableBytes());
    exchange.step(() -> store(all), this::stored, Stored::close);
    return true;
  }

  private void add(ByteBuf buffer) {
    if (content == null && buffer.readableBytes() == length) {
      content = buffer;
      return;
    }
    // Copied, since each buffer may retain the bytes of a whole read.
    try {
      if (content == null) {
        content = exchange.context().alloc().directBuffer(length, length);
      }
      content.writeBytes(buffer);
    } finally {
      buffer.release();
    }
  }

  /**
   * A file that was written.
   *
   * @param facts null if it is not committed yet
   */
  private record Stored(IncomingUpload upload, @Nullable FileFacts facts) {
    void close() {
      Closing.quietly(upload);
    }
  }

  private Stored store(ByteBuf all) throws FerryException {
    IncomingUpload begun = null;
    try {
      begun = IncomingUpload.begin(exchange);
      FileSink sink = begun.sink();
      sink.write(all.nioBuffer());
      // A commit that waits for the disk is not for the event loop.
      return sink.commitsSlowly() && exchange.context().executor().inEventLoop()
          ? new Stored(begun, null)
          : commit(begun);
    } catch (FerryException e) {
      throw failed(begun, e);
    } catch (RuntimeException | Error e) {
      close(begun);
      throw e;
    } finally {
      all.release();
    }
  }

  private Stored commit(IncomingUpload begun) throws FerryException {
    Digest digest =
        begun.follows() == null ? begun.digest() : FileRequest.followingDigest(trailers);
    FileFacts facts = begun.sink().commit(begun.size(), digest);
    close(begun);
    return new Stored(begun, facts);
  }

  private void stored(Stored file) {
    FileFacts facts = file.facts();
    if (facts != null) {
      exchange.respond(UploadResponses.stored(facts, file.upload()));
      return;
    }
    exchange.offload(
        () -> {
          try {
            return commit(file.upload());
          } catch (FerryException e) {
            throw failed(file.upload(), e);
          } catch (RuntimeException | Error e) {
            file.close();
            throw e;
          }
        },
        this::stored,
        Stored::close);
  }

  /** Returns the failure of the upload, which has left nothing. */
  private FerryException failed(@Nullable IncomingUpload begun, FerryException failure)
      throws FerryException {
    close(begun);
    UploadRequests.requireNone(exchange, exchange.path(), failure);
    return failure;
  }

  private static void close(@Nullable IncomingUpload begun) {
    if (begun != null) {
      Closing.quietly(begun);
    }
  }

  @Override
  public void abort() {
    if (content != null) {
      content.release();
      content = null;
    }
  }
}
