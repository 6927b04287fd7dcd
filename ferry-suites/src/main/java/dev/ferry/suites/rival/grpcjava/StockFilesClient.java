package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.suites.files.v1.DownloadRequest;
import dev.ferry.suites.files.v1.FilePart;
import dev.ferry.suites.files.v1.UploadOptions;
import dev.ferry.suites.files.v1.UploadReply;
import dev.ferry.suites.rival.CallFailures;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.tls.NettyTls;
import dev.ferry.wire.ClientTls;
import dev.ferry.zerocopy.EventLoops;
import dev.ferry.zerocopy.ZeroCopy;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * A client of whole files over asynchronous stubs, with grpc-java's manual flow control for
 * uploads. The file is written on the threads of the call. Thread-safe.
 */
public final class StockFilesClient implements TransferClient {
  private final Channel channel;
  private final ChunkMessages<?> messages;
  private final String protocol;
  private final StockMethod.Flow flow;
  private final Runnable close;
  private final ExecutorService digests =
      Executors.newCachedThreadPool(new DefaultThreadFactory("stock-digest", true));

  StockFilesClient(
      Channel channel,
      ChunkMessages<?> messages,
      String protocol,
      StockMethod.Flow flow,
      Runnable close) {
    this.channel = channel;
    this.messages = messages;
    this.protocol = protocol;
    this.flow = flow;
    this.close = close;
  }

  /**
   * Connects, lazily, with grpc-java's own settings.
   *
   * @param tls null for plain text
   */
  public static StockFilesClient connect(
      StockMethod method, String host, int port, @Nullable ClientTls tls) {
    StockChannel channel =
        new StockChannel(host, port, tls == null ? null : NettyTls.client(tls), method::settings);
    return method.client(
        channel.channel(), tls == null ? "h2c" : "h2", StockMethod.Flow.DEFAULT, channel::close);
  }

  /** Connects, lazily, in plain text, over the transport of {@code ZeroCopy} with a plain pool. */
  public static StockFilesClient connectTuned(StockMethod method, String host, int port) {
    EventLoops loops = new EventLoops("tuned-client", Runtime.getRuntime().availableProcessors());
    NettyChannelBuilder builder =
        method.settings(NettyChannelBuilder.forAddress(host, port)).usePlaintext();
    ManagedChannel channel =
        ZeroCopy.client(builder, ZeroCopy.newPool(), loops).directExecutor().build();
    return method.client(
        channel,
        "h2c",
        StockServer.TUNED,
        () -> {
          GrpcEnd.now(channel);
          loops.close();
        });
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return download(messages, path, target, options);
  }

  private <M> Transfer download(
      ChunkMessages<M> messages, StorePath path, Path target, TransferOptions options)
      throws FerryException {
    DownloadRequest request =
        DownloadRequest.newBuilder()
            .setPath(path.value())
            .setChunkSize(options.chunkSize())
            .setWantDigest(options.verify())
            .setDigestAlgorithm(StockFacts.toMessage(options.digest()))
            .setCompress(options.gzip())
            .build();
    StockTracer tracer = new StockTracer();
    ClientCall<DownloadRequest, M> call =
        channel.newCall(StockFiles.download(messages), options(tracer, options.gzip()));
    Download<M> download =
        new Download<>(
            new ChunkReceiver<>(messages, first -> open(first, target, options)),
            options.verify(),
            flow.ahead());
    ClientCalls.asyncServerStreamingCall(call, request, download);
    FileFacts facts = await(download.done, call, path);
    return new Transfer(facts, tracer.inboundBytes(), protocol, tracer.inboundEncoding());
  }

  private FileSink open(FilePart first, Path target, TransferOptions options)
      throws FerryException {
    FileFacts facts = StockFacts.fromMessage(first.getFacts());
    FileSink sink = LocalFileSink.create(target, options.sink(facts));
    Digest.Algorithm algorithm = options.digest();
    if (algorithm != null) {
      boolean unused = sink.expectDigest(algorithm, digests);
    }
    return sink;
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    return upload(messages, file, path, options);
  }

