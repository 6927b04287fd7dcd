package dev.ferry.suites.own;

import dev.ferry.zerocopy.BytesField;
import dev.ferry.zerocopy.BytesMessage;
import dev.ferry.zerocopy.CopyCounters;
import dev.ferry.zerocopy.FileSender;
import dev.ferry.zerocopy.ZeroCopy;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.zip.CRC32C;

/** The service with {@code ferry-zerocopy}, as docs/zero-copy.md converts one. */
final class ZeroCopyBlobs extends BlobStoreGrpc.BlobStoreImplBase {
  static final BytesField<Blob> DATA =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER);
  static final MethodDescriptor<ReadRequest, BytesMessage<Blob>> READ =
      DATA.responses(BlobStoreGrpc.getReadMethod());
  static final MethodDescriptor<BytesMessage<Blob>, WriteResponse> WRITE =
      DATA.requests(BlobStoreGrpc.getWriteMethod());

  private final Path folder;

  private ZeroCopyBlobs(Path folder) {
    this.folder = folder;
  }

  /** Sets up a server of a folder. */
  static NettyServerBuilder serve(NettyServerBuilder builder, Path folder) {
    ZeroCopyBlobs blobs = new ZeroCopyBlobs(folder);
    return ZeroCopy.server(builder)
        .directExecutor()
        .addService(
            ZeroCopy.service(
                blobs,
                ServerMethodDefinition.create(
                    READ, ServerCalls.asyncServerStreamingCall(blobs::send)),
                ServerMethodDefinition.create(
                    WRITE, ServerCalls.asyncClientStreamingCall(blobs::receive))));
  }

  /** Connects, lazily. */
  static ManagedChannel connect(NettyChannelBuilder builder) {
    return ZeroCopy.client(builder).directExecutor().build();
  }

  /** A row must not be faster or slower because it did something else than its name says. */
  static void requireNoCopies() throws IOException {
    CopyCounters.Snapshot copies = DATA.copies().snapshot();
    if (copies.copiedOut() > 0 || copies.copiedIn() > 0) {
      throw new IOException("chunks were copied: " + copies);
    }
  }

  /** Returns what sends a file at either end. */
  static FileSender<Blob> sender(Blob first, FileChannel file, int chunkSize) throws IOException {
    long size = file.size();
    FileSender<Blob> sender =
        DATA.sendFile(file, 0, size)
            .chunkSize(chunkSize)
            .first(first)
            .rest((offset, length) -> Blob.newBuilder().setOffset(offset).build());
    if (first.getCrc32CFollows()) {
      CRC32C sum = new CRC32C();
      sender
          .onBytes(sum::update)
          .last(() -> Blob.newBuilder().setOffset(size).setCrc32C((int) sum.getValue()).build());
    }
    return sender;
  }

  private void send(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    try {
      // Of earlier calls, since what this one sends is not counted before its end.
      requireNoCopies();
      Path path = Blobs.resolve(folder, request.getName());
      Blob first =
          Blobs.first(request.getName(), path).toBuilder()
              .setCrc32CFollows(request.getWantCrc32C())
              .build();
      sender(first, FileChannel.open(path), request.getChunkSize()).closeFile().send(responses);
    } catch (IOException e) {
      responses.onError(Blobs.status(e));
    }
  }

  private StreamObserver<BytesMessage<Blob>> receive(StreamObserver<WriteResponse> responses) {
    return WriteObserver.ahead(receiver(name -> Blobs.resolve(folder, name)), responses);
  }

  static BlobReceiver<BytesMessage<Blob>> receiver(Function<String, Path> target) {
    return new BlobReceiver<>(
        target, BytesMessage::rest, new ViewedBytes<>(ZeroCopyBlobs::requireNoCopies));
  }
}
