package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.suites.files.v1.DownloadRequest;
import dev.ferry.suites.files.v1.FilePart;
import dev.ferry.suites.files.v1.FilesGrpc;
import dev.ferry.suites.files.v1.StatReply;
import dev.ferry.suites.files.v1.StatRequest;
import dev.ferry.suites.files.v1.UploadReply;
import dev.ferry.suites.rival.CallFailures;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * The calls of {@code ferry.v1.Files} that rows need, whole files alone, as a tutorial has them.
 * Thread-safe.
 *
 * @param <M> a message of a file's stream
 * @param executor computes SHA-256 while a file arrives
 */
record StockFiles<M>(
    FileStore store, ChunkMessages<M> messages, StockMethod.Flow flow, Executor executor) {
  static <M> MethodDescriptor<DownloadRequest, M> download(ChunkMessages<M> messages) {
    MethodDescriptor<DownloadRequest, FilePart> generated = FilesGrpc.getDownloadMethod();
    return generated.toBuilder(generated.getRequestMarshaller(), messages.marshaller()).build();
  }

  static <M> MethodDescriptor<M, UploadReply> upload(ChunkMessages<M> messages) {
    MethodDescriptor<FilePart, UploadReply> generated = FilesGrpc.getUploadMethod();
    return generated.toBuilder(messages.marshaller(), generated.getResponseMarshaller()).build();
  }

  ServerServiceDefinition bind() {
    return ServerServiceDefinition.builder(FilesGrpc.SERVICE_NAME)
        .addMethod(download(messages), ServerCalls.asyncServerStreamingCall(this::download))
        .addMethod(upload(messages), ServerCalls.asyncClientStreamingCall(this::upload))
        .addMethod(FilesGrpc.getStatMethod(), ServerCalls.asyncUnaryCall(this::stat))
        .build();
  }

  private void download(DownloadRequest request, StreamObserver<M> observer) {
    var call = (ServerCallStreamObserver<M>) observer;
    if (request.getCompress()) {
      call.setCompression("gzip");
    } else if (flow.readyThreshold() > 0) {
      call.setOnReadyThreshold(flow.readyThreshold());
    }
    try {
      FileSource source = store.open(StorePath.parse(request.getPath()));
      Digest.Algorithm algorithm =
          request.getWantDigest() ? StockFacts.fromMessage(request.getDigestAlgorithm()) : null;
      int chunkSize =
          request.getChunkSize() == 0
              ? TransferOptions.DEFAULT.chunkSize()
              : request.getChunkSize();
      ChunkSender<M> sender = new ChunkSender<>(call, messages, source, chunkSize, algorithm);
      call.setOnCancelHandler(sender::close);
      FileFacts facts = source.facts();
      sender.start(
          FilePart.newBuilder().setFacts(StockFacts.toMessage(facts, facts.name())).build(),
          e -> call.onError(CallFailures.toStatus(e)));
    } catch (FerryException e) {
      call.onError(CallFailures.toStatus(e));
    }
  }

  private StreamObserver<M> upload(StreamObserver<UploadReply> observer) {
    Upload upload = new Upload((ServerCallStreamObserver<UploadReply>) observer);
    upload.start();
    return upload;
  }

  private void stat(StatRequest request, StreamObserver<StatReply> observer) {
    try {
      StorePath path = StorePath.parse(request.getPath());
      FileFacts facts =
          request.getWantDigest()
              ? store.stat(path, StockFacts.fromMessage(request.getDigestAlgorithm()))
              : store.stat(path, false);
      observer.onNext(
          StatReply.newBuilder().setFacts(StockFacts.toMessage(facts, facts.name())).build());
      observer.onCompleted();
    } catch (FerryException e) {
      observer.onError(CallFailures.toStatus(e));
    }
  }

  /** Receives a file. */
  private final class Upload implements StreamObserver<M> {
    private final ServerCallStreamObserver<UploadReply> call;
    private final ChunkReceiver<M> receiver = new ChunkReceiver<>(messages, this::open);
    private boolean verify;
    private boolean failed;

    Upload(ServerCallStreamObserver<UploadReply> call) {
      this.call = call;
    }

    void start() {
      call.setOnCancelHandler(receiver::close);
      if (flow.ahead() > 0) {
        call.disableAutoRequest();
        call.request(flow.ahead());
      }
    }

    private FileSink open(FilePart first) throws FerryException {
      CreateOptions options =
          new CreateOptions(first.getOptions().getCreateOnly(), first.getOptions().getMakeParents())
              .withLastModified(
                  first.getFacts().hasLastModifiedMillis()
                      ? Instant.ofEpochMilli(first.getFacts().getLastModifiedMillis())
                      : null)
              .withMode(first.getFacts().hasMode() ? first.getFacts().getMode() : null);
      FileSink sink = store.create(StorePath.parse(first.getFacts().getName()), options);
      verify = first.getOptions().getDigestFollows();
      if (verify) {
        boolean unused =
            sink.expectDigest(
                StockFacts.fromMessage(first.getOptions().getDigestAlgorithm()), executor);
      }
      return sink;
    }

    @Override
    public void onNext(M message) {
      try {
        receiver.take(message);
        if (flow.ahead() > 0) {
          call.request(1);
        }
      } catch (FerryException e) {
        fail(e);
      }
    }

    @Override
    public void onError(Throwable cancelled) {
      receiver.close();
    }

    @Override
    public void onCompleted() {
      if (failed) {
        return;
      }
      try {
        FileFacts facts = receiver.commit(verify);
        receiver.close();
        call.onNext(
            UploadReply.newBuilder().setFacts(StockFacts.toMessage(facts, facts.name())).build());
        call.onCompleted();
      } catch (FerryException e) {
        fail(e);
      }
    }

    private void fail(FerryException e) {
      failed = true;
      receiver.close();
      call.onError(CallFailures.toStatus(e));
    }
  }
}
