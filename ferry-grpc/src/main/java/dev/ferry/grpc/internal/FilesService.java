package dev.ferry.grpc.internal;

import dev.ferry.contract.Errors;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.DeleteReply;
import dev.ferry.contract.v1.DeleteRequest;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FileRange;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.ListReply;
import dev.ferry.contract.v1.ListRequest;
import dev.ferry.contract.v1.MakeDirectoryReply;
import dev.ferry.contract.v1.MakeDirectoryRequest;
import dev.ferry.contract.v1.MoveReply;
import dev.ferry.contract.v1.MoveRequest;
import dev.ferry.contract.v1.StatReply;
import dev.ferry.contract.v1.StatRequest;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.net.internal.CallerStores;
import dev.ferry.net.internal.Refusals;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code ferry.v1.Files} over the stores of the callers, with the messages of one
 * method.
 */
final class FilesService<M> {
  private final CallerStores stores;
  private final MethodSetup<M> setup;

  /**
   * Computes digests. They take time in proportion to the file size, and calls run on event loops.
   */
  private final Executor blocking;

  private final Refusals refusals;

  /**
   * @param refusals counts unreadable messages
   */
  FilesService(CallerStores stores, MethodSetup<M> setup, Executor blocking, Refusals refusals) {
    this.stores = stores;
    this.setup = setup;
    this.blocking = blocking;
    this.refusals = refusals;
  }

  ServerServiceDefinition bind() {
    FilesMethods<M> methods = new FilesMethods<>(setup.format());
    ServerServiceDefinition files =
        ServerServiceDefinition.builder(methods.service())
            .addMethod(
                methods.download(),
                ofCaller(store -> (call, headers) -> startDownload(store, call, headers)))
            .addMethod(
                methods.upload(),
                ofCaller(
                    store ->
                        ServerCalls.asyncClientStreamingCall(observer -> upload(store, observer))))
            .addMethod(
                FilesGrpc.getUploadStatusMethod(),
                ofCaller(store -> ServerCalls.asyncUnaryCall(new KeptUploads(store)::status)))
            .addMethod(
                FilesGrpc.getCancelUploadMethod(),
                ofCaller(store -> ServerCalls.asyncUnaryCall(new KeptUploads(store)::cancel)))
            .addMethod(
                FilesGrpc.getStatMethod(),
                ofCaller(
                    store ->
                        ServerCalls.asyncUnaryCall(
                            (request, observer) -> stat(store, request, observer))))
            .addMethod(
                FilesGrpc.getListMethod(),
                ofCaller(
                    store ->
                        ServerCalls.asyncServerStreamingCall(
                            (request, observer) -> list(store, request, observer))))
            .addMethod(FilesGrpc.getDeleteMethod(), changing(FilesService::delete))
            .addMethod(FilesGrpc.getMoveMethod(), changing(FilesService::move))
            .addMethod(FilesGrpc.getMakeDirectoryMethod(), changing(FilesService::makeDirectory))
            .build();
    return new ReadableRequests(refusals).of(files);
  }

