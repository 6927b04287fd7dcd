package dev.ferry.http.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.local.LocalFileSink;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes the buffers that java.net.http has read straight to the file: no copy between, and no
 * other thread. What is no plain file, such as an error, comes as a stream; the stream of a body
 * that was written is empty.
 *
 * <p>Closing it leaves nothing of a file that was not committed, and waits for a write under way.
 */
final class DirectBody implements BodyHandler<InputStream>, Closeable {
  private static final int OK = 200;

  /** Below this a write costs more than it moves; HTTP/2 brings frames of 16 KiB by default. */
  private static final int GATHER_BYTES = 256 * 1024;

  private final Path target;
  private final SinkOptions sinkOptions;
  private final boolean verify;
  private final CallReport report;
  private @Nullable FileSink sink;
  private Flow.@Nullable Subscription abandoned;
  private volatile boolean begun;
  private boolean closed;
  private final List<ByteBuffer> pending = new ArrayList<>();
  private int pendingBytes;

  DirectBody(Path target, TransferOptions options, CallReport report) {
    this.target = target;
    this.sinkOptions = options.sink();
    this.verify = options.verify();
    this.report = report;
  }

  @Override
  public BodySubscriber<InputStream> apply(ResponseInfo response) {
    begun = true;
    Fields fields = Fields.of(response.headers());
    if (response.statusCode() != OK || fields.get("Content-Encoding") != null) {
      return BodySubscribers.ofInputStream();
    }
    return new Writer(ResponseFacts.size(fields, false));
  }

  /** Whether the head of the response is there, and so a lost connection cut the body. */
  boolean begun() {
    return begun;
  }

  /** The file a body was written to, whole; null where the body came as a stream. */
  synchronized @Nullable FileSink sink() {
    return sink;
  }

  private synchronized void begin(long size) throws FerryException {
    if (!closed) {
      FileSink opened = report.watched(LocalFileSink.create(target, sinkOptions));
      sink = opened;
      if (size >= 0) {
        opened.expect(size);
      }
      if (verify) {
        opened.expectDigest(Receiver.DIGEST_THREADS);
      }
      report.update(0, size);
    }
  }

  /** Adds to what is to be written, and writes it once it is worth that, or the last of it. */
  private synchronized void write(List<ByteBuffer> buffers, boolean last, long size)
      throws FerryException {
    for (ByteBuffer buffer : buffers) {
      pending.add(buffer);
      pendingBytes += buffer.remaining();
    }
    report.watch().moved();
    FileSink open = sink;
    boolean worthIt = pendingBytes >= GATHER_BYTES || (last && pendingBytes > 0);
    if (open != null && !closed && worthIt) {
      open.write(pending.toArray(ByteBuffer[]::new), 0, pending.size());
      pending.clear();
      pendingBytes = 0;
      report.update(open.written(), size);
    }
  }

  /**
   * Has a body cancelled with this. At once would be too soon: over HTTP/2 the client would then
   * report the cancelled stream and not what was wrong.
   */
  private synchronized void abandon(Flow.Subscription body) {
    abandoned = body;
    if (closed) {
      body.cancel();
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (abandoned != null) {
      abandoned.cancel();
    }
    if (sink != null) {
      sink.close();
    }
  }

  private final class Writer implements BodySubscriber<InputStream> {
    private final long size;
    private final CompletableFuture<InputStream> written = new CompletableFuture<>();
    private Flow.@Nullable Subscription source;

    Writer(long size) {
      this.size = size;
    }

    @Override
    public CompletionStage<InputStream> getBody() {
      return written;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      source = subscription;
      try {
        begin(size);
        subscription.request(1);
      } catch (FerryException | RuntimeException e) {
        fail(subscription, e);
      }
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      Flow.Subscription subscription = source;
      if (subscription == null || written.isDone()) {
        return;
      }
      try {
        write(buffers, false, size);
        subscription.request(1);
      } catch (FerryException | RuntimeException e) {
        fail(subscription, e);
      }
    }

    private void fail(Flow.Subscription subscription, Exception failure) {
      abandon(subscription);
      written.completeExceptionally(failure);
    }

    @Override
    public void onError(Throwable failure) {
      written.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      try {
        write(List.of(), true, size);
        written.complete(InputStream.nullInputStream());
      } catch (FerryException | RuntimeException e) {
        written.completeExceptionally(e);
      }
    }
  }
}
