package dev.ferry.zerocopy;

import com.google.protobuf.ByteString;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import example.blobs.WriteResponse;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A service of files with generated code alone, as most write it, and converted. */
final class BlobServer extends BlobStoreGrpc.BlobStoreImplBase {
  final PooledByteBufAllocator pool = BlobCalls.newPool();
  final BytesField<Blob> data =
      BytesField.of(Blob.getDefaultInstance(), Blob.DATA_FIELD_NUMBER, pool);
  final MethodDescriptor<ReadRequest, BytesMessage<Blob>> read =
      data.responses(BlobStoreGrpc.getReadMethod());
  final MethodDescriptor<BytesMessage<Blob>, WriteResponse> write =
      data.requests(BlobStoreGrpc.getWriteMethod());
  private final Path folder;

  BlobServer(Path folder) {
    this.folder = folder;
  }

  ServerServiceDefinition converted() {
    return converted(read, write);
  }

  ServerServiceDefinition converted(
      MethodDescriptor<ReadRequest, BytesMessage<Blob>> sending,
      MethodDescriptor<BytesMessage<Blob>, WriteResponse> receiving) {
    return ZeroCopy.service(
        this,
        ServerMethodDefinition.create(sending, ServerCalls.asyncServerStreamingCall(this::send)),
        ServerMethodDefinition.create(
            receiving, ServerCalls.asyncClientStreamingCall(this::receive)));
  }

  @Override
  public void read(ReadRequest request, StreamObserver<Blob> responses) {
    try {
      byte[] file = Files.readAllBytes(folder.resolve(request.getName()));
      for (int at = 0; at < file.length; at += request.getChunkSize()) {
        int n = Math.min(request.getChunkSize(), file.length - at);
        responses.onNext(
            Blob.newBuilder().setOffset(at).setData(ByteString.copyFrom(file, at, n)).build());
      }
      responses.onNext(Blob.newBuilder().setEtag("the end").build());
      responses.onCompleted();
    } catch (IOException e) {
      responses.onError(Status.NOT_FOUND.withCause(e).asRuntimeException());
    }
  }

  private void send(ReadRequest request, StreamObserver<BytesMessage<Blob>> responses) {
    try {
      FileChannel file = FileChannel.open(folder.resolve(request.getName()));
      data.sendFile(file, 0, file.size())
          .closeFile()
          .chunkSize(request.getChunkSize())
          .rest((at, length) -> Blob.newBuilder().setOffset(at).build())
          .last(() -> Blob.newBuilder().setEtag("the end").build())
          .send(responses);
    } catch (IOException e) {
      responses.onError(Status.NOT_FOUND.withCause(e).asRuntimeException());
    }
  }

  @Override
  public StreamObserver<Blob> write(StreamObserver<WriteResponse> responses) {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    return new StreamObserver<>() {
      @Override
      public void onNext(Blob blob) {
        received.writeBytes(blob.getData().toByteArray());
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {
        try {
          Files.write(folder.resolve("written"), received.toByteArray());
          responses.onNext(WriteResponse.newBuilder().setSize(received.size()).build());
          responses.onCompleted();
        } catch (IOException e) {
          responses.onError(e);
        }
      }
    };
  }

  private StreamObserver<BytesMessage<Blob>> receive(StreamObserver<WriteResponse> responses) {
    try {
      FileChannel file =
          FileChannel.open(
              folder.resolve("written"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      return new Receiver(file, responses);
    } catch (IOException e) {
      throw Status.INTERNAL.withCause(e).asRuntimeException();
    }
  }

  private static final class Receiver implements StreamObserver<BytesMessage<Blob>> {
    private final FileChannel file;
    private final GatheringWriter<IOException> writer;
    private final StreamObserver<WriteResponse> responses;

    Receiver(FileChannel file, StreamObserver<WriteResponse> responses) {
      this.file = file;
      this.writer = GatheringWriter.to(file);
      this.responses = responses;
    }

    @Override
    public void onNext(BytesMessage<Blob> blob) {
      try {
        writer.write(blob);
      } catch (IOException e) {
        onError(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      writer.close();
      close();
    }

    @Override
    public void onCompleted() {
      try (file) {
        writer.flush();
        responses.onNext(WriteResponse.newBuilder().setSize(writer.bytes()).build());
        responses.onCompleted();
      } catch (IOException e) {
        responses.onError(e);
      }
    }

    private void close() {
      try {
        file.close();
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }
}
