package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.contract.v1.CancelUploadReply;
import dev.ferry.contract.v1.CancelUploadRequest;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.StatRequest;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.contract.v1.UploadStatusReply;
import dev.ferry.contract.v1.UploadStatusRequest;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.transport.OneOfServers;
import dev.ferry.grpc.internal.transport.Tuning;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Grpc;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The calls of a client. */
final class FileCalls {
  /**
   * The threads of calls with a rate limit, which wait and must not be event loops. Each of them
   * serves one call after another and ends after ten idle seconds.
   */
  private static final Executor LIMITED_CALLS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DefaultThreadFactory("ferry-grpc-limited", true));

  private final Channel channel;
  private final GrpcSetup setup;
  private final FilesMethods methods;
  private final Executor blocking;
  private final boolean pings;
  private final @Nullable OneOfServers several;
  private final RunningCalls running = new RunningCalls();
  private volatile @Nullable Encodings serverEncodings;
  private volatile TransferOptions callLimits = TransferOptions.DEFAULT;

  /**
   * Creates the calls of a channel.
   *
   * @param pings whether the channel itself detects an unresponsive server by keepalive pings
   */
  FileCalls(Channel channel, GrpcSetup setup, Executor blocking, boolean pings) {
    this(channel, setup, blocking, pings, null);
  }

  /**
   * Creates the calls of a channel.
   *
   * @param several what is known of the servers if there are several; null if there is one
   */
  FileCalls(
      Channel channel,
      GrpcSetup setup,
      Executor blocking,
      boolean pings,
      @Nullable OneOfServers several) {
    this.channel = channel;
    this.pings = pings;
    this.several = several;
    this.setup = setup;
    this.methods = new FilesMethods(setup.format());
    this.blocking = blocking;
  }

  /** See {@link dev.ferry.core.Carrier#download(StorePath, PartReceiver, TransferOptions)}. */
  Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return download(
        request(path, options), path, options, first -> open(path, first, null, receiver));
  }

  /** See {@link dev.ferry.core.Carrier#downloadPart}. */
  Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    DownloadRequest.Builder request =
        request(path, options.withCompression(null))
            .setOffset(part.offset())
            .setLength(part.length());
    String version = part.version();
    if (version != null) {
      request.setVersion(version);
    }
    return download(request, path, options, first -> open(path, first, part, receiver));
  }

  private static FileSink open(
      StorePath path, FilePart first, @Nullable PartRequest part, PartReceiver receiver)
      throws FerryException {
    FileFacts facts = Facts.fromMessage(first.getFacts());
    if (part == null) {
      if (first.hasRange()) {
        // Its digest would not be that of the file.
        throw new FerryException(
            ErrorKind.INCOMPLETE, path + ": a part was sent, and not the file");
      }
      return receiver.whole(first.getFacts().hasSize() ? facts : facts.withVersion(null));
    }
    if (!first.hasRange()
        || first.getRange().getOffset() != part.offset()
        || facts.version() == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, path + ": another part was sent");
    }
    if (part.version() != null && !part.version().equals(facts.version())) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH, path + ": a part of another version was sent");
    }
    return receiver.part(facts, first.getRange().getLength());
  }

  private static DownloadRequest.Builder request(StorePath path, TransferOptions options) {
    DownloadRequest.Builder request =
        DownloadRequest.newBuilder()
            .setPath(path.value())
            .setChunkSize(options.chunkSize())
            .setWantDigest(options.verify())
            .setDigestAlgorithm(Facts.toMessage(options.digest()));
    Compression compression = options.compression();
    if (compression != null) {
      request
          .setCompress(true)
          .setEncoding(compression.format().encoding())
          .setLevel(compression.level());
    }
    return request;
  }

  /** Opens the file, or the part of it, that the server sends. */
  @FunctionalInterface
  private interface Target {
    FileSink open(FilePart first) throws FerryException;
  }

  private Transfer download(
      DownloadRequest.Builder request, StorePath path, TransferOptions options, Target target)
      throws FerryException {
    CallReport report = report(path, options);
    WireMeter meter = meter("identity", report);
    ClientCall<DownloadRequest, ChunkMessage> call =
        channel.newCall(methods.download(), callOptions(options, meter));
    FileDownload download =
        new FileDownload(
            setup, first -> opened(target.open(first), options, report), meter, report);
    try {
      ClientCalls.asyncServerStreamingCall(call, request.build(), download);
      running.await(download.done(), call, report);
      boolean verify = options.verify() && !download.isPart();
      if (verify && options.digest() != null) {
        Digest unused = options.digest().requireGiven(download.awaitDigest(), path.value());
      }
      FileFacts facts = download.commit(verify);
      return transfer(call, facts, meter.inboundBytes(), meter.inboundEncoding());
    } finally {
      report.endPauses();
      download.abort();
    }
  }

  private FileReceiver.Opened opened(FileSink file, TransferOptions options, CallReport report) {
    FileSink sink = report.watched(file);
    Digest.Algorithm algorithm = options.digest();
    return new FileReceiver.Opened(
        sink, algorithm != null && sink.expectDigest(algorithm, blocking));
  }

  /**
   * Uploads a file.
   *
   * @param part as for {@link dev.ferry.core.Carrier#upload(Path, StorePath, UploadPart,
   *     TransferOptions)}; null for an upload that cannot be continued
   */
  Transfer upload(Path file, StorePath path, @Nullable UploadPart part, TransferOptions options)
      throws FerryException {
    try (FileSource source = FileSource.open(file)) {
      return upload(source, path, part, options);
    }
  }

  /** Cancels the calls that run, except lists, and those that begin later. */
  void close() {
    running.close();
  }

  /** See {@link dev.ferry.core.Carrier#limitCalls}. */
  void limitCalls(TransferOptions limits) {
    callLimits = limits.withProgress(TransferOptions.Progress.NONE);
  }

  /**
   * Returns the facts of a file or directory.
   *
   * @param digest the algorithm of the digest that they must include; null for none
   */
  FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest) throws FerryException {
    CallReport report = report(path, callLimits);
    if (digest != null) {
      // The server responds. It now has to read this many bytes for the digest.
      report.watch().expectResponse(stat(path, null).size());
    }
    StatRequest request =
        StatRequest.newBuilder()
            .setPath(path.value())
            .setWantDigest(digest != null)
            .setDigestAlgorithm(Facts.toMessage(digest))
            .build();
    return Facts.fromMessage(unaryCall(FilesGrpc.getStatMethod(), request, report).getFacts());
  }

  void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    CallReport report = report(directory, callLimits);
    CallOptions options = limited(callLimits);
    if (several != null) {
      options = options.withStreamTracerFactory(meter("identity", report).factory());
    }
    ListCall.run(channel, options, report, entries);
  }

  /** Sends a request that changes names in the store. */
  <I, O> void change(MethodDescriptor<I, O> method, I request, StorePath path)
      throws FerryException {
    O unused = unaryCall(method, request, report(path, callLimits));
  }

  /** Sends a request that has a single response message. */
  private <I, O> O unaryCall(MethodDescriptor<I, O> method, I request, CallReport report)
      throws FerryException {
    WireMeter meter = meter("identity", report);
    ClientCall<I, O> call =
        channel.newCall(method, limited(callLimits).withStreamTracerFactory(meter.factory()));
    CompletableFuture<O> done = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(call, request, new UnaryResponse<>(done));
    return running.await(done, call, report);
  }

  /** See {@link dev.ferry.core.Carrier#uploadStatus}. */
  UploadStatus uploadStatus(UploadId id) throws FerryException {
    UploadStatusRequest request =
        UploadStatusRequest.newBuilder().setUploadId(ByteString.copyFrom(id.toBytes())).build();
    UploadStatusReply reply =
        unaryCall(FilesGrpc.getUploadStatusMethod(), request, report(StorePath.ROOT, callLimits));
    return new UploadStatus(
        reply.getReceived(), reply.hasFacts() ? Facts.fromMessage(reply.getFacts()) : null);
  }

  /** See {@link dev.ferry.core.Carrier#cancelUpload}. */
  void cancelUpload(UploadId id) throws FerryException {
    CancelUploadRequest request =
        CancelUploadRequest.newBuilder().setUploadId(ByteString.copyFrom(id.toBytes())).build();
    CancelUploadReply unused =
        unaryCall(FilesGrpc.getCancelUploadMethod(), request, report(StorePath.ROOT, callLimits));
  }

  private Transfer upload(
      FileSource source, StorePath path, @Nullable UploadPart part, TransferOptions options)
      throws FerryException {
    boolean whole = part == null || part.offset() == 0;
    Compression compression = whole ? uploadCompression(options.compression()) : null;
    String encoding = compression == null ? "identity" : compression.format().encoding();
    CallReport report = report(path, options);
    WireMeter meter = meter(encoding, report);
    ClientCall<ChunkMessage, UploadReply> call =
        channel.newCall(methods.upload(), callOptions(options, meter).withCompression(encoding));
    CompletableFuture<UploadReply> done = new CompletableFuture<>();
    OutgoingUpload observer =
        new OutgoingUpload(done, setup, source, path, part, compression, options, report, blocking);
    try {
      ClientCalls.asyncClientStreamingCall(call, observer);
      UploadReply reply = running.await(done, call, report);
      return transfer(
          call,
          Facts.fromMessage(reply.getFacts()).compared(options.digest()),
          meter.outboundBytes() + observer.untracedBytes(),
          meter.outboundEncoding());
    } finally {
      report.endPauses();
      observer.stop();
    }
  }

  /** Replaces the requested compression by gzip if the server does not support it. */
  private @Nullable Compression uploadCompression(@Nullable Compression wished) {
    if (wished == null || wished.format() == Compression.Format.GZIP) {
      return wished;
    }
    return serverEncodings().accept(wished.format()) ? wished : wished.asGzip();
  }

  private Encodings serverEncodings() {
    Encodings known = serverEncodings;
    if (known == null) {
      known = Encodings.ofServer(channel);
      // A server that is unreachable now may state its encodings later.
      serverEncodings = known.names().isEmpty() ? null : known;
    }
    return known;
  }

  private CallOptions callOptions(TransferOptions options, WireMeter meter) {
    CallOptions result = limited(options).withStreamTracerFactory(meter.factory());
    if (options.rateLimit() != null) {
      result = result.withExecutor(LIMITED_CALLS);
    }
    return result.withOnReadyThreshold(Tuning.ON_READY_THRESHOLD);
  }

  private static CallOptions limited(TransferOptions options) {
    Duration timeout = options.timeout();
    return timeout == null
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private static Transfer transfer(
      ClientCall<?, ?> call, FileFacts facts, long wireBytes, String encoding) {
    boolean tls = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION) != null;
    return new Transfer(facts, wireBytes, tls ? "h2" : "h2c", encoding);
  }

  private CallReport report(StorePath path, TransferOptions options) {
    String server = several == null ? channel.authority() : several.name();
    return new CallReport(path.value(), server, options, !pings);
  }

  private WireMeter meter(String encoding, CallReport report) {
    WireMeter meter = new WireMeter(encoding, report.watch());
    if (several != null) {
      several.watch(report, meter::server);
    }
    return meter;
  }
}
