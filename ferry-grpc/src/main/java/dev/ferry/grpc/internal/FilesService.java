package dev.ferry.grpc.internal;

import dev.ferry.contract.Errors;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FileRange;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.ListReply;
import dev.ferry.contract.v1.ListRequest;
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
import dev.ferry.core.RateLimit;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.Pace;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.transport.Tuning;
import dev.ferry.net.ServedRequest.Operation;
import dev.ferry.net.internal.CallerStores;
import dev.ferry.net.internal.Refusals;
import dev.ferry.net.internal.Requests;
import dev.ferry.net.internal.RunningRequest;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Implements {@code ferry.v1.Files} over the stores of the callers. */
final class FilesService {
  private final CallerStores stores;
  private final GrpcSetup setup;

  /**
   * Computes digests. They take time in proportion to the file size, and calls run on event loops.
   */
  private final Executor blocking;

  private final Refusals refusals;
  private final Requests requests;

  /**
   * @param refusals counts unreadable messages
   * @param requests all requests of the port
   */
  FilesService(
      CallerStores stores,
      GrpcSetup setup,
      Executor blocking,
      Refusals refusals,
      Requests requests) {
    this.stores = stores;
    this.setup = setup;
    this.blocking = blocking;
    this.refusals = refusals;
    this.requests = requests;
  }

  ServerServiceDefinition bind() {
    FilesMethods methods = new FilesMethods(setup.format());
    ServerServiceDefinition files =
        ServerServiceDefinition.builder(methods.service())
            .addMethod(
                methods.download(),
                ofCaller(
                    Operation.DOWNLOAD,
                    (store, request) ->
                        (call, headers) -> startDownload(store, request, call, headers)))
            .addMethod(
                methods.upload(),
                ofCaller(
                    Operation.UPLOAD,
                    (store, request) ->
                        ServerCalls.asyncClientStreamingCall(
                            observer -> upload(store, request, observer))))
            .addMethod(
                FilesGrpc.getUploadStatusMethod(),
                ofCaller(
                    Operation.UPLOAD_STATUS,
                    (store, request) -> ServerCalls.asyncUnaryCall(new KeptUploads(store)::status)))
            .addMethod(
                FilesGrpc.getCancelUploadMethod(),
                ofCaller(
                    Operation.CANCEL_UPLOAD,
                    (store, request) -> ServerCalls.asyncUnaryCall(new KeptUploads(store)::cancel)))
            .addMethod(
                FilesGrpc.getStatMethod(),
                ofCaller(
                    Operation.STAT,
                    (store, request) ->
                        ServerCalls.asyncUnaryCall(
                            (message, observer) -> {
                              request.path(message.getPath());
                              stat(store, request, message, observer);
                            })))
            .addMethod(
                FilesGrpc.getListMethod(),
                ofCaller(
                    Operation.LIST,
                    (store, request) ->
                        ServerCalls.asyncServerStreamingCall(
                            (message, observer) -> {
                              request.path(message.getPath());
                              list(store, request, message, observer);
                            })))
            .addMethod(
                FilesGrpc.getDeleteMethod(),
                changing(
                    Operation.DELETE,
                    (message, request) -> request.path(message.getPath()),
                    GrpcChanges::delete))
            .addMethod(
                FilesGrpc.getMoveMethod(),
                changing(
                    Operation.MOVE,
                    (message, request) -> {
                      request.path(message.getPath());
                      request.target(message.getTarget());
                    },
                    GrpcChanges::move))
            .addMethod(
                FilesGrpc.getMakeDirectoryMethod(),
                changing(
                    Operation.MAKE_DIRECTORY,
                    (message, request) -> request.path(message.getPath()),
                    GrpcChanges::makeDirectory))
            .addMethod(
                FilesGrpc.getMakeLinkMethod(),
                changing(
                    Operation.MAKE_LINK,
                    (message, request) -> request.path(message.getPath()),
                    GrpcChanges::makeLink))
            .build();
    return new ReadableRequests(refusals).of(files);
  }

