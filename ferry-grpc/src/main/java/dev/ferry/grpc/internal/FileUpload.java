package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.net.internal.Refusals;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Receives one upload on a server. */
final class FileUpload<M> implements StreamObserver<M>, FileReceiver.Flow {
  private final MethodSetup<M> setup;
  private final Executor blocking;
  private final Refusals refusals;
  private final ServerCallStreamObserver<UploadReply> call;
  private final FileReceiver<M> receiver;
  private final ReceiveWindow window;

  /**
   * Whether the call was answered. Workers and the thread of the call may report failures
   * concurrently.
   */
  private final AtomicBoolean answered = new AtomicBoolean();

  FileUpload(
      FileStore store,
      MethodSetup<M> setup,
      Executor blocking,
      Refusals refusals,
      ServerCallStreamObserver<UploadReply> call) {
    this.setup = setup;
    this.blocking = blocking;
    this.refusals = refusals;
    this.call = call;
    this.receiver =
        new FileReceiver<>(
            setup.codec(),
            first -> create(store, first),
            ArrivedBytes.ofThisCall()::count,
            TransferOptions.Progress.NONE,
            this);
    this.window = new ReceiveWindow(setup.messagesAhead(), call::request);
    call.setOnCancelHandler(receiver::abort);
    if (setup.messagesAhead() > 0) {
      call.disableAutoRequest();
      call.request(setup.messagesAhead());
    }
  }

  private FileSink create(FileStore store, FilePart first) throws FerryException {
    StorePath path = StorePath.parse(first.getFacts().getName());
    FileSink sink = store.create(path, Facts.fromMessage(first.getOptions()));
    if (first.getOptions().getDigestFollows()) {
      sink.expectDigest(blocking);
    }
    return sink;
  }

  @Override
  public void onNext(M message) {
    if (answered.get()) {
      setup.codec().release(message);
      return;
    }
    try {
      receiver.accept(message);
    } catch (FerryException e) {
      fail(e);
    }
  }

  @Override
  public void taken() {
    window.taken();
  }

  @Override
  public void failed(FerryException failure) {
    fail(failure);
  }

  @Override
  public void onError(Throwable cancelled) {
    receiver.abort();
  }

  @Override
  public void onCompleted() {
    if (answered.get()) {
      return;
    }
    if (!receiver.isCommitSlow()) {
      commit();
      return;
    }
    try {
      blocking.execute(this::commit);
    } catch (RejectedExecutionException e) {
      fail(new FerryException(ErrorKind.UNAVAILABLE, "the server is closing; try again", e));
    }
  }

  private void commit() {
    try {
      FileFacts facts = receiver.commit(true);
      if (answered.compareAndSet(false, true)) {
        call.onNext(UploadReply.newBuilder().setFacts(Facts.toMessage(facts)).build());
        call.onCompleted();
      }
    } catch (FerryException | RuntimeException e) {
      fail(e);
    }
  }

  private void fail(Exception failure) {
    if (answered.compareAndSet(false, true)) {
      if (failure instanceof FerryException e && e.kind() == ErrorKind.INVALID_REQUEST) {
        refusals.count(Refusals.Reason.BAD_MESSAGE);
      }
      receiver.abort();
      FilesService.fail(call, failure, "upload");
    }
  }
}