  private <M> Transfer upload(
      ChunkMessages<M> messages, Path file, StorePath path, TransferOptions options)
      throws FerryException {
    StockTracer tracer = new StockTracer();
    ClientCall<M, UploadReply> call =
        channel.newCall(
            StockFiles.upload(messages),
            options(tracer, options.gzip()).withCompression(options.gzip() ? "gzip" : "identity"));
    FileSource source = FileSource.open(file);
    FileFacts sent = source.facts();
    FilePart first =
        FilePart.newBuilder()
            .setFacts(StockFacts.toMessage(sent, path.value()))
            .setOptions(
                UploadOptions.newBuilder()
                    .setCreateOnly(options.create().createOnly())
                    .setMakeParents(options.create().makeParents())
                    .setDigestFollows(options.verify())
                    .setDigestAlgorithm(StockFacts.toMessage(options.digest())))
            .build();
    try (Upload<M> upload = new Upload<>(messages, source, first, options)) {
      ClientCalls.asyncClientStreamingCall(call, upload);
      FileFacts stored = StockFacts.fromMessage(await(upload.done, call, path).getFacts());
      Digest.Algorithm algorithm = options.digest();
      if (stored.size() != sent.size() || (algorithm != null && stored.digest(algorithm) == null)) {
        throw new FerryException(ErrorKind.INCOMPLETE, path + ": the server stored " + stored);
      }
      return new Transfer(stored, tracer.outboundBytes(), protocol, tracer.outboundEncoding());
    }
  }

  private CallOptions options(StockTracer tracer, boolean compressed) {
    CallOptions options = tracer.addTo(CallOptions.DEFAULT);
    return compressed || flow.readyThreshold() == 0
        ? options
        : options.withOnReadyThreshold(flow.readyThreshold());
  }

  private static <T> T await(CompletableFuture<T> done, ClientCall<?, ?> call, StorePath path)
      throws FerryException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      throw CallFailures.of(e.getCause() == null ? e : e.getCause(), path.value());
    } catch (InterruptedException e) {
      call.cancel("interrupted", e);
      throw FerryException.interrupted(path + ": cancelled", e);
    }
  }

  /** Closes the channel. Running transfers fail. */
  @Override
  public void close() {
    close.run();
    digests.shutdownNow();
  }

  private static final class Download<M> implements ClientResponseObserver<DownloadRequest, M> {
    private final ChunkReceiver<M> receiver;
    private final boolean verify;
    private final int ahead;
    private final CompletableFuture<FileFacts> done = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<DownloadRequest> call;

    Download(ChunkReceiver<M> receiver, boolean verify, int ahead) {
      this.receiver = receiver;
      this.verify = verify;
      this.ahead = ahead;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<DownloadRequest> started) {
      call = started;
      if (ahead > 0) {
        started.disableAutoRequestWithInitial(ahead);
      }
    }

    @Override
    public void onNext(M message) {
      try {
        receiver.take(message);
        if (ahead > 0 && call != null) {
          call.request(1);
        }
      } catch (FerryException e) {
        fail(e);
        if (call != null) {
          call.cancel("the file cannot be written", e);
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      fail(failure);
    }

    @Override
    public void onCompleted() {
      try {
        FileFacts facts = receiver.commit(verify);
        receiver.close();
        done.complete(facts);
      } catch (FerryException e) {
        fail(e);
      }
    }

    private void fail(Throwable failure) {
      receiver.close();
      done.completeExceptionally(failure);
    }
  }

  private static final class Upload<M>
      implements ClientResponseObserver<M, UploadReply>, AutoCloseable {
    private final ChunkMessages<M> messages;
    private final FileSource source;
    private final FilePart first;
    private final TransferOptions options;
    private final CompletableFuture<UploadReply> done = new CompletableFuture<>();

    Upload(ChunkMessages<M> messages, FileSource source, FilePart first, TransferOptions options) {
      this.messages = messages;
      this.source = source;
      this.first = first;
      this.options = options;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<M> call) {
      new ChunkSender<>(call, messages, source, options.chunkSize(), options.digest())
          .start(first, e -> call.cancel("the file cannot be read", e));
    }

    @Override
    public void onNext(UploadReply reply) {
      done.complete(reply);
    }

    @Override
    public void onError(Throwable failure) {
      done.completeExceptionally(failure);
    }

    @Override
    public void onCompleted() {
      done.completeExceptionally(
          new FerryException(ErrorKind.INTERNAL, "the upload ended without a reply"));
    }

    @Override
    public void close() throws FerryException {
      source.close();
    }
  }
}
