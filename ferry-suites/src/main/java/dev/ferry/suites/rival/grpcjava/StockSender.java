package dev.ferry.suites.rival.grpcjava;

import com.google.protobuf.UnsafeByteOperations;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import io.grpc.stub.CallStreamObserver;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends a file in a stream of generated messages while the stream is ready: grpc-java's example of
 * manual flow control. grpc-java calls it on one thread at a time.
 */
final class StockSender implements AutoCloseable {
  private final CallStreamObserver<FilePart> call;
  private final FileSource source;
  private final int chunkSize;
  private long position;
  private boolean begun;
  private volatile boolean over;

  /** Takes the source over and closes it at the end. */
  StockSender(CallStreamObserver<FilePart> call, FileSource source, int chunkSize) {
    this.call = call;
    this.source = source;
    this.chunkSize = chunkSize;
  }

  /** Sends from now on, whenever the stream is ready; before the call starts. */
  void start(Function<FileFacts, FilePart> first, Consumer<FerryException> onFailure) {
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

  private void send(Function<FileFacts, FilePart> first) throws FerryException {
    while (!over && call.isReady()) {
      long left = source.facts().size() - position;
      if (!begun) {
        begun = true;
        call.onNext(first.apply(source.facts()));
      } else if (left > 0) {
        byte[] bytes = new byte[(int) Math.min(chunkSize, left)];
        source.readFully(ByteBuffer.wrap(bytes), position);
        position += bytes.length;
        call.onNext(FilePart.newBuilder().setChunk(UnsafeByteOperations.unsafeWrap(bytes)).build());
      } else {
        source.verifyUnchanged();
        close();
        call.onCompleted();
      }
    }
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
