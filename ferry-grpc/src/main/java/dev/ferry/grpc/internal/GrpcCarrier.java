package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.grpc.internal.message.ChunkCounters;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.DiskWorkers;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.servers.Reachability;
import dev.ferry.wire.internal.servers.Routes;
import dev.ferry.wire.internal.servers.ServersCarrier;
import dev.ferry.wire.internal.v1.CancelUploadRequest;
import dev.ferry.wire.internal.v1.DeleteRequest;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.MakeDirectoryRequest;
import dev.ferry.wire.internal.v1.MakeLinkRequest;
import dev.ferry.wire.internal.v1.MoveRequest;
import dev.ferry.wire.internal.v1.StatRequest;
import dev.ferry.wire.internal.v1.UploadReply;
import dev.ferry.wire.internal.v1.UploadStatusReply;
import dev.ferry.wire.internal.v1.UploadStatusRequest;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.ForeignTracers;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Transfers files by the calls of {@code files.proto} over gRPC. The first call connects.
 * Thread-safe.
 */
public final class GrpcCarrier implements Carrier {
  /**
   * The threads of calls with a rate limit, or of a file that is elsewhere: they wait, and must not
   * be event loops. Each of them serves one call after another and ends after ten idle seconds, or
   * when the carrier is closed.
   */
  private final ThreadPoolExecutor waitingCalls =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          10,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          new DefaultThreadFactory("ferry-grpc-limited", true));

  private final GrpcChannel connections;
  private final Channel channel;
  private final GrpcSetup setup;
  private final FilesMethods methods;
  private final boolean several;
  private final String server;
  private final DiskWorkers blocking = DiskWorkers.start("ferry-grpc-client-digest");
  private final RunningCalls running = new RunningCalls();
  private volatile @Nullable Encodings serverEncodings;

  /**
   * The number of calls that run or have failed. A call fails before its handlers have ended on
   * other threads, and nothing tells when they have. So only a success takes a call out again.
   */
  private final AtomicInteger perhapsWriting = new AtomicInteger();

  /**
   * Takes ownership of a channel.
   *
   * @param setup the setup whose framing the channel has
   * @param authorization the metadata {@code authorization} of each call; null for none
   * @param several whether the channel chooses one of several servers for each call
   */
  public GrpcCarrier(
      GrpcChannel connections, GrpcSetup setup, @Nullable String authorization, boolean several) {
    this.connections = connections;
    this.channel = Authorization.added(connections.channel(), authorization);
    this.setup = setup;
    this.methods = FilesMethods.of(setup.format());
    this.several = several;
    this.server = several ? "the servers" : channel.authority();
  }

  /**
   * Creates a carrier to a gRPC server. This method decides whether the setup batches.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static GrpcCarrier connect(
      String host, int port, GrpcSetup setup, @Nullable ClientTls tls, @Nullable Token token) {
    String authorization = token == null ? null : token.authorization(host, tls != null);
    return connect(
        loops -> setup.transport().connect(host, port, loops), setup, tls, authorization, false);
  }

  /**
   * Creates a carrier to several gRPC servers, with a connection to each; to one server if there is
   * only one. This may look host names up.
   *
   * @param tls null for plaintext
   * @param token sent with each call; null for none
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier connect(
      Servers servers, GrpcSetup setup, @Nullable ClientTls tls, @Nullable Token token) {
    if (servers.isSingle()) {
      Servers.Address only = servers.addresses().get(0);
      return connect(only.host(), only.port(), setup, tls, token);
    }
    String authorization = ServersCarrier.authorization(servers, token, tls != null);
    GrpcCarrier carrier =
        connect(
            loops -> setup.transport().connect(servers, loops), setup, tls, authorization, true);
    return new ServersCarrier(servers, new ChannelRoutes(carrier, servers));
  }

  private static GrpcCarrier connect(
      Function<EventLoops, NettyChannelBuilder> channel,
      GrpcSetup setup,
      @Nullable ClientTls tls,
      @Nullable String authorization,
      boolean several) {
    // May fail, and the loops need to be stopped.
    SslContext context = tls == null ? null : TlsContexts.client(tls, TlsContexts.H2);
    EventLoops loops = new EventLoops("ferry-grpc-client", setup.transport().threads());
    NettyChannelBuilder builder = channel.apply(loops);
    if (context != null) {
      builder.negotiationType(NegotiationType.TLS).sslContext(setup.transport().tls(context));
    }
    return new GrpcCarrier(
        GrpcChannel.of(builder.build(), loops, context == null ? "h2c" : "h2"),
        setup.batching(!ForeignTracers.present()),
        authorization,
        several);
  }

  /** A channel that chooses a server for each call, and leaves those that do not serve. */
  private record ChannelRoutes(GrpcCarrier carrier, Servers servers)
      implements Routes, Routes.Route {
    @Override
    public Carrier begin() {
      return carrier;
    }

    @Override
    public void end() {}

    @Override
    public List<ChannelRoutes> inTurn() {
      return Collections.nCopies(servers.inTurn().size(), this);
    }

    @Override
    public void served() {}

    @Override
    public void failed() {}

    @Override
    public void close() {
      carrier.close();
    }
  }

  private <T> T call(Retries.Call<T> call) throws FerryException {
    if (running.isClosed()) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the client of " + server + " is closed");
    }
    perhapsWriting.incrementAndGet();
    T result = call.run();
    perhapsWriting.decrementAndGet();
    return result;
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    PartRequest part = receiver.wanted();
    DownloadRequest.Builder request =
        request(path, part == null ? options : options.withCompression(null));
    if (part != null) {
      request.setOffset(part.offset()).setLength(part.length());
      if (part.version() != null) {
        request.setVersion(part.version());
      }
    }
    DownloadRequest built = request.build();
    return call(() -> download(built, path, part, receiver, options));
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
        || first.getRange().getLength() < 0
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
    Compression compression = usable(options.compression());
    if (compression != null) {
      request
          .setCompress(true)
          .setEncoding(compression.format().encoding())
          .setLevel(compression.level());
    }
    return request;
  }

  private Transfer download(
      DownloadRequest request,
      StorePath path,
      @Nullable PartRequest part,
      PartReceiver receiver,
      TransferOptions options)
      throws FerryException {
    CallReport report = report(path, options);
    WireMeter meter = meter("identity", report);
    ClientCall<DownloadRequest, ChunkMessage> call =
        channel.newCall(methods.download(), callOptions(options, meter, receiver.mayWait()));
    FileDownload download =
        new FileDownload(
            setup,
            first -> opened(open(path, first, part, receiver), receiver, options, report),
            meter,
            report);
    try {
      ClientCalls.asyncServerStreamingCall(call, request, download);
      running.await(download.done(), call, report);
      boolean verify = options.verify() && !download.isPart();
      if (verify && options.digest() != null) {
        Digest unused = options.digest().requireGiven(download.awaitDigest(), path.value());
      }
      FileFacts facts = download.commit(verify);
      return transfer(facts, meter.inboundBytes(), meter.inboundEncoding());
    } finally {
      report.endPauses();
      download.abort();
    }
  }

  private FileReceiver.Opened opened(
      FileSink file, PartReceiver receiver, TransferOptions options, CallReport report) {
    FileSink sink = report.watched(receiver.mayWait() ? report.waiting(file) : file);
    Digest.Algorithm algorithm = options.digest();
    return new FileReceiver.Opened(
        sink, algorithm != null && sink.expectDigest(algorithm, blocking));
  }

  private Transfer transfer(FileFacts facts, long wireBytes, String encoding) {
    return new Transfer(facts, wireBytes, connections.protocol(), encoding);
  }

  @Override
  public Transfer upload(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    return call(() -> send(source, path, options));
  }

  private Transfer send(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    UploadPart part = options.create().upload();
    boolean whole = part == null || part.offset() == 0;
    Compression compression = whole ? uploadCompression(options.compression()) : null;
    String encoding = compression == null ? "identity" : compression.format().encoding();
    CallReport report = report(path, options);
    WireMeter meter = meter(encoding, report);
    ClientCall<ChunkMessage, UploadReply> call =
        channel.newCall(
            methods.upload(),
            callOptions(options, meter, source.channel() == null).withCompression(encoding));
    CompletableFuture<UploadReply> done = new CompletableFuture<>();
    OutgoingUpload observer =
        new OutgoingUpload(
            done,
            setup,
            source,
            path,
            compression,
            options,
            report,
            source.isReadOnce() ? waitingCalls : blocking);
    try {
      ClientCalls.asyncClientStreamingCall(call, observer);
      UploadReply reply = running.await(done, call, report);
      return transfer(
          Facts.fromMessage(reply.getFacts()).compared(options.digest()),
          meter.outboundBytes() + observer.untracedBytes(),
          meter.outboundEncoding());
    } finally {
      report.endPauses();
      observer.stop();
    }
  }

  /** Replaces the requested compression by gzip if this end does not support it. */
  private static @Nullable Compression usable(@Nullable Compression wished) {
    return wished == null || CompressionWorkers.have(wished.format()) ? wished : wished.asGzip();
  }

  /** Replaces the requested compression by gzip if one of both ends does not support it. */
  private @Nullable Compression uploadCompression(@Nullable Compression wished) {
    Compression usable = usable(wished);
    if (usable == null || usable.format() == Compression.Format.GZIP) {
      return usable;
    }
    return serverEncodings().accept(usable.format()) ? usable : usable.asGzip();
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

  /**
   * Returns the options of a transfer.
   *
   * @param waits whether the call waits for what it sends, or for where it writes
   */
  private CallOptions callOptions(TransferOptions options, WireMeter meter, boolean waits) {
    CallOptions result = metered(options.limits(), meter);
    if (waits || options.rateLimit() != null) {
      result = result.withExecutor(waitingCalls);
    }
    return result.withOnReadyThreshold(ZeroCopy.ON_READY_THRESHOLD);
  }

  private static CallOptions metered(CallLimits limits, WireMeter meter) {
    CallOptions result = CallOptions.DEFAULT.withStreamTracerFactory(meter.factory());
    Duration timeout = limits.timeout();
    return timeout == null
        ? result
        : result.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  private CallReport report(StorePath path, CallLimits limits) {
    return report(path, TransferOptions.DEFAULT.withLimits(limits));
  }

  private CallReport report(StorePath path, TransferOptions options) {
    // Keepalive pings find a server that is gone while it works.
    return new CallReport(path.value(), server, options, false);
  }

  /**
   * @param chosen null while the call waits for its channel
   */
  private static boolean isReachable(@Nullable SocketAddress chosen) {
    return !(chosen instanceof InetSocketAddress peer) || Reachability.of(List.of(peer));
  }

  private WireMeter meter(String encoding, CallReport report) {
    WireMeter meter = new WireMeter(encoding, report.watch());
    if (several) {
      report.oneOfSeveral(Reachability.CONNECT_TIMEOUT, () -> isReachable(meter.server()));
    }
    return meter;
  }

  @Override
  public UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException {
    UploadStatusRequest request =
        UploadStatusRequest.newBuilder().setUploadId(ByteString.copyFrom(id.toBytes())).build();
    UploadStatusReply reply =
        call(() -> ask(FilesGrpc.getUploadStatusMethod(), request, StorePath.ROOT, limits));
    if (reply.getReceived() < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "upload " + id + ": the server does not say how far it is");
    }
    return new UploadStatus(
        reply.getReceived(), reply.hasFacts() ? Facts.fromMessage(reply.getFacts()) : null);
  }

  @Override
  public void cancelUpload(UploadId id, CallLimits limits) throws FerryException {
    CancelUploadRequest request =
        CancelUploadRequest.newBuilder().setUploadId(ByteString.copyFrom(id.toBytes())).build();
    change(FilesGrpc.getCancelUploadMethod(), request, StorePath.ROOT, limits);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    return call(
        () -> {
          FileFacts facts = facts(path, 0, null, false, limits);
          return digest == null ? facts : facts(path, facts.size(), digest, false, limits);
        });
  }

  @Override
  public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException {
    return call(() -> facts(path, size, digest, true, limits));
  }

  /**
   * @param size bytes that the server may have to read for the digest
   * @param now whether it has to
   */
  private FileFacts facts(
      StorePath path, long size, Digest.@Nullable Algorithm digest, boolean now, CallLimits limits)
      throws FerryException {
    CallReport report = report(path, limits);
    if (digest != null) {
      report.watch().expectResponse(size);
    }
    StatRequest request =
        StatRequest.newBuilder()
            .setPath(path.value())
            .setWantDigest(digest != null)
            .setDigestAlgorithm(Facts.toMessage(digest))
            .setReadNow(now)
            .build();
    return Facts.fromMessage(ask(FilesGrpc.getStatMethod(), request, report, limits).getFacts());
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    return call(
        () -> {
          CallReport report = report(directory, limits);
          CallOptions options = metered(limits, meter("identity", report));
          return ListCall.run(tree, channel, options, report, entries);
        });
  }

  @Override
  public void change(Change change, CallLimits limits) throws FerryException {
    String path = change.path().value();
    if (change instanceof Change.Delete delete) {
      DeleteRequest.Builder request = DeleteRequest.newBuilder().setPath(path);
      if (delete.version() != null) {
        request.setVersion(delete.version());
      }
      change(FilesGrpc.getDeleteMethod(), request.build(), delete.path(), limits);
    } else if (change instanceof Change.Move move) {
      MoveRequest.Builder request =
          MoveRequest.newBuilder()
              .setPath(path)
              .setTarget(move.target().value())
              .setReplace(move.replace());
      change(FilesGrpc.getMoveMethod(), request.build(), move.path(), limits);
    } else if (change instanceof Change.MakeDirectory made) {
      MakeDirectoryRequest.Builder request =
          MakeDirectoryRequest.newBuilder().setPath(path).setMakeParents(made.parents());
      Integer mode = made.mode();
      if (mode != null) {
        request.setMode(mode);
      }
      change(FilesGrpc.getMakeDirectoryMethod(), request.build(), made.path(), limits);
    } else if (change instanceof Change.MakeLink link) {
      MakeLinkRequest.Builder request =
          MakeLinkRequest.newBuilder()
              .setPath(path)
              .setTarget(link.target())
              .setReplace(link.replace());
      change(FilesGrpc.getMakeLinkMethod(), request.build(), link.path(), limits);
    }
  }

  private <I, O> void change(
      MethodDescriptor<I, O> method, I request, StorePath path, CallLimits limits)
      throws FerryException {
    O unused = call(() -> ask(method, request, path, limits));
  }

  private <I, O> O ask(MethodDescriptor<I, O> method, I request, StorePath path, CallLimits limits)
      throws FerryException {
    return ask(method, request, report(path, limits), limits);
  }

  /** Sends a request that has a single response message. */
  private <I, O> O ask(
      MethodDescriptor<I, O> method, I request, CallReport report, CallLimits limits)
      throws FerryException {
    ClientCall<I, O> call = channel.newCall(method, metered(limits, meter("identity", report)));
    CompletableFuture<O> done = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(call, request, new UnaryResponse<>(done));
    return running.await(done, call, report);
  }

  /** Returns the counts of chunks that were handed off and copied. */
  public ChunkCounters counters() {
    return setup.format().counters();
  }

  /** Closes the connection. Running transfers fail as cancelled or unavailable. */
  @Override
  public void close() {
    boolean idle = perhapsWriting.get() == 0;
    running.close();
    connections.closing().close(idle);
    blocking.stopNow();
    // Not a shutdown: calls that have just failed end on these threads, too.
    waitingCalls.setKeepAliveTime(0, TimeUnit.SECONDS);
    setup.format().close();
  }
}
