package dev.ferry.grpc.internal;

import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.grpc.internal.message.ChunkFeed;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FileRange;
import dev.ferry.zerocopy.OneAtATime;
import io.grpc.stub.CallStreamObserver;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file as the messages of a stream while the transport is ready. Server downloads and
 * client uploads both use it.
 *
 * <p>grpc-java runs {@link #sending} on the executor of the call when the transport becomes ready.
 * Workers that compress or read ahead run it when they have messages to send. Only one thread at a
 * time sends.
 */
final class OutgoingFile {
  private enum State {
    NEW,
    SENDING,
    ENDING,
    OVER
  }

  private final CallStreamObserver<ChunkMessage> call;
  private final ChunkFormat format;
  private final FileSource source;
  private final ChunkFeed feed;
  private final FilePart first;
  private final OutgoingDigest digest;
  private final Progress progress;
  private final StallWatch watch;
  private final Consumer<Throwable> onFailure;
  private final long begin;
  private final long size;
  private final boolean compressing;
  private final OneAtATime sending = new OneAtATime(this::sendReady);
  private @Nullable Pace pace;
  private boolean closes;
  private volatile State state = State.NEW;

  /**
   * Creates a sender. {@link #start} must be called before the call starts.
   *
   * @param source the file, which stays open unless the sender is {@link #closing}
   * @param range the part to send, which is not compressed; null for the whole file
   * @param compression the compression of the stream, which a message may do without; null if no
   *     message is compressed
   * @param digest sent after the last chunk; the end of the stream waits for it
   * @param watch notified when the peer is expected to read or to respond
   * @param onFailure called with the failure if the stream cannot be completed; at most once
   */
  OutgoingFile(
      CallStreamObserver<ChunkMessage> call,
      GrpcSetup setup,
      FileSource source,
      @Nullable FileRange range,
      int chunkSize,
      @Nullable Compression compression,
      FilePart first,
      OutgoingDigest digest,
      Progress progress,
      StallWatch watch,
      Consumer<Throwable> onFailure) {
    this.call = call;
    this.format = setup.format();
    this.source = source;
    this.begin = range == null ? 0 : range.getOffset();
    this.size = source.facts().size();
    long end = range == null ? size : begin + range.getLength();
    source.readAhead(begin, end);
    ChunkFeed chunks =
        range == null && compression != null
            ? format.compressedFeed(source, chunkSize, setup.batching(), compression, sending)
            : format.feed(source, begin, end, chunkSize, setup.batching());
    this.feed = digest.feed(chunks, sending);
    this.first = first;
    this.digest = digest;
    this.progress = progress;
    this.watch = watch;
    this.onFailure = onFailure;
    this.compressing = compression != null;
  }

  /** Sets the pace of the chunks. Call this before {@link #start}. */
  OutgoingFile paced(@Nullable Pace chosen) {
    pace = chosen;
    return this;
  }

  void start() {
    call.setOnReadyHandler(sending);
  }

  private void sendReady() {
    try {
      if (state == State.NEW || state == State.SENDING) {
        // This end has work to do, so the peer is not stalled.
        watch.pause();
      }
      if (state == State.NEW) {
        state = State.SENDING;
        call.onNext(format.message(first));
        progress.update(begin, size);
      }
      while (state == State.SENDING && !feed.ended()) {
        if (!call.isReady()) {
          watch.expect();
          return;
        }
        if (pace != null && !pace.mayGoOn(sending)) {
          return;
        }
        ChunkMessage message = feed.next();
        if (message != null) {
          send(message);
        } else if (!feed.ended()) {
          return;
        }
      }
      if (state == State.SENDING) {
        state = State.ENDING;
        watch.pause();
        digest.afterLastChunk().whenComplete(this::end);
      }
    } catch (FerryException | RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the peer waits for the end of the call.
      fail(e);
    }
  }

  private void send(ChunkMessage message) {
    try {
      if (compressing) {
        call.setMessageCompression(ChunkFormat.compressed(message));
      }
      call.onNext(message);
    } catch (RuntimeException | Error e) {
      message.release();
      throw e;
    }
    progress.update(feed.position(), size);
    if (pace != null) {
      pace.moved(feed.position() - begin);
    }
  }

  private void end(@Nullable Digest computed, @Nullable Throwable digestFailure) {
    try {
      if (state == State.OVER) {
        return;
      }
      if (digestFailure != null) {
        fail(digestFailure);
        return;
      }
      source.verifyUnchanged();
      if (computed != null) {
        call.onNext(format.message(Facts.end(computed)));
      }
      call.onCompleted();
      // Of a size that was not known, the position is.
      watch.expectResponse(Math.max(size, feed.position()));
      stop();
    } catch (FerryException | RuntimeException | Error e) {
      fail(e);
    }
  }

  /** See {@link ChunkFeed#untracedBytes}. */
  long untracedBytes() {
    return feed.untracedBytes();
  }

  private void fail(Throwable failure) {
    if (state != State.OVER) {
      stop();
      onFailure.accept(failure);
    }
  }

  /** Has the file closed at the end. Called before {@link #start}. */
  OutgoingFile closing() {
    closes = true;
    return this;
  }

  /** Stops sending. The call itself is not closed. */
  void stop() {
    state = State.OVER;
    feed.close();
    digest.stop();
    if (!closes) {
      return;
    }
    try {
      source.close();
    } catch (FerryException e) {
      // A failed close of a file that was only read loses no data.
      return;
    }
  }
}
