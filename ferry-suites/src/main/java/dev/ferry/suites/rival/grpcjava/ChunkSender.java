package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.suites.files.v1.FilePart;
import io.grpc.stub.CallStreamObserver;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file as the messages of a stream while the stream is ready: grpc-java's example of manual
 * flow control. grpc-java calls it on one thread at a time.
 *
 * @param <M> a message
 */
final class ChunkSender<M> implements AutoCloseable {
  private final CallStreamObserver<M> call;
  private final ChunkMessages<M> messages;
  private final FileSource source;
  private final int chunkSize;
  private final Digest.@Nullable Algorithm algorithm;
  private long position;
  private boolean begun;
  private volatile boolean over;

  /**
   * Takes the source over and closes it at the end.
   *
   * @param algorithm the digest to send after the last chunk; null for none
   */
  ChunkSender(
      CallStreamObserver<M> call,
      ChunkMessages<M> messages,
      FileSource source,
      int chunkSize,
      Digest.@Nullable Algorithm algorithm) {
    this.call = call;
    this.messages = messages;
    this.source = source;
    this.chunkSize = chunkSize;
    this.algorithm = algorithm;
    if (algorithm != null && source.facts().digest(algorithm) == null) {
      source.computeWhileReading(algorithm);
    }
  }

  /** Sends from now on, whenever the stream is ready; before the call starts. */
  void start(FilePart first, Consumer<FerryException> onFailure) {
    call.setOnReadyHandler(
        () -> {
          try {
            send(first);
          } catch (FerryException e) {
            close();
            onFailure.accept(e);
          }
        });
  }

  private void send(FilePart first) throws FerryException {
    while (!over && call.isReady()) {
      long left = source.facts().size() - position;
      if (!begun) {
        begun = true;
        call.onNext(messages.of(first));
      } else if (left > 0) {
        int length = (int) Math.min(chunkSize, left);
        M chunk = messages.read(source, position, length);
        position += length;
        call.onNext(chunk);
      } else {
        end();
      }
    }
  }

  private void end() throws FerryException {
    Digest known = algorithm == null ? null : source.facts().digest(algorithm);
    Digest digest = algorithm == null || known != null ? known : source.digest(algorithm);
    source.verifyUnchanged();
    if (digest != null) {
      call.onNext(messages.of(StockFacts.end(digest)));
    }
    close();
    call.onCompleted();
  }

  @Override
  public void close() {
    over = true;
    try {
      source.close();
    } catch (FerryException e) {
      // A file that was only read has nothing to lose by a failed close.
      return;
    }
  }
}
