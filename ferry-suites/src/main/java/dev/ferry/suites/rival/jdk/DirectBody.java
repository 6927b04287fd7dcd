package dev.ferry.suites.rival.jdk;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.http.internal.Fields;
import dev.ferry.http.internal.Opener;
import dev.ferry.http.internal.Receiver;
import dev.ferry.http.internal.ResponseFacts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Writes the buffers that java.net.http has read directly to the file, without a copy and without a
 * thread switch. A response that is not a plain file, such as an error, is provided as a stream. If
 * the body was written to the file, the stream is empty.
 *
 * <p>{@code close} deletes a file that was not committed and waits for a write in progress.
 */
final class DirectBody implements BodyHandler<InputStream>, Closeable {
  private static final int OK = 200;
  private static final int PARTIAL_CONTENT = 206;

  /** Below this size the overhead of a write dominates. HTTP/2 frames have 16 KiB by default. */
  private static final int GATHER_BYTES = 256 * 1024;

  private final Opener opener;
  private final TransferOptions options;
  private final CallReport report;
  private final int gatherBytes;
  private @Nullable FileSink sink;
  private Flow.@Nullable Subscription abandoned;
  private volatile boolean begun;
  private boolean closed;
  private final List<ByteBuffer> pending = new ArrayList<>();
  private int pendingBytes;

  DirectBody(Opener opener, TransferOptions options, CallReport report) {
    this.opener = opener;
    this.options = options;
    this.report = report;
    this.gatherBytes = options.rateLimit() == null ? GATHER_BYTES : options.chunkSize();
  }

  @Override
  public BodySubscriber<InputStream> apply(ResponseInfo response) {
    begun = true;
    Fields fields = JdkHttpCarrier.fields(response.headers());
    int status = response.statusCode();
    if ((status != OK && status != PARTIAL_CONTENT) || fields.get("Content-Encoding") != null) {
      return BodySubscribers.ofInputStream();
    }
    return new Writer(status, fields);
  }

  /**
   * Returns whether the head of the response has arrived. If so, a lost connection has truncated
   * the body.
   */
  boolean begun() {
    return begun;
  }

  /**
   * Returns the file to which the complete body was written; null if the body is provided as a
   * stream.
   */
  synchronized @Nullable FileSink sink() {
    return sink;
  }

  private synchronized void begin(int status, Fields fields, long size) throws FerryException {
    if (!closed) {
      FileSink opened = report.watched(opener.open(status, fields));
      sink = opened;
      Receiver.expect(opened, size, options);
      report.update(0, size);
    }
  }

  /** Queues buffers. Writes the queue if it is large enough or if these are the last buffers. */
  private synchronized void write(List<ByteBuffer> buffers, boolean last, long size)
      throws FerryException {
    for (ByteBuffer buffer : buffers) {
      pending.add(buffer);
      pendingBytes += buffer.remaining();
    }
    report.watch().moved();
    FileSink open = sink;
    boolean worthIt = pendingBytes >= gatherBytes || (last && pendingBytes > 0);
    if (open != null && !closed && worthIt) {
      open.write(pending.toArray(ByteBuffer[]::new), 0, pending.size());
      pending.clear();
      pendingBytes = 0;
      report.update(open.written(), size);
    }
  }

  /**
   * Cancels a body when this object is closed. To cancel at once would be too early: over HTTP/2
   * the client would then report the cancelled stream and not the original failure.
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
    private final int status;
    private final Fields fields;
    private final long size;
    private final CompletableFuture<InputStream> written = new CompletableFuture<>();
    private Flow.@Nullable Subscription source;

    Writer(int status, Fields fields) {
      this.status = status;
      this.fields = fields;
      this.size = ResponseFacts.size(fields, false);
    }

    @Override
    public CompletionStage<InputStream> getBody() {
      return written;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      source = subscription;
      try {
        begin(status, fields, size);
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
