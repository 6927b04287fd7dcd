package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallReport;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Receives one download on a client. */
final class FileDownload extends FileReceiver
    implements ClientResponseObserver<DownloadRequest, ChunkMessage> {
  private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
  private volatile @Nullable ClientCallStreamObserver<DownloadRequest> call;
  private volatile boolean part;
  private volatile ReceiveWindow window = new ReceiveWindow(0, n -> {});

  FileDownload(GrpcSetup setup, SinkOpener opener, WireMeter meter, CallReport report) {
    super(setup.format(), opener, meter::inboundBytes, report);
  }

  @Override
  long expectedSize(FilePart first) {
    part = first.hasRange();
    return part ? Math.max(0, first.getRange().getLength()) : super.expectedSize(first);
  }

  /** Returns whether the server sends a part of the file. */
  boolean isPart() {
    return part;
  }

  /** Completes at the end of the stream; exceptionally if the call or the file has failed. */
  CompletableFuture<@Nullable Void> done() {
    return done;
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<DownloadRequest> started) {
    call = started;
    started.disableAutoRequestWithInitial(ZeroCopy.MESSAGES_AHEAD);
    window = new ReceiveWindow(ZeroCopy.MESSAGES_AHEAD, started::request);
  }

  @Override
  void taken() {
    window.taken();
  }

  @Override
  void failed(FerryException failure) {
    ClientCallStreamObserver<DownloadRequest> started = call;
    if (started != null) {
      started.cancel("the file cannot be written", failure);
    }
  }

  @Override
  public void onError(Throwable failure) {
    done.completeExceptionally(failure);
  }

  @Override
  public void onCompleted() {
    FerryException failure = failure();
    if (failure == null) {
      done.complete(null);
    } else {
      // A small file arrives complete in one read: the end of the stream was already received
      // before the cancellation.
      done.completeExceptionally(failure);
    }
  }
}
