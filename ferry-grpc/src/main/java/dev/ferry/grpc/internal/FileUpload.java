package dev.ferry.grpc.internal;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.UploadOptions;
import dev.ferry.wire.internal.v1.UploadReply;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Receives one upload on a server. */
final class FileUpload extends FileReceiver {
  /**
   * Messages that wait for a remote store, which are not part of the flow-control window. An upload
   * may have them once the store has taken its first bytes.
   */
  private static final int REMOTE_AHEAD = 16;

  /** The facts, and the first bytes. */
  private static final int BEFORE_BYTES_ARE_STORED = 2;

  private final FileOperations files;
  private final Refusals refusals;
  private final ServerCallStreamObserver<UploadReply> call;
  private final ReceiveWindow window;
  private final @Nullable Pace pace;

  /**
   * Whether a response or a failure was sent. Workers and the thread of the call may report
   * failures concurrently.
   */
  private final AtomicBoolean responded = new AtomicBoolean();

  FileUpload(
      FileOperations files,
      GrpcSetup setup,
      Refusals refusals,
      ServerCallStreamObserver<UploadReply> call) {
    super(
        setup.format(),
        first -> create(files, first),
        ArrivedBytes.ofThisCall()::count,
        (bytes, size) -> files.request().bytes(bytes));
    this.files = files;
    this.refusals = refusals;
    this.call = call;
    this.pace = files.pace(files.workers());
    boolean remote = files.store().isRemote();
    this.window =
        remote
            ? new ReceiveWindow(REMOTE_AHEAD, BEFORE_BYTES_ARE_STORED, call::request)
            : new ReceiveWindow(ZeroCopy.MESSAGES_AHEAD, call::request);
    call.setOnCancelHandler(this::abort);
    call.disableAutoRequest();
    if (pace == null) {
      window.start();
    } else {
      requestNext();
    }
  }

  private static Opened create(FileOperations files, FilePart first) throws FerryException {
    files.request().path(first.getFacts().getName());
    StorePath path = StorePath.parse(first.getFacts().getName());
    CreateOptions options =
        Facts.fromMessage(first.getOptions())
            .withLastModified(Facts.lastModified(first.getFacts()))
            .withMode(Facts.mode(first.getFacts().hasMode(), first.getFacts().getMode()))
            .withUpload(part(first));
    // The receiver announces the size.
    FileSink sink = files.create(path, options, -1);
    return new Opened(
        sink,
        first.getOptions().getDigestFollows()
            && sink.expectDigest(
                Facts.fromMessage(first.getOptions().getDigestAlgorithm()), files.workers()));
  }

  /** Returns which part of an upload that can be continued follows; null if it cannot. */
  private static @Nullable UploadPart part(FilePart first) throws FerryException {
    UploadOptions options = first.getOptions();
    if (options.getUploadId().isEmpty()) {
      if (options.getOffset() != 0) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST, "an upload with an offset needs its upload_id");
      }
      return null;
    }
    long size = first.getFacts().hasSize() ? first.getFacts().getSize() : -1;
    UploadId id = UploadId.of(options.getUploadId().toByteArray());
    return new UploadPart(id, options.getOffset(), size);
  }

  @Override
  void taken() {
    if (pace == null) {
      window.taken();
      return;
    }
    pace.moved(files.request().bytes());
    if (pace.mayGoOn(this::requestNext)) {
      requestNext();
    }
  }

  private void requestNext() {
    call.request(1);
  }

  @Override
  void failed(FerryException failure) {
    fail(failure);
  }

  @Override
  public void onError(Throwable cancelled) {
    abort();
  }

  @Override
  public void onCompleted() {
    if (responded.get()) {
      return;
    }
    if (!isCommitSlow()) {
      commit();
      return;
    }
    try {
      files.workers().execute(this::commit);
    } catch (RejectedExecutionException e) {
      fail(e);
    }
  }

  private void commit() {
    try {
      FileFacts facts = commit(true);
      if (responded.compareAndSet(false, true)) {
        UploadReply reply = UploadReply.newBuilder().setFacts(Facts.toMessage(facts)).build();
        FilesService.answer(call, reply);
      }
    } catch (FerryException | RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the client waits for the end of the call.
      fail(e);
    }
  }

  private void fail(Throwable failure) {
    if (responded.compareAndSet(false, true)) {
      if (failure instanceof FerryException e && e.kind() == ErrorKind.INVALID_REQUEST) {
        refusals.count(Refusals.Reason.BAD_MESSAGE);
      }
      abort();
      FilesService.fail(call, failure);
    }
  }
}
