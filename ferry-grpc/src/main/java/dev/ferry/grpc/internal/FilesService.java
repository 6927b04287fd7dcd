package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.Requests;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.GrpcErrors;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.CancelUploadReply;
import dev.ferry.wire.internal.v1.CancelUploadRequest;
import dev.ferry.wire.internal.v1.DeleteReply;
import dev.ferry.wire.internal.v1.DeleteRequest;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FileRange;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.ListReply;
import dev.ferry.wire.internal.v1.ListRequest;
import dev.ferry.wire.internal.v1.MakeDirectoryReply;
import dev.ferry.wire.internal.v1.MakeDirectoryRequest;
import dev.ferry.wire.internal.v1.MakeLinkReply;
import dev.ferry.wire.internal.v1.MakeLinkRequest;
import dev.ferry.wire.internal.v1.MoveReply;
import dev.ferry.wire.internal.v1.MoveRequest;
import dev.ferry.wire.internal.v1.StatReply;
import dev.ferry.wire.internal.v1.StatRequest;
import dev.ferry.wire.internal.v1.UploadReply;
import dev.ferry.wire.internal.v1.UploadStatusReply;
import dev.ferry.wire.internal.v1.UploadStatusRequest;
import dev.ferry.zerocopy.ReadableRequests;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.Grpc;
import io.grpc.InternalMetadata;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Implements {@code ferry.v1.Files} over the stores of the callers. Calls use the disk on the
 * thread that invokes them, and workers for what takes longer. Thread-safe.
 *
 * @param stores count unreadable messages, too
 * @param setup its transport supports the hand-off of buffers, and frames messages as {@link
 *     GrpcSetup#framing} requires
 * @param requests all requests of the port
 * @param memory what its calls have of the memory for sending
 */
public record FilesService(
    CallerStores stores, GrpcSetup setup, Requests requests, SendMemory memory) {
  public FilesService(CallerStores stores, GrpcSetup setup, Requests requests) {
    this(stores, setup, requests, new SendMemory());
  }

  /**
   * Returns the service definition. It has the schema of the generated service and uses Ferry's own
   * messages in the streams.
   */
  public ServerServiceDefinition bind() {
    FilesMethods methods = FilesMethods.of(setup.format());
    ServerServiceDefinition files =
        ServerServiceDefinition.builder(methods.service())
            .addMethod(
                methods.download(),
                ofCaller(
                    Operation.DOWNLOAD,
                    operations -> (call, headers) -> startDownload(operations, call, headers)))
            .addMethod(
                methods.upload(),
                ofCaller(
                    Operation.UPLOAD,
                    operations ->
                        ServerCalls.asyncClientStreamingCall(
                            call ->
                                new FileUpload(
                                    operations,
                                    setup,
                                    stores.refusals(),
                                    (ServerCallStreamObserver<UploadReply>) call))))
            .addMethod(
                FilesGrpc.getUploadStatusMethod(),
                unary(Operation.UPLOAD_STATUS, null, FilesService::uploadStatus))
            .addMethod(
                FilesGrpc.getCancelUploadMethod(),
                unary(Operation.CANCEL_UPLOAD, null, FilesService::cancelUpload))
            .addMethod(
                FilesGrpc.getStatMethod(),
                ofCaller(
                    Operation.STAT,
                    operations ->
                        ServerCalls.asyncUnaryCall(
                            (message, call) ->
                                stat(
                                    operations,
                                    message,
                                    (ServerCallStreamObserver<StatReply>) call))))
            .addMethod(
                FilesGrpc.getListMethod(),
                ofCaller(
                    Operation.LIST,
                    operations ->
                        ServerCalls.asyncServerStreamingCall(
                            (message, call) ->
                                list(
                                    operations,
                                    message,
                                    (ServerCallStreamObserver<ListReply>) call))))
            .addMethod(
                FilesGrpc.getDeleteMethod(),
                unary(Operation.DELETE, DeleteRequest::getPath, FilesService::delete))
            .addMethod(
                FilesGrpc.getMoveMethod(),
                unary(Operation.MOVE, MoveRequest::getPath, FilesService::move))
            .addMethod(
                FilesGrpc.getMakeDirectoryMethod(),
                unary(
                    Operation.MAKE_DIRECTORY,
                    MakeDirectoryRequest::getPath,
                    FilesService::makeDirectory))
            .addMethod(
                FilesGrpc.getMakeLinkMethod(),
                unary(Operation.MAKE_LINK, MakeLinkRequest::getPath, FilesService::makeLink))
            .build();
    return ReadableRequests.of(files, new BadMessages(stores.refusals()));
  }

  /**
   * Reports each call, and handles it for its caller. A call without one, or of a server that
   * stops, is closed before a message of it is requested.
   */
  private <I, O> ServerCallHandler<I, O> ofCaller(
      Operation operation, Function<FileOperations, ServerCallHandler<I, O>> handlers) {
    return (given, headers) -> {
      ReportedCall<I, O> call = ReportedCall.begin(requests, operation, given, headers);
      try {
        if (requests.areRefused()) {
          throw Requests.stopping();
        }
        if (bytes(headers) > Limits.MAX_FIELDS) {
          call.refuse(GrpcErrors.fieldsTooLarge());
          return call.reported(new ServerCall.Listener<>() {});
        }
        FileOperations files =
            stores.of(
                headers.getAll(Authorization.KEY),
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION),
                call.request());
        return call.reported(handlers.apply(files).startCall(call, headers));
      } catch (FerryException e) {
        call.refuse(e);
        return call.reported(new ServerCall.Listener<>() {});
      } catch (RuntimeException | Error e) {
        call.request().end(ErrorKind.INTERNAL);
        throw e;
      }
    };
  }

  /** Returns the size of metadata as HTTP/2 counts it (RFC 9113, 6.5.2). */
  private static long bytes(Metadata metadata) {
    byte[][] namesAndValues = InternalMetadata.serialize(metadata);
    long bytes = (long) Limits.FIELD_BYTES / 2 * namesAndValues.length;
    for (byte[] text : namesAndValues) {
      bytes += text.length;
    }
    return bytes;
  }

  /** Makes the response to a message. */
  @FunctionalInterface
  private interface Reply<I, O> {
    O to(I message, FileOperations files) throws FerryException;
  }

  /**
   * Handles a call of one message on a worker, unless the client has cancelled by then.
   *
   * @param path what the message names; null for nothing
   */
  private <I, O> ServerCallHandler<I, O> unary(
      Operation operation, @Nullable Function<I, String> path, Reply<I, O> reply) {
    return ofCaller(
        operation,
        files ->
            ServerCalls.asyncUnaryCall(
                (message, observer) -> {
                  if (path != null) {
                    files.request().path(path.apply(message));
                  }
                  ServerCallStreamObserver<O> call = (ServerCallStreamObserver<O>) observer;
                  work(files, call, () -> {}, () -> respond(files, message, call, reply));
                }));
  }

  /**
   * Works for a call on a worker, unless the client has cancelled by then.
   *
   * @param cancelled runs when the client cancels
   */
  private static void work(
      FileOperations files, ServerCallStreamObserver<?> call, Runnable cancelled, Runnable work) {
    // With a cancel handler set, grpc-java drops a late response instead of throwing.
    call.setOnCancelHandler(cancelled);
    try {
      files
          .workers()
          .execute(
              () -> {
                if (!call.isCancelled()) {
                  work.run();
                }
              });
    } catch (RejectedExecutionException e) {
      fail(call, e);
    }
  }

  private static <I, O> void respond(
      FileOperations files, I message, StreamObserver<O> call, Reply<I, O> reply) {
    O response;
    try {
      response = reply.to(message, files);
    } catch (FerryException | RuntimeException | Error e) {
      // Also an Error: the client waits for the end of the call.
      fail(call, e);
      return;
    }
    answer(call, response);
  }

  /** Sends the only response, and ends the call in any case. */
  static <O> void answer(StreamObserver<O> call, O response) {
    try {
      call.onNext(response);
      call.onCompleted();
    } catch (RuntimeException | Error e) {
      fail(call, e);
    }
  }

  private static void stat(
      FileOperations files, StatRequest message, ServerCallStreamObserver<StatReply> call) {
    files.request().path(message.getPath());
    if (!message.getWantDigest()) {
      respond(
          files,
          message,
          call,
          (asked, its) -> reply(its.stat(StorePath.parseDirectory(asked.getPath()))));
      return;
    }
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    work(files, call, () -> gone.complete(true), () -> statWithDigest(files, message, call, gone));
  }

  /** Responds when the digest is known, unless the client has gone by then. */
  private static void statWithDigest(
      FileOperations files,
      StatRequest message,
      StreamObserver<StatReply> call,
      CompletableFuture<Boolean> gone) {
    try {
      StorePath path = StorePath.parseDirectory(message.getPath());
      Digest.Algorithm algorithm = Facts.fromMessage(message.getDigestAlgorithm());
      CompletableFuture<FileFacts> facts =
          files.withDigest(path, files.stat(path), algorithm, message.getReadNow());
      CompletableFuture<Boolean> unused =
          gone.whenComplete((cancelled, failure) -> facts.cancel(false));
      CompletableFuture<FileFacts> alsoUnused =
          facts.whenComplete(
              (known, failure) -> {
                if (failure == null) {
                  answer(call, reply(known));
                } else {
                  fail(call, failure);
                }
              });
    } catch (FerryException | RuntimeException | Error e) {
      fail(call, e);
    }
  }

  private static StatReply reply(FileFacts facts) {
    return StatReply.newBuilder().setFacts(Facts.toMessage(facts)).build();
  }

  private static DeleteReply delete(DeleteRequest message, FileOperations files)
      throws FerryException {
    String version = message.getVersion();
    files.store().delete(StorePath.parse(message.getPath()), version.isEmpty() ? null : version);
    return DeleteReply.getDefaultInstance();
  }

  private static MoveReply move(MoveRequest message, FileOperations files) throws FerryException {
    files.request().target(message.getTarget());
    StorePath target = StorePath.parse(message.getTarget());
    files.store().move(StorePath.parse(message.getPath()), target, message.getReplace());
    return MoveReply.getDefaultInstance();
  }

  private static MakeDirectoryReply makeDirectory(
      MakeDirectoryRequest message, FileOperations files) throws FerryException {
    Integer mode = Facts.mode(message.hasMode(), message.getMode());
    StorePath path = StorePath.parse(message.getPath());
    files.store().makeDirectory(path, message.getMakeParents(), mode);
    return MakeDirectoryReply.getDefaultInstance();
  }

  private static MakeLinkReply makeLink(MakeLinkRequest message, FileOperations files)
      throws FerryException {
    StorePath path = StorePath.parse(message.getPath());
    files.store().makeLink(path, message.getTarget(), message.getReplace());
    return MakeLinkReply.getDefaultInstance();
  }

  private static UploadStatusReply uploadStatus(UploadStatusRequest message, FileOperations files)
      throws FerryException {
    UploadStatus status = files.store().upload(id(message.getUploadId())).status();
    UploadStatusReply.Builder reply = UploadStatusReply.newBuilder().setReceived(status.received());
    FileFacts complete = status.complete();
    return (complete == null ? reply : reply.setFacts(Facts.toMessage(complete))).build();
  }

  private static CancelUploadReply cancelUpload(CancelUploadRequest message, FileOperations files)
      throws FerryException {
    files.store().cancelUpload(id(message.getUploadId()));
    return CancelUploadReply.getDefaultInstance();
  }

  private static UploadId id(ByteString bytes) throws FerryException {
    return UploadId.of(bytes.toByteArray());
  }

  private ServerCall.Listener<DownloadRequest> startDownload(
      FileOperations files, ServerCall<DownloadRequest, ChunkMessage> call, Metadata headers) {
    Encodings accepted = Encodings.accepted(headers);
    return ServerCalls.<DownloadRequest, ChunkMessage>asyncServerStreamingCall(
            (request, observer) ->
                download(
                    files, request, (ServerCallStreamObserver<ChunkMessage>) observer, accepted))
        .startCall(call, headers);
  }

  private void list(
      FileOperations files, ListRequest request, ServerCallStreamObserver<ListReply> call) {
    try {
      SendMemory.Share share =
          memory.forMessages(files.request().holder(), ListSender.MESSAGE_BYTES);
      ListSender sender = new ListSender(files, request, call);
      SendMemory.closeWith(call, share, sender::stop);
      sender.start();
    } catch (FerryException e) {
      fail(call, e);
    }
  }

  private void download(
      FileOperations files,
      DownloadRequest request,
      ServerCallStreamObserver<ChunkMessage> call,
      Encodings accepted) {
    RunningRequest running = files.request();
    running.path(request.getPath());
    try {
      int chunkSize = files.chunk(chunkSize(request));
      boolean part = request.hasOffset() || request.hasLength();
      Compression wanted = part ? null : compression(request, accepted);
      long ahead = wanted == null ? 0 : setup.format().compressedAhead(chunkSize);
      SendMemory.Share share = memory.forDownload(running.holder(), chunkSize, ahead);
      SendMemory.closeWith(call, share, () -> {});
      Compression compression = share.compresses() ? wanted : null;
      if (share.batches()) {
        call.setOnReadyThreshold(ZeroCopy.ON_READY_THRESHOLD);
      }
      if (compression != null) {
        call.setCompression(compression.format().encoding());
      }
      StorePath path = StorePath.parse(request.getPath());
      OutgoingFile sender =
          files.open(
              path,
              source -> {
                FilePart first = first(request, source.facts(), part);
                return new OutgoingFile(
                        call,
                        running.rateLimit() == null && share.batches()
                            ? setup
                            : setup.batching(false),
                        source,
                        part ? first.getRange() : null,
                        chunkSize,
                        compression,
                        first,
                        digest(files, path, source, part ? null : digest(request), compression),
                        files.progress(first.getRange().getOffset()),
                        StallWatch.none(),
                        failure -> fail(call, failure))
                    .closing()
                    .paced(files.pace(files.workers()));
              });
      SendMemory.closeWith(call, share, sender::stop);
      if (call.isCancelled()) {
        // The handler does not run for a call that was cancelled before it was set.
        sender.stop();
        share.close();
      } else {
        sender.start();
      }
    } catch (FerryException | RuntimeException e) {
      fail(call, e);
    }
  }

  /**
   * Returns the first message.
   *
   * @throws FerryException if the file is not the requested one
   */
  private static FilePart first(DownloadRequest request, FileFacts facts, boolean part)
      throws FerryException {
    FilePart.Builder first = FilePart.newBuilder().setFacts(Facts.toMessage(facts));
    if (!request.getVersion().isEmpty() && !request.getVersion().equals(facts.version())) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH,
          request.getPath() + ": does not have the requested version; request the file again");
    }
    return (part ? first.setRange(range(request, facts.size())) : first).build();
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

  private static @Nullable Compression compression(DownloadRequest request, Encodings accepted)
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
      if (!accepted.accept(wished) || !CompressionWorkers.have(wished)) {
        compression = compression.asGzip();
      }
      return accepted.accept(compression.format()) ? compression : null;
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "level: " + e.getMessage(), e);
    }
  }

  /**
   * What is compressed is not read in order, as SHA-256 needs it. A large file would keep a worker
   * busy for as long as its digest takes.
   */
  private static OutgoingDigest digest(
      FileOperations files,
      StorePath path,
      FileSource source,
      Digest.@Nullable Algorithm algorithm,
      @Nullable Compression compression)
      throws FerryException {
    return algorithm == Digest.Algorithm.SHA256
            && compression != null
            && files.computesElsewhere(path, source.facts())
        ? OutgoingDigest.computedElsewhere(
            source,
            algorithm,
            files.withDigest(path, source.facts(), algorithm, true),
            files.workers())
        : OutgoingDigest.of(source, algorithm, compression == null, files.workers());
  }

  private static Digest.@Nullable Algorithm digest(DownloadRequest request) {
    return request.getWantDigest() ? Facts.fromMessage(request.getDigestAlgorithm()) : null;
  }

  /** Sends what is told of a failure, unless the client has cancelled. */
  static void fail(StreamObserver<?> call, Throwable failure) {
    if (call instanceof ServerCallStreamObserver<?> server && server.isCancelled()) {
      return;
    }
    call.onError(GrpcErrors.toStatus(Requests.told(failure), "call"));
  }
}