  /**
   * Handles each call with the store of its caller. A call without one is closed before a message
   * of it is requested.
   *
   * @param handlers the handler over a store
   */
  private <I, O> ServerCallHandler<I, O> ofCaller(
      Function<FileStore, ServerCallHandler<I, O>> handlers) {
    if (stores.areOpen()) {
      return handlers.apply(stores.store());
    }
    return (call, headers) -> {
      FileStore store;
      try {
        store =
            stores.of(
                headers.getAll(Authorization.KEY),
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
      } catch (FerryException e) {
        StatusRuntimeException status = Errors.toStatus(e, "caller");
        Metadata trailers = status.getTrailers();
        call.close(status.getStatus(), trailers == null ? new Metadata() : trailers);
        return new ServerCall.Listener<>() {};
      }
      return handlers.apply(store).startCall(call, headers);
    };
  }

  /** A call that changes names in the store, and returns its response. */
  @FunctionalInterface
  private interface Change<I, O> {
    O apply(FileStore store, I request) throws FerryException;
  }

  private <I, O> ServerCallHandler<I, O> changing(Change<I, O> change) {
    return ofCaller(
        store ->
            ServerCalls.asyncUnaryCall(
                (request, observer) ->
                    offload(observer, () -> change(store, change, request, observer))));
  }

  private static <I, O> void change(
      FileStore store, Change<I, O> change, I request, StreamObserver<O> observer) {
    O response;
    try {
      response = change.apply(store, request);
    } catch (FerryException | RuntimeException e) {
      fail(observer, e, "change");
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  private static DeleteReply delete(FileStore store, DeleteRequest request) throws FerryException {
    String version = request.getVersion();
    store.delete(StorePath.parse(request.getPath()), version.isEmpty() ? null : version);
    return DeleteReply.getDefaultInstance();
  }

  private static MoveReply move(FileStore store, MoveRequest request) throws FerryException {
    StorePath target = StorePath.parse(request.getTarget());
    store.move(StorePath.parse(request.getPath()), target, request.getReplace());
    return MoveReply.getDefaultInstance();
  }

  private static MakeDirectoryReply makeDirectory(FileStore store, MakeDirectoryRequest request)
      throws FerryException {
    store.makeDirectory(StorePath.parse(request.getPath()), request.getMakeParents());
    return MakeDirectoryReply.getDefaultInstance();
  }

  private ServerCall.Listener<DownloadRequest> startDownload(
      FileStore store, ServerCall<DownloadRequest, M> call, Metadata headers) {
    Encodings accepted = Encodings.accepted(headers);
    return ServerCalls.<DownloadRequest, M>asyncServerStreamingCall(
            (request, observer) ->
                download(store, request, (ServerCallStreamObserver<M>) observer, accepted))
        .startCall(call, headers);
  }

  private void download(
      FileStore store,
      DownloadRequest request,
      ServerCallStreamObserver<M> call,
      Encodings accepted) {
    int threshold = setup.readyThreshold(request.getCompress());
    if (threshold > 0) {
      call.setOnReadyThreshold(threshold);
    }
    try {
      int chunkSize = chunkSize(request);
      boolean part = request.hasOffset() || request.hasLength();
      Compression compression = part ? null : compression(request, accepted);
      if (compression != null) {
        call.setCompression(compression.format().encoding());
      }
      FileSource source = store.open(StorePath.parse(request.getPath()));
      FilePart first = first(request, source, part);
      FileSender<M> sender =
          new FileSender<>(
              call,
              setup,
              source,
              part ? first.getRange() : null,
              chunkSize,
              compression,
              first,
              OutgoingDigest.of(
                  source, part ? null : digest(request), compression == null, blocking),
              TransferOptions.Progress.NONE,
              StallWatch.none(),
              failure -> fail(call, failure, request.getPath()));
      call.setOnCancelHandler(sender::stop);
      sender.start();
    } catch (FerryException e) {
      call.onError(Errors.toStatus(e, request.getPath()));
    }
  }

  /** Returns the first message, or closes the file if it is not the requested one. */
  private static FilePart first(DownloadRequest request, FileSource source, boolean part)
      throws FerryException {
    FileFacts facts = source.facts();
    FilePart.Builder first = FilePart.newBuilder().setFacts(Facts.toMessage(facts));
    try {
      if (!request.getVersion().isEmpty() && !request.getVersion().equals(facts.version())) {
        throw new FerryException(
            ErrorKind.VERSION_MISMATCH,
            request.getPath() + ": does not have the requested version; request the file again");
      }
      return (part ? first.setRange(range(request, facts.size())) : first).build();
    } catch (FerryException e) {
      source.close();
      throw e;
    }
  }

  private static FileRange range(DownloadRequest request, long size) throws FerryException {
    long offset = request.getOffset();
    boolean none = request.hasLength() && request.getLength() == 0;
    if (none || offset < 0 || (offset >= size && offset > 0)) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "%s: has no part of %s bytes at %s, it has %d bytes"
              .formatted(
                  request.getPath(),
                  request.hasLength() ? Long.toUnsignedString(request.getLength()) : "all",
                  Long.toUnsignedString(offset),
                  size));
    }
    long rest = size - offset;
    boolean shorter = request.hasLength() && Long.compareUnsigned(request.getLength(), rest) < 0;
    return FileRange.newBuilder()
        .setOffset(offset)
        .setLength(shorter ? request.getLength() : rest)
        .build();
  }

  private static int chunkSize(DownloadRequest request) throws FerryException {
    int size = request.getChunkSize() == 0 ? Limits.DEFAULT_CHUNK : request.getChunkSize();
    if (size < TransferOptions.MIN_CHUNK || size > TransferOptions.MAX_CHUNK) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "chunk_size "
              + Integer.toUnsignedString(size)
              + " is not from "
              + TransferOptions.MIN_CHUNK
              + " to "
              + TransferOptions.MAX_CHUNK);
    }
    return size;
  }

  private @Nullable Compression compression(DownloadRequest request, Encodings accepted)
      throws FerryException {
    if (!request.getCompress()) {
      return null;
    }
    Compression.Format wished =
        request.getEncoding().equals(Compression.Format.ZSTD.encoding())
            ? Compression.Format.ZSTD
            : Compression.Format.GZIP;
    try {
      Compression compression =
          new Compression(
              wished, request.hasLevel() ? request.getLevel() : Compression.GZIP.level());
      if (!setup.format().compresses(wished) || !accepted.accept(wished)) {
        compression = compression.asGzip();
      }
      return accepted.accept(compression.format()) ? compression : null;
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "level: " + e.getMessage(), e);
    }
  }

  private static Digest.@Nullable Algorithm digest(DownloadRequest request) {
    return request.getWantDigest() ? Facts.fromMessage(request.getDigestAlgorithm()) : null;
  }

  private StreamObserver<M> upload(FileStore store, StreamObserver<UploadReply> observer) {
    return new FileUpload<>(
        store, setup, blocking, refusals, (ServerCallStreamObserver<UploadReply>) observer);
  }

  private void stat(FileStore store, StatRequest request, StreamObserver<StatReply> observer) {
    if (request.getWantDigest()) {
      offload(observer, () -> statNow(store, request, observer));
    } else {
      statNow(store, request, observer);
    }
  }

  /** Sends the response on another thread unless the client has cancelled by then. */
  private void offload(StreamObserver<?> observer, Runnable response) {
    ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) observer;
    // With a cancel handler set, grpc-java drops a late response instead of throwing.
    call.setOnCancelHandler(() -> {});
    try {
      blocking.execute(
          () -> {
            if (!call.isCancelled()) {
              response.run();
            }
          });
    } catch (RejectedExecutionException e) {
      String closing = "the server is closing; try again";
      fail(call, new FerryException(ErrorKind.UNAVAILABLE, closing, e), closing);
    }
  }

  private static void statNow(
      FileStore store, StatRequest request, StreamObserver<StatReply> observer) {
    try {
      StorePath path = StorePath.parseDirectory(request.getPath());
      FileFacts facts =
          request.getWantDigest()
              ? store.stat(path, Facts.fromMessage(request.getDigestAlgorithm()))
              : store.stat(path, false);
      observer.onNext(StatReply.newBuilder().setFacts(Facts.toMessage(facts)).build());
      observer.onCompleted();
    } catch (FerryException | RuntimeException e) {
      fail(observer, e, request.getPath());
    }
  }

  private void list(FileStore store, ListRequest request, StreamObserver<ListReply> observer) {
    new ListSender(
            store, request.getPath(), (ServerCallStreamObserver<ListReply>) observer, blocking)
        .start();
  }

  static void fail(StreamObserver<?> call, Throwable failure, String name) {
    if (call instanceof ServerCallStreamObserver<?> server && server.isCancelled()) {
      return;
    }
    call.onError(Errors.toStatus(failure, name));
  }
}
