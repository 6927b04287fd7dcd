package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.suites.files.v1.DownloadRequest;
import dev.ferry.suites.files.v1.FilePart;
import dev.ferry.suites.files.v1.FilesGrpc;
import dev.ferry.suites.rival.CallFailures;
import dev.ferry.suites.rival.TransferClient;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.nio.file.Path;
import java.util.Iterator;

/**
 * A client as grpc-java's documentation builds one: the blocking stub's iterator for downloads, the
 * uploads of {@link StockFilesClient}. Its gzip is grpc-java's own, which has level 6.
 */
public final class StockGrpcClient implements TransferClient {
  private final GeneratedMessages messages = new GeneratedMessages();
  private final StockChannel connection;
  private final StockFilesClient uploads;

  private StockGrpcClient(String host, int port) {
    connection = new StockChannel(host, port);
    uploads =
        StockMethod.DEFAULT.client(
            connection.channel(), "h2c", StockMethod.Flow.DEFAULT, connection::close);
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
    StockTracer tracer = new StockTracer();
    // An iterator that is left before its end would keep the call open: the context cancels it.
    try (Context.CancellableContext context = Context.current().withCancellation();
        FileSink sink = LocalFileSink.create(target, SinkOptions.DEFAULT)) {
      Context previous = context.attach();
      try {
        Iterator<FilePart> parts =
            FilesGrpc.newBlockingStub(connection.channel())
                .withInterceptors(new Metering(tracer))
                .download(request);
        long size = -1;
        while (parts.hasNext()) {
          FilePart part = parts.next();
          if (part.hasFacts()) {
            size = part.getFacts().getSize();
          } else {
            messages.write(part, sink);
          }
        }
        FileFacts facts = sink.commit(size, null);
        return new Transfer(facts, tracer.inboundBytes(), "h2c", tracer.inboundEncoding());
      } finally {
        context.detach(previous);
      }
    } catch (StatusRuntimeException e) {
      throw CallFailures.of(e, path.value());
    }
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    return uploads.upload(file, path, options);
  }

  /** Counts the bytes of every call. */
  private record Metering(StockTracer tracer) implements ClientInterceptor {
    @Override
    public <A, B> ClientCall<A, B> interceptCall(
        MethodDescriptor<A, B> method, CallOptions options, Channel next) {
      return next.newCall(method, tracer.addTo(options));
    }
  }

  @Override
  public void close() {
    uploads.close();
  }
}
