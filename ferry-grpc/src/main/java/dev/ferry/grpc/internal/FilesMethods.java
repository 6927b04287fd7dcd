package dev.ferry.grpc.internal;

import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.ChunkMessage;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.wire.internal.v1.UploadReply;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;

/** The methods of {@code ferry.v1.Files}. The two file streams use the messages of the format. */
final class FilesMethods {
  private final MethodDescriptor<DownloadRequest, ChunkMessage> download;
  private final MethodDescriptor<ChunkMessage, UploadReply> upload;

  FilesMethods(ChunkFormat format) {
    MethodDescriptor<DownloadRequest, FilePart> generatedDownload = FilesGrpc.getDownloadMethod();
    MethodDescriptor<FilePart, UploadReply> generatedUpload = FilesGrpc.getUploadMethod();
    this.download =
        generatedDownload.toBuilder(
                generatedDownload.getRequestMarshaller(),
                format.marshaller(generatedDownload.getFullMethodName()))
            .build();
    this.upload =
        generatedUpload.toBuilder(
                format.marshaller(generatedUpload.getFullMethodName()),
                generatedUpload.getResponseMarshaller())
            .build();
  }

  MethodDescriptor<DownloadRequest, ChunkMessage> download() {
    return download;
  }

  MethodDescriptor<ChunkMessage, UploadReply> upload() {
    return upload;
  }

  /** Returns the service descriptor with these methods. It keeps the schema, for reflection. */
  ServiceDescriptor service() {
    ServiceDescriptor generated = FilesGrpc.getServiceDescriptor();
    return ServiceDescriptor.newBuilder(generated.getName())
        .setSchemaDescriptor(generated.getSchemaDescriptor())
        .addMethod(download)
        .addMethod(upload)
        .addMethod(FilesGrpc.getUploadStatusMethod())
        .addMethod(FilesGrpc.getCancelUploadMethod())
        .addMethod(FilesGrpc.getStatMethod())
        .addMethod(FilesGrpc.getListMethod())
        .addMethod(FilesGrpc.getDeleteMethod())
        .addMethod(FilesGrpc.getMoveMethod())
        .addMethod(FilesGrpc.getMakeDirectoryMethod())
        .addMethod(FilesGrpc.getMakeLinkMethod())
        .build();
  }
}
