package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.grpc.internal.message.ChunkCodec;
import dev.ferry.grpc.internal.message.ChunkFeed;
import io.grpc.stub.CallStreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file as the messages of a stream, never more than the transport is ready for. Both a
 * server's download and a client's upload are this.
 *
 * <p>grpc-java runs {@link #send} on the call's executor whenever the transport becomes ready, and
 * workers that compress run it when they have something to send; one at a time does the work.
 */
final class FileSender<M> {
  private enum State {
    NEW,
    SENDING,
    ENDING,
    OVER
  }

  private final CallStreamObserver<M> call;
  private final ChunkCodec<M> form;
  private final FileSource source;
  private final ChunkFeed<M> feed;
  private final FilePart first;
  private final CompletableFuture<@Nullable Sha256> digest;
  private final Progress progress;
  private final StallWatch watch;
  private final Consumer<Throwable> onFailure;
  private final long size;
  private final AtomicInteger calls = new AtomicInteger();
  private volatile State state = State.NEW;

  /**
   * Creates a sender; {@link #start} before the call starts.
   *
   * @param source closed by the sender when it is over
   * @param compression of the stream; null where it is not compressed
   * @param digest sent behind the last chunk unless it is null; the end waits for it
   * @param watch told when the other end is to take something, and when it has all
   * @param onFailure hears why the stream cannot be ended, at most once
   */
  FileSender(
      CallStreamObserver<M> call,
      MethodSetup<M> setup,
      FileSource source,
      int chunkSize,
      @Nullable Compression compression,
      FilePart first,
      CompletableFuture<@Nullable Sha256> digest,
      Progress progress,
      StallWatch watch,
      Consumer<Throwable> onFailure) {
    this.call = call;
    this.form = setup.form();
    this.source = source;
    this.feed =
        compression != null
            ? form.compressedFeed(source, chunkSize, compression, this::send)
            : form.feed(source, chunkSize, setup.batching());
    this.first = first;
    this.digest = digest;
    this.progress = progress;
    this.watch = watch;
    this.onFailure = onFailure;
    this.size = source.facts().size();
  }

  void start() {
    call.setOnReadyHandler(this::send);
  }

  /** Sends what can be sent; whoever comes while another is at it leaves the work to that one. */
  private void send() {
    if (calls.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      sendReady();
      seen = calls.addAndGet(-seen);
    } while (seen != 0);
  }

  private void sendReady() {
    try {
      if (state == State.NEW || state == State.SENDING) {
        // It is this end that has something to do.
        watch.pause();
      }
      if (state == State.NEW) {
        state = State.SENDING;
        call.onNext(form.wrap(first));
        progress.update(0, size);
      }
      while (state == State.SENDING && !feed.ended()) {
        if (!call.isReady()) {
          watch.expect();
          return;
        }
        M message = feed.next();
        if (message == null) {
          return;
        }
        send(message);
      }
      if (state == State.SENDING) {
        state = State.ENDING;
        watch.pause();
        digest.whenComplete(this::end);
      }
    } catch (FerryException | RuntimeException e) {
      fail(e);
    }
  }

  private void send(M message) {
    try {
      call.onNext(message);
    } catch (RuntimeException e) {
      form.release(message);
      throw e;
    }
    progress.update(feed.position(), size);
  }

  private void end(@Nullable Sha256 sha256, @Nullable Throwable digestFailure) {
    try {
      if (state == State.OVER) {
        return;
      }
      if (digestFailure != null) {
        fail(digestFailure);
        return;
      }
      source.verifyUnchanged();
      if (sha256 != null) {
        call.onNext(form.wrap(Facts.end(sha256)));
      }
      call.onCompleted();
      watch.expectAnswer(size);
      stop();
    } catch (FerryException | RuntimeException e) {
      fail(e);
    }
  }

  /** As {@link ChunkFeed#untracedBytes}. */
  long untracedBytes() {
    return feed.untracedBytes();
  }

  private void fail(Throwable failure) {
    if (state != State.OVER) {
      stop();
      onFailure.accept(failure);
    }
  }

  /** Ends the sending, if it is not over, and closes the file; the call is left to its owner. */
  void stop() {
    state = State.OVER;
    feed.close();
    try {
      source.close();
    } catch (FerryException e) {
      // A file that was only read has nothing to lose by a failed close.
      return;
    }
  }
}
