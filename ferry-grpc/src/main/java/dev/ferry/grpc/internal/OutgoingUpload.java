package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FileRange;
import dev.ferry.wire.internal.v1.UploadOptions;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Sends one upload of a client, or the rest of it. */
final class OutgoingUpload extends UnaryResponse<UploadReply>
    implements ClientResponseObserver<ChunkMessage, UploadReply> {
  private final GrpcSetup setup;
  private final FileSource source;
  private final @Nullable FileRange rest;
  private final @Nullable Compression compression;
  private final FilePart first;
  private final OutgoingDigest digest;
  private final TransferOptions options;
  private final CallReport report;
  private @Nullable OutgoingFile sender;

  /**
   * Begins to compute the digest of the file, if it is not computed of what is sent.
   *
   * @param compression how; null for a rest
   */
  OutgoingUpload(
      CompletableFuture<UploadReply> done,
      GrpcSetup setup,
      FileSource source,
      StorePath path,
      @Nullable Compression compression,
      TransferOptions options,
      CallReport report,
      Executor blocking)
      throws FerryException {
    super(done);
    this.setup = setup;
    this.source = source;
    this.rest = rest(source, options.create().upload());
    this.compression = compression;
    this.first = first(source, path, options);
    this.digest =
        rest == null
            ? OutgoingDigest.of(source, options.digest(), compression == null, blocking)
            : OutgoingDigest.beside(source, options.digest(), blocking);
    this.options = options;
    this.report = report;
  }

  private static FilePart first(FileSource source, StorePath path, TransferOptions options) {
    UploadPart part = options.create().upload();
    UploadOptions.Builder upload = Facts.toMessage(options.create(), options.digest()).toBuilder();
    if (part != null) {
      upload.setUploadId(ByteString.copyFrom(part.id().toBytes())).setOffset(part.offset());
    }
    FileFacts facts = options.sent(source.facts()).withVersion(null);
    return FilePart.newBuilder()
        .setFacts(Facts.toMessage(facts).toBuilder().setName(path.value()))
        .setOptions(upload)
        .build();
  }

  /** Returns the range of a file that is to be sent; null for all. */
  private static @Nullable FileRange rest(FileSource source, @Nullable UploadPart part)
      throws FerryException {
    if (part == null || part.offset() == 0) {
      return null;
    }
    long size = source.facts().size();
    if (part.size() != size || part.offset() > size) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED,
          source.facts().name() + ": changed since its first part was sent");
    }
    return FileRange.newBuilder().setOffset(part.offset()).setLength(size - part.offset()).build();
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<ChunkMessage> call) {
    sender =
        new OutgoingFile(
            call,
            // With a rate limit, each chunk is sent by itself.
            options.rateLimit() == null ? setup : setup.batching(false),
            source,
            rest,
            options.chunkSize(),
            compression,
            first,
            digest,
            report,
            report.watch(),
            failure -> call.cancel("the file cannot be read", told(failure)));
    sender.start();
  }

  /** Without an error of Ferry, a cancelled call is one whose connection was lost. */
  private FerryException told(Throwable failure) {
    return failure instanceof FerryException known
        ? known
        : new FerryException(
            ErrorKind.INTERNAL, report.name() + ": cannot be sent: " + failure, failure);
  }

  /** See {@link OutgoingFile#untracedBytes}. */
  long untracedBytes() {
    return sender == null ? 0 : sender.untracedBytes();
  }

  /** Stops sending after the end of the call. */
  void stop() {
    if (sender != null) {
      sender.stop();
    }
  }
}
