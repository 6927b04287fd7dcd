package dev.ferry.suites.rival.grpcjava;

import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.grpc.internal.WireMeter;
import dev.ferry.suites.rival.TransferClient;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A client as grpc-java's documentation builds one: the blocking stub's iterator for downloads, the
 * asynchronous stub with manual flow control for uploads.
 */
public final class StockGrpcClient implements TransferClient {
  private final StockChannel connection;

  private StockGrpcClient(String host, int port) {
    connection = new StockChannel(host, port);
  }

  /** Connects, lazily, in plain text. */
  public static StockGrpcClient connect(String host, int port) {
    return new StockGrpcClient(host, port);
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    DownloadRequest request =
        DownloadRequest.newBuilder()
            .setPath(path.value())
            .setChunkSize(options.chunkSize())
            .setCompress(options.gzip())
            .build();
    WireMeter meter = new WireMeter("gzip");
    // An iterator that is left before its end would keep the call open: the context cancels it.
    try (Context.CancellableContext context = Context.current().withCancellation();
        FileSink sink = LocalFileSink.create(target, SinkOptions.DEFAULT)) {
      Context previous = context.attach();
      try {
        Iterator<FilePart> parts =
            FilesGrpc.newBlockingStub(connection.channel())
                .withInterceptors(new Metering(meter))
                .download(request);
        long size = -1;
        while (parts.hasNext()) {
          FilePart part = parts.next();
          if (part.hasFacts()) {
            size = part.getFacts().getSize();
          } else {
            StockFilesService.write(sink, part.getChunk());
          }
        }
        FileFacts facts = sink.commit(size, null);
        return new Transfer(facts, meter.inboundBytes(), "h2c", meter.inboundEncoding());
      } finally {
        context.detach(previous);
      }
    } catch (StatusRuntimeException e) {
      throw Errors.fromStatus(e, path.value());
    }
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    WireMeter meter = new WireMeter("gzip");
    FilesGrpc.FilesStub stub =
        FilesGrpc.newStub(connection.channel()).withInterceptors(new Metering(meter));
    try (FileSource source = FileSource.open(file)) {
      Upload upload = new Upload(source, path, options);
      var unused = (options.gzip() ? stub.withCompression("gzip") : stub).upload(upload);
      UploadReply reply = upload.await(path.value());
      FileFacts facts = source.facts().withoutDigests();
      if (reply.getFacts().getSize() != facts.size()) {
        throw new FerryException(ErrorKind.INCOMPLETE, path + ": arrived with another size");
      }
      return new Transfer(facts, meter.outboundBytes(), "h2c", meter.outboundEncoding());
    }
  }

  private static final class Upload implements ClientResponseObserver<FilePart, UploadReply> {
    private final FileSource source;
    private final StorePath path;
    private final TransferOptions options;
    private final CompletableFuture<UploadReply> done = new CompletableFuture<>();
    private @Nullable ClientCallStreamObserver<FilePart> call;

    Upload(FileSource source, StorePath path, TransferOptions options) {
      this.source = source;
      this.path = path;
      this.options = options;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<FilePart> started) {
      call = started;
      new StockSender(started, source, options.chunkSize())
          .start(
              facts ->
                  FilePart.newBuilder()
                      .setFacts(StockFilesService.message(facts).toBuilder().setName(path.value()))
                      .build(),
              e -> started.cancel("the file cannot be read", e));
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
          new FerryException(ErrorKind.INTERNAL, path + ": the upload ended without a reply"));
    }

    UploadReply await(String name) throws FerryException {
      try {
        return done.get();
      } catch (ExecutionException e) {
        throw Errors.fromStatus(e.getCause() == null ? e : e.getCause(), name);
      } catch (InterruptedException e) {
        if (call != null) {
          call.cancel("interrupted", e);
        }
        Thread.currentThread().interrupt();
        throw new FerryException(ErrorKind.CANCELLED, name + ": cancelled", e);
      }
    }
  }

  /** Puts a meter on every call. */
  private record Metering(WireMeter meter) implements ClientInterceptor {
    @Override
    public <A, B> ClientCall<A, B> interceptCall(
        MethodDescriptor<A, B> method, CallOptions options, Channel next) {
      return next.newCall(method, options.withStreamTracerFactory(meter.factory()));
    }
  }

  @Override
  public void close() {
    connection.close();
  }
}
