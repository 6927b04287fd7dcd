package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.contract.ByteRange;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends files, and what is known of a file or directory. */
final class FileDownloads {
  private static final Logger LOG = LoggerFactory.getLogger(FileDownloads.class);

  /** Bytes to read and send at once for a file that is not compressed. */
  static final int BUFFER_BYTES = 256 * 1024;

  /**
   * Most bytes of a file that is read for its digest while it is sent. A larger one is sent with
   * sendfile, and its client asks for the digest, which is another round trip.
   */
  private static final int FOLLOWED_BYTES = 1024 * 1024;

  private FileDownloads() {}

  /** Responds to the {@code HEAD} of a file or directory. */
  static void head(Exchange exchange) {
    Retries.Call<Head> head = () -> Head.of(exchange);
    if (exchange.request().wantedDigest() == null) {
      exchange.step(head, made -> made.respond(exchange), Head::discard);
    } else {
      // The whole file may have to be read.
      exchange.offload(head, made -> made.respond(exchange), Head::discard);
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
    static Head of(Exchange exchange) throws FerryException {
      FileOperations files = exchange.files();
      FileRequest request = exchange.request();
      StorePath path = exchange.path();
      Digest.Algorithm wanted = request.wantedDigest();
      FileFacts stated = files.stat(path);
      FileFacts known = request.readsNow() ? stated.withoutDigests() : stated;
      CompletableFuture<FileFacts> facts = CompletableFuture.completedFuture(known);
      if (known.directory() && !request.namesDirectory()) {
        String uri = FileRequest.directoryUri(path, exchange.http());
        return new Head(facts, directory -> Responses.moved(Responses.head(directory, false), uri));
      }
      boolean gzip =
          request.acceptsGzip() && !known.directory() && isCompressed(files.store(), path);
      if (!known.directory() && Conditions.notModified(request.headers(), known, gzip)) {
        return new Head(facts, file -> Responses.notModified(file, gzip));
      }
      return new Head(
          wanted == null ? facts : files.withDigest(path, known, wanted, request.readsNow()),
          file -> Responses.head(stated(file, wanted), gzip));
    }

    /** Responds now, or when the digest is known. */
    void respond(Exchange exchange) {
      if (facts.isDone() && !facts.isCompletedExceptionally()) {
        exchange.sendHead(response.apply(facts.join()));
      } else {
        exchange.await(facts, known -> exchange.sendHead(response.apply(known)));
      }
    }

    void discard() {
      facts.cancel(false);
    }
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

  /** Responds to the {@code GET} of a file. */
  static void get(Exchange exchange) {
    OpenedFile.Reading reading =
        exchange.running().rateLimit() == null
            ? new OpenedFile.Reading(
                exchange.context().alloc(),
                !canSendFile(exchange) && exchange.request().acceptsTrailers())
            : null;
    exchange.step(
        () -> OpenedFile.open(exchange, reading),
        opened -> respond(exchange, opened),
        OpenedFile::discard);
  }

  private static void respond(Exchange exchange, OpenedFile opened) {
    FileRequest request = exchange.request();
    FileSource file = opened.file();
    FileFacts facts = opened.facts();
    ByteRange range = opened.range();
    Digest.Algorithm wanted = request.wantedDigest();
    HttpResponse head = head(stated(facts, wanted), opened);
    ByteBuf content = opened.content();
    if (content != null) {
      FullHttpResponse whole =
          new DefaultFullHttpResponse(
              head.protocolVersion(),
              head.status(),
              content,
              head.headers(),
              EmptyHttpHeaders.INSTANCE);
      exchange.send(whole, content.readableBytes());
      return;
    }
    // A client that sends many requests at once gets the digest of a small file behind it.
    boolean follows =
        wanted != null
            && range == null
            && facts.digest(wanted) == null
            && facts.size() <= FOLLOWED_BYTES
            && request.acceptsTrailers();
    boolean buffered = opened.gzip() || file.channel() == null || follows || !canSendFile(exchange);
    Digest.Algorithm trailing = null;
    if (wanted != null && range == null && facts.digest(wanted) == null) {
      if (!buffered) {
        computeDigest(exchange, facts, wanted);
      } else {
        file.computeWhileReading(wanted);
        if (request.acceptsTrailers()) {
          trailing = wanted;
          Responses.digestFollows(head, facts, exchange.isHttp2());
        }
      }
    }
    send(exchange, head, opened, buffered, trailing);
  }

  private static void send(
      Exchange exchange,
      HttpResponse head,
      OpenedFile opened,
      boolean buffered,
      Digest.@Nullable Algorithm trailing) {
    if (!buffered) {
      exchange.sendFile(head, opened);
      return;
    }
    FileSource file = opened.file();
    ByteRange part = opened.part();
    Progress progress = exchange.files().progress(part.first());
    if (opened.gzip()) {
      int size = exchange.port().bufferSize();
      exchange.send(head, FileBody.closing(file, true, size, trailing, progress), size, true);
    } else {
      exchange.send(
          head,
          FileBody.part(file, part.first(), part.length(), trailing, progress),
          BUFFER_BYTES,
          true);
    }
  }

  private static HttpResponse head(FileFacts stated, OpenedFile opened) {
    ByteRange range = opened.range();
    return range == null ? Responses.head(stated, opened.gzip()) : Responses.part(stated, range);
  }

  /** A client that wants a digest does not get another one instead. */
  private static FileFacts stated(FileFacts facts, Digest.@Nullable Algorithm wanted) {
    return wanted == null ? facts : facts.withoutDigests().withDigest(facts.digest(wanted));
  }

  /** Computes a digest while the file is sent, for the HEAD request that follows. */
  private static void computeDigest(
      Exchange exchange, FileFacts known, Digest.Algorithm algorithm) {
    FileOperations files = exchange.files();
    StorePath path = exchange.path();
    boolean now = exchange.request().readsNow();
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    exchange.tellIfCut(ended);
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

  /**
   * Whether the file is sent as it is: sendfile produces no HTTP/2 frames, and encrypts nothing.
   */
  private static boolean canSendFile(Exchange exchange) {
    return !exchange.isHttp2() && exchange.context().pipeline().get(SslHandler.class) == null;
  }
}
