package dev.ferry.grpc.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.v1.ListReply;
import dev.ferry.wire.internal.v1.ListRequest;
import dev.ferry.zerocopy.OneAtATime;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends the entries of a directory as the messages of a stream while the transport is ready.
 * Workers read the store, one at a time. A worker returns when the stream is not ready, so a slow
 * reader occupies no thread and at most one message.
 */
final class ListSender {
  /**
   * Target size of a message in bytes. A message may be slightly larger; it holds about 1,000
   * entries of typical length.
   */
  static final int MESSAGE_BYTES = 64 * 1024;

  private final FileOperations files;
  private final ListRequest request;
  private final ServerCallStreamObserver<ListReply> call;
  private final OneAtATime sending;
  private volatile @Nullable Listing listing;
  private volatile boolean over;

  /**
   * Creates a sender. {@link #start} must be called before the first event of the call returns.
   *
   * @param request as the client sent it
   */
  ListSender(FileOperations files, ListRequest request, ServerCallStreamObserver<ListReply> call) {
    this.files = files;
    this.request = request;
    this.call = call;
    this.sending = new OneAtATime(files.workers(), this::sendReady);
  }

  void start() {
    files.request().path(request.getPath());
    call.setOnReadyHandler(this::send);
    // Does not wait until the stream is ready: an error needs no flow-control window.
    send();
  }

  /** Makes a worker send what can be sent. A worker that is already running checks again. */
  private void send() {
    try {
      sending.run();
    } catch (RejectedExecutionException e) {
      fail(e);
    }
  }

  private void sendReady() {
    try {
      Listing open = listing == null && !over ? open() : listing;
      while (open != null && !over && call.isReady()) {
        ListReply message = next(open);
        if (message.getEntriesCount() == 0) {
          call.onCompleted();
          stop();
        } else {
          call.onNext(message);
        }
      }
    } catch (FerryException | RuntimeException | Error e) {
      // Errors must be reported too: the client waits for the end of the stream.
      fail(e);
    }
  }

  private Listing open() throws FerryException {
    StorePath path = StorePath.parseDirectory(request.getPath());
    FileStore store = files.store();
    Listing opened = request.getRecursive() ? store.listTree(path) : store.list(path);
    listing = opened;
    if (over) {
      opened.close();
    }
    return opened;
  }

  private ListReply next(Listing listing) throws FerryException {
    ListReply.Builder message = ListReply.newBuilder().setRecursive(request.getRecursive());
    int bytes = 0;
    while (bytes < MESSAGE_BYTES) {
      FileFacts entry = listing.next();
      if (entry == null) {
        break;
      }
      var facts = Facts.toMessage(entry);
      bytes += facts.getSerializedSize();
      message.addEntries(facts);
    }
    return message.build();
  }

  private void fail(Throwable failure) {
    if (!over) {
      stop();
      FilesService.fail(call, failure);
    }
  }

  /** Stops sending. The call itself is not closed. */
  void stop() {
    over = true;
    Listing open = listing;
    if (open != null) {
      open.close();
    }
  }
}
