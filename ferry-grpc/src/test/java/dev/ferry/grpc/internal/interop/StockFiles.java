package dev.ferry.grpc.internal.interop;

import com.google.protobuf.ByteString;
import dev.ferry.core.Sha256;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileEnd;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.StatReply;
import dev.ferry.wire.internal.v1.StatRequest;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The service as one writes it with the generated code alone, files in memory. */
final class StockFiles extends FilesGrpc.FilesImplBase {
  /** What a server makes of the wish for compressed messages. */
  enum Compressing {
    AS_REQUESTED,
    NEVER,
    ALWAYS,
    EVERY_OTHER
  }

  private final Path root;
  private final Compressing compressing;

  StockFiles(Path root, Compressing compressing) {
    this.root = root;
    this.compressing = compressing;
  }

  /**
   * The messages of a file's stream.
   *
   * @param name path the facts have
   * @param digest whether there is an end
   */
  static List<FilePart> parts(Path file, String name, int chunk, boolean digest) throws Exception {
    ByteString bytes = ByteString.copyFrom(Files.readAllBytes(file));
    List<FilePart> parts = new ArrayList<>();
    FileFacts.Builder facts = FileFacts.newBuilder().setName(name).setSize(bytes.size());
    parts.add(FilePart.newBuilder().setFacts(facts).build());
    for (int at = 0; at < bytes.size(); at += chunk) {
      ByteString slice = bytes.substring(at, Math.min(at + chunk, bytes.size()));
      parts.add(FilePart.newBuilder().setChunk(slice).build());
    }
    if (digest) {
      ByteString sha256 = ByteString.copyFrom(Sha256.ofFile(file).toBytes());
      parts.add(FilePart.newBuilder().setEnd(FileEnd.newBuilder().setSha256(sha256)).build());
    }
    return parts;
  }

  @Override
  public void download(DownloadRequest request, StreamObserver<FilePart> observer) {
    ServerCallStreamObserver<FilePart> call = (ServerCallStreamObserver<FilePart>) observer;
    if (compressing != Compressing.NEVER
        && (compressing != Compressing.AS_REQUESTED || request.getCompress())) {
      call.setCompression("gzip");
    }
    try {
      Path file = root.resolve(request.getPath());
      boolean compressed = true;
      for (FilePart part :
          parts(file, request.getPath(), request.getChunkSize(), request.getWantDigest())) {
        call.setMessageCompression(compressed);
        call.onNext(part);
        compressed = compressing != Compressing.EVERY_OTHER || !compressed;
      }
      call.onCompleted();
    } catch (Exception e) {
      call.onError(Status.INTERNAL.withCause(e).asRuntimeException());
    }
  }

  /** Knows SHA-256 alone, like the other calls. */
  @Override
  public void stat(StatRequest request, StreamObserver<StatReply> observer) {
    try {
      ByteString sha256 =
          ByteString.copyFrom(Sha256.ofFile(root.resolve(request.getPath())).toBytes());
      FileFacts.Builder facts = FileFacts.newBuilder().setName(request.getPath()).setSha256(sha256);
      observer.onNext(StatReply.newBuilder().setFacts(facts).build());
      observer.onCompleted();
    } catch (IOException e) {
      observer.onError(Status.INTERNAL.withCause(e).asRuntimeException());
    }
  }

  @Override
  public StreamObserver<FilePart> upload(StreamObserver<UploadReply> reply) {
    return new StreamObserver<>() {
      private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      private String name = "";

      @Override
      public void onNext(FilePart part) {
        if (part.hasFacts()) {
          name = part.getFacts().getName();
        }
        bytes.writeBytes(part.getChunk().toByteArray());
      }

      @Override
      public void onError(Throwable cancelled) {}

      @Override
      public void onCompleted() {
        try {
          Path file = Files.write(root.resolve(name), bytes.toByteArray());
          ByteString sha256 = ByteString.copyFrom(Sha256.ofFile(file).toBytes());
          FileFacts.Builder facts =
              FileFacts.newBuilder().setName(name).setSize(bytes.size()).setSha256(sha256);
          reply.onNext(UploadReply.newBuilder().setFacts(facts).build());
          reply.onCompleted();
        } catch (IOException e) {
          reply.onError(Status.INTERNAL.withCause(e).asRuntimeException());
        }
      }
    };
  }
}
