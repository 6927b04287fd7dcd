package dev.ferry.suites.rival.grpcjava;

import com.google.protobuf.ByteString;
import dev.ferry.contract.Errors;
import dev.ferry.contract.v1.DownloadRequest;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.contract.v1.UploadReply;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The streams of {@code ferry.v1.Files} on generated code, as a tutorial has them. */
final class StockFilesService extends FilesGrpc.FilesImplBase {
  private final FileStore store;

  StockFilesService(FileStore store) {
    this.store = store;
  }

  static dev.ferry.contract.v1.FileFacts message(FileFacts facts) {
    return dev.ferry.contract.v1.FileFacts.newBuilder()
        .setName(facts.name())
        .setSize(facts.size())
        .setLastModifiedMillis(facts.lastModified().toEpochMilli())
        .build();
  }

  @Override
  public void download(DownloadRequest request, StreamObserver<FilePart> observer) {
    var call = (ServerCallStreamObserver<FilePart>) observer;
    if (request.getCompress()) {
      call.setCompression("gzip");
    }
    try {
      StockSender sender =
          new StockSender(
              call, store.open(StorePath.parse(request.getPath())), request.getChunkSize());
      call.setOnCancelHandler(sender::close);
      sender.start(
          facts -> FilePart.newBuilder().setFacts(message(facts)).build(),
          e -> call.onError(Errors.toStatus(e, request.getPath())));
    } catch (FerryException e) {
      call.onError(Errors.toStatus(e, request.getPath()));
    }
  }

  @Override
  public StreamObserver<FilePart> upload(StreamObserver<UploadReply> observer) {
    Receiving receiving = new Receiving(store, observer);
    ((ServerCallStreamObserver<UploadReply>) observer).setOnCancelHandler(receiving::close);
    return receiving;
  }

  /** Writes a chunk without a copy: the buffer is a view of the parsed message. */
  static void write(FileSink sink, ByteString chunk) throws FerryException {
    for (ByteBuffer buffer : chunk.asReadOnlyByteBufferList()) {
      sink.write(buffer);
    }
  }

  private static final class Receiving implements StreamObserver<FilePart>, AutoCloseable {
    private final FileStore store;
    private final StreamObserver<UploadReply> reply;
    private @Nullable FileSink sink;
    private long size;
    private boolean failed;

    Receiving(FileStore store, StreamObserver<UploadReply> reply) {
      this.store = store;
      this.reply = reply;
    }

    @Override
    public void onNext(FilePart part) {
      if (failed) {
        return;
      }
      try {
        if (part.hasFacts()) {
          size = part.getFacts().getSize();
          sink = store.create(StorePath.parse(part.getFacts().getName()), CreateOptions.DEFAULT);
        } else {
          write(opened(), part.getChunk());
        }
      } catch (FerryException e) {
        fail(e);
      }
    }

    @Override
    public void onError(Throwable cancelled) {
      close();
    }

    @Override
    public void onCompleted() {
      if (failed) {
        return;
      }
      try {
        FileFacts facts = opened().commit(size, null);
        reply.onNext(UploadReply.newBuilder().setFacts(message(facts)).build());
        reply.onCompleted();
      } catch (FerryException e) {
        fail(e);
      }
    }

    private FileSink opened() throws FerryException {
      if (sink == null) {
        throw new FerryException(ErrorKind.INVALID_REQUEST, "a stream does not begin with facts");
      }
      return sink;
    }

    private void fail(FerryException e) {
      failed = true;
      close();
      reply.onError(Errors.toStatus(e, "upload"));
    }

    @Override
    public void close() {
      if (sink != null) {
        try {
          sink.close();
        } catch (FerryException e) {
          // The first failure is the one to report.
          return;
        }
      }
    }
  }
}
