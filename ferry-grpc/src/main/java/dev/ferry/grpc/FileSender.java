package dev.ferry.grpc;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.grpc.message.ChunkFeed;
import dev.ferry.grpc.message.PartForm;
import io.grpc.stub.CallStreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file as the messages of a stream, never more than the transport is ready for. Both a
 * server's download and a client's upload are this.
 *
 * <p>grpc-java runs {@link #send} on the call's executor, one run at a time, whenever the transport
 * becomes ready.
 */
final class FileSender<M> {
  private enum State {
    NEW,
    SENDING,
    ENDING,
    OVER
  }

  private final CallStreamObserver<M> call;
  private final PartForm<M> form;
  private final FileSource source;
  private final ChunkFeed<M> feed;
  private final FilePart first;
  private final CompletableFuture<@Nullable Sha256> digest;
  private final Progress progress;
  private final Consumer<Throwable> onFailure;
  private final long size;
  private volatile State state = State.NEW;

  /**
   * Creates a sender; {@link #start} before the call starts.
   *
   * @param source closed by the sender when it is over
   * @param feed the source's chunks
   * @param digest sent behind the last chunk unless it is null; the end waits for it
   * @param onFailure hears why the stream cannot be ended, at most once
   */
  FileSender(
      CallStreamObserver<M> call,
      PartForm<M> form,
      FileSource source,
      ChunkFeed<M> feed,
      FilePart first,
      CompletableFuture<@Nullable Sha256> digest,
      Progress progress,
      Consumer<Throwable> onFailure) {
    this.call = call;
    this.form = form;
    this.source = source;
    this.feed = feed;
    this.first = first;
    this.digest = digest;
    this.progress = progress;
    this.onFailure = onFailure;
    this.size = source.facts().size();
  }

  void start() {
    call.setOnReadyHandler(this::send);
  }

  private void send() {
    try {
      if (state == State.NEW) {
        state = State.SENDING;
        call.onNext(form.wrap(first));
        progress.update(0, size);
      }
      while (state == State.SENDING && !feed.ended()) {
        if (!call.isReady()) {
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
      stop();
    } catch (FerryException | RuntimeException e) {
      fail(e);
    }
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
