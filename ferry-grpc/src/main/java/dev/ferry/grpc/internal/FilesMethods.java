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
record FilesMethods(
    MethodDescriptor<DownloadRequest, ChunkMessage> download,
    MethodDescriptor<ChunkMessage, UploadReply> upload) {
  static FilesMethods of(ChunkFormat format) {
    MethodDescriptor<DownloadRequest, FilePart> generatedDownload = FilesGrpc.getDownloadMethod();
    MethodDescriptor<FilePart, UploadReply> generatedUpload = FilesGrpc.getUploadMethod();
    return new FilesMethods(
        generatedDownload.toBuilder(
                generatedDownload.getRequestMarshaller(),
                format.marshaller(generatedDownload.getFullMethodName()))
            .build(),
        generatedUpload.toBuilder(
                format.marshaller(generatedUpload.getFullMethodName()),
                generatedUpload.getResponseMarshaller())
            .build());
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