  /**
   * Reports each call, and handles it with the store of its caller. A call without one, or of a
   * server that stops, is closed before a message of it is requested.
   *
   * @param handlers the handler over a store
   */
  private <I, O> ServerCallHandler<I, O> ofCaller(
      Operation operation,
      BiFunction<FileStore, RunningRequest, ServerCallHandler<I, O>> handlers) {
    return (given, headers) -> {
      ReportedCall<I, O> call = ReportedCall.begin(requests, operation, given, headers);
      try {
        if (requests.areRefused()) {
          throw Requests.stopping();
        }
        FileStore store =
            stores.of(
                headers.getAll(Authorization.KEY),
                call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION),
                call.request());
        return call.reported(handlers.apply(store, call.request()).startCall(call, headers));
      } catch (FerryException e) {
        call.refuse(e);
        return call.reported(new ServerCall.Listener<>() {});
      } catch (RuntimeException | Error e) {
        call.request().end(ErrorKind.INTERNAL);
        throw e;
      }
    };
  }

  /**
   * Handles a call that changes names in the store, on a worker.
   *
   * @param names reports the names
   */
  private <I, O> ServerCallHandler<I, O> changing(
      Operation operation, BiConsumer<I, RunningRequest> names, GrpcChanges.Change<I, O> change) {
    return ofCaller(
        operation,
        (store, request) ->
            ServerCalls.asyncUnaryCall(
                (message, observer) -> {
                  names.accept(message, request);
                  offload(
                      request, observer, () -> GrpcChanges.make(store, change, message, observer));
                }));
  }

  private ServerCall.Listener<DownloadRequest> startDownload(
      FileStore store,
      RunningRequest running,
      ServerCall<DownloadRequest, ChunkMessage> call,
      Metadata headers) {
    Encodings accepted = Encodings.accepted(headers);
    return ServerCalls.<DownloadRequest, ChunkMessage>asyncServerStreamingCall(
            (request, observer) -> {
              running.path(request.getPath());
              download(
                  store,
                  running,
                  request,
                  (ServerCallStreamObserver<ChunkMessage>) observer,
                  accepted);
            })
        .startCall(call, headers);
  }

  private void download(
      FileStore store,
      RunningRequest running,
      DownloadRequest request,
      ServerCallStreamObserver<ChunkMessage> call,
      Encodings accepted) {
    call.setOnReadyThreshold(Tuning.ON_READY_THRESHOLD);
    try {
      Executor workers = running.working(blocking);
      RateLimit limit = running.rateLimit();
      int chunkSize = Pace.chunk(limit, chunkSize(request));
      boolean part = request.hasOffset() || request.hasLength();
      Compression compression = part ? null : compression(request, accepted);
      if (compression != null) {
        call.setCompression(compression.format().encoding());
      }
      FileSource source = store.open(StorePath.parse(request.getPath()));
      FileSender sender;
      try {
        FilePart first = first(request, source.facts(), part);
        long from = first.getRange().getOffset();
        sender =
            new FileSender(
                    call,
                    limit == null ? setup : setup.batching(false),
                    source,
                    part ? first.getRange() : null,
                    chunkSize,
                    compression,
                    first,
                    OutgoingDigest.of(
                        source, part ? null : digest(request), compression == null, workers),
                    (position, size) -> running.bytes(Math.max(0, position - from)),
                    StallWatch.none(),
                    failure -> fail(call, failure, request.getPath()))
                .paced(Pace.of(limit, workers));
      } catch (FerryException | RuntimeException | Error e) {
        source.close();
        throw e;
      }
      call.setOnCancelHandler(sender::stop);
      sender.start();
    } catch (FerryException e) {
      call.onError(Errors.toStatus(e, request.getPath()));
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
      if (!accepted.accept(wished)) {
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

  private StreamObserver<ChunkMessage> upload(
      FileStore store, RunningRequest running, StreamObserver<UploadReply> observer) {
    return new FileUpload(
        store,
        setup,
        running.working(blocking),
        refusals,
        running,
        (ServerCallStreamObserver<UploadReply>) observer);
  }

  private void stat(
      FileStore store,
      RunningRequest running,
      StatRequest request,
      StreamObserver<StatReply> observer) {
    if (request.getWantDigest()) {
      offload(running, observer, () -> statNow(store, request, observer));
    } else {
      statNow(store, request, observer);
    }
  }

  /** Sends the response on another thread unless the client has cancelled by then. */
  private void offload(RunningRequest running, StreamObserver<?> observer, Runnable response) {
    ServerCallStreamObserver<?> call = (ServerCallStreamObserver<?>) observer;
    // With a cancel handler set, grpc-java drops a late response instead of throwing.
    call.setOnCancelHandler(() -> {});
    try {
      running
          .working(blocking)
          .execute(
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

  private void list(
      FileStore store,
      RunningRequest running,
      ListRequest request,
      StreamObserver<ListReply> observer) {
    new ListSender(
            store,
            request,
            (ServerCallStreamObserver<ListReply>) observer,
            running.working(blocking))
        .start();
  }

  static void fail(StreamObserver<?> call, Throwable failure, String name) {
    if (call instanceof ServerCallStreamObserver<?> server && server.isCancelled()) {
      return;
    }
    call.onError(Errors.toStatus(failure, name));
  }
}
