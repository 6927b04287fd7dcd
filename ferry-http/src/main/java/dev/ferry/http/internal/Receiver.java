package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the body of one download to its file, independent of the HTTP client.
 *
 * @param call the call, which may end the download early
 * @param path the name of the file
 * @param tls whether the client uses TLS
 * @param options the options of the transfer
 * @param head requests the facts of the file again
 * @param opener opens the file
 */
public record Receiver(
    Call call, StorePath path, boolean tls, TransferOptions options, Head head, Opener opener) {
  private static final int INFLATE_BYTES = 64 * 1024;

  /**
   * Threads that are busy only while digest computation lags behind the file. Each of them serves
   * one transfer after another and ends after an idle second.
   */
  private static final Executor DIGEST_THREADS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          1,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DaemonThreads("ferry-http-digest"));

  /** Requests the facts of a file, with its digest. */
  @FunctionalInterface
  public interface Head {
    /**
     * Returns the header fields of the response.
     *
     * @param gzip whether the request accepts gzip; a different coding has a different entity tag
     */
    Fields fields(boolean gzip) throws IOException;
  }

  /**
   * Copies a body to a file. Uses one buffer that is filled before each write, or no buffer if the
   * body is {@link FileTransferable}.
   *
   * @param body the body of the response, with its bytes counted
   * @param buffers a pool of heap buffers
   * @param bufferSize bytes of one copy
   */
  public Transfer copy(
      IncomingResponse response, WireInputStream body, CopyBuffers buffers, int bufferSize)
      throws IOException {
    Fields fields = response.fields();
    boolean gzip = ResponseFacts.isGzip(fields, path.value());
    long size = ResponseFacts.size(fields, gzip);
    int status = response.status();
    requireDigest(status, fields);
    try (FileSink sink = call.report().watched(opener.open(status, fields))) {
      expect(sink, size, options);
      options.progress().update(0, size);
      if (!gzip && response.body() instanceof FileTransferable direct) {
        boolean more = true;
        while (more) {
          more = direct.writeNext(sink);
          call.check();
          options.progress().update(sink.written(), size);
        }
        return commit(status, fields, sink, false, sink.written(), response.protocol());
      }
      InputStream plain = gzip ? new GZIPInputStream(body, INFLATE_BYTES) : body;
      ByteBuffer buffer = buffers.take(bufferSize);
      try {
        for (int n; (n = read(plain, buffer, body)) > 0; ) {
          call.check();
          sink.write(buffer.clear().limit(n));
          sink.checkExpansion(body.count());
          options.progress().update(sink.written(), size);
        }
      } finally {
        buffers.give(buffer);
      }
      // The gzip stream ends by itself. The body must also be read to its end to reuse the
      // connection.
      Call.drain(body);
      return commit(status, fields, sink, gzip, body.count(), response.protocol());
    }
  }

  /**
   * Tells a sink what will come.
   *
   * @param size bytes of the file; negative if unknown
   */
  private static void expect(FileSink sink, long size, TransferOptions options)
      throws FerryException {
    if (size >= 0) {
      sink.expect(size);
    }
    if (options.digest() != null) {
      sink.expectDigest(options.digest(), DIGEST_THREADS);
    }
  }

  private int read(InputStream plain, ByteBuffer buffer, WireInputStream body) throws IOException {
    try {
      return plain.readNBytes(buffer.array(), 0, buffer.capacity());
    } catch (EOFException | ZipException e) {
      if (e instanceof EOFException && !body.ended()) {
        // The connection ended, not the gzip stream.
        throw e;
      }
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": the gzip stream is cut or corrupt", e);
    }
  }

  /** Checks the received file and renames it, or checks the received part. */
  private Transfer commit(
      int status, Fields fields, FileSink sink, boolean gzip, long wireBytes, HttpProtocol protocol)
      throws IOException {
    call.check();
    Digest.Algorithm wanted = wanted(status);
    Digest digest = wanted == null ? null : digest(fields, gzip, wanted);
    FileFacts facts = sink.commit(ResponseFacts.size(fields, gzip), digest);
    return new Transfer(facts, wireBytes, protocol.wireName(tls), gzip ? "gzip" : "identity");
  }

  private Digest.@Nullable Algorithm wanted(int status) {
    return Opener.isPart(status) ? null : options.digest();
  }

  /**
   * Checks that the file can be verified, before its body is read. A Ferry server may know the
   * digest of a large file only when it has sent it, and is asked then.
   */
  private void requireDigest(int status, Fields download) throws FerryException {
    Digest.Algorithm wanted = wanted(status);
    if (wanted != null
        && !ResponseFacts.isFerrys(download)
        && !ResponseFacts.digestFollows(download)) {
      Digest unused =
          wanted.requireGiven(
              HttpRoutes.digest(download.get(HttpRoutes.UNENCODED_DIGEST), wanted), path.value());
    }
  }

  /** Returns the digest in the download response; if it is absent, requests it from the server. */
  private Digest digest(Fields download, boolean gzip, Digest.Algorithm wanted) throws IOException {
    Digest known = HttpRoutes.digest(download.get(HttpRoutes.UNENCODED_DIGEST), wanted);
    if (known != null) {
      return known;
    }
    Fields now = head.fields(gzip);
    @Nullable String tag = download.get("ETag");
    if (tag != null && !tag.equals(now.get("ETag"))) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded");
    }
    return wanted.requireGiven(
        HttpRoutes.digest(now.get(HttpRoutes.UNENCODED_DIGEST), wanted), path.value());
  }
}
