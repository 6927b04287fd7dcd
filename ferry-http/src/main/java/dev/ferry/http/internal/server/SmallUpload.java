package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.http.internal.Closing;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/**
 * A {@code PUT} of a small file. The store is used only when all of the body has arrived, and then
 * once: a larger file is begun, written and committed at different times, each on a worker.
 */
final class SmallUpload {
  private SmallUpload() {}

  /** Receives a file that {@link #fits}. */
  static void receive(Exchange exchange) {
    int length = (int) HttpUtil.getContentLength(exchange.http(), 0L);
    exchange.receive(new SmallBody(exchange, length, SmallUpload::tooLong, SmallUpload::store));
  }

  private static FerryException tooLong() {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, "the body is longer than its Content-Length");
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

  private static void store(Exchange exchange, ByteBuf body, HttpHeaders trailers) {
    exchange.running().bytes(body.readableBytes());
    exchange.step(
        () -> stored(exchange, body, trailers),
        file -> respond(exchange, trailers, file),
        Stored::close);
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

  private static Stored stored(Exchange exchange, ByteBuf body, HttpHeaders trailers)
      throws FerryException {
    IncomingUpload begun = null;
    try {
      begun = IncomingUpload.begin(exchange);
      FileSink sink = begun.sink();
      sink.write(body.nioBuffer());
      // A commit that waits for the disk is not for the event loop.
      return sink.commitsSlowly() && exchange.context().executor().inEventLoop()
          ? new Stored(begun, null)
          : commit(begun, trailers);
    } catch (FerryException e) {
      throw failed(exchange, begun, e);
    } catch (RuntimeException | Error e) {
      close(begun);
      throw e;
    } finally {
      body.release();
    }
  }

  private static Stored commit(IncomingUpload begun, HttpHeaders trailers) throws FerryException {
    Digest digest =
        begun.follows() == null ? begun.digest() : FileRequest.followingDigest(trailers);
    FileFacts facts = begun.sink().commit(begun.size(), digest);
    close(begun);
    return new Stored(begun, facts);
  }

  private static void respond(Exchange exchange, HttpHeaders trailers, Stored file) {
    FileFacts facts = file.facts();
    if (facts != null) {
      exchange.respond(UploadResponses.stored(facts, file.upload()));
      return;
    }
    exchange.offload(
        () -> {
          try {
            return commit(file.upload(), trailers);
          } catch (FerryException e) {
            throw failed(exchange, file.upload(), e);
          } catch (RuntimeException | Error e) {
            file.close();
            throw e;
          }
        },
        committed -> respond(exchange, trailers, committed),
        Stored::close);
  }

  /** Returns the failure of the upload, which has left nothing. */
  private static FerryException failed(
      Exchange exchange, @Nullable IncomingUpload begun, FerryException failure)
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
}
