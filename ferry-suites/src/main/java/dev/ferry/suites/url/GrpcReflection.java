package dev.ferry.suites.url;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The schema of a method, as the reflection service of its server tells it: {@code
 * grpc.reflection.v1}, or {@code v1alpha}, which has the same messages.
 */
final class GrpcReflection {
  private static final List<String> VERSIONS = List.of("v1", "v1alpha");
  private static final int PATIENCE_SECONDS = 30;

  /** A schema has fewer files; a server must not keep us busy. */
  private static final int MOST_FILES = 1_000;

  private final Channel channel;
  private final GrpcAddress address;
  private final io.grpc.MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> method;

  /** Files so far, some perhaps several times. */
  private int count;

  private GrpcReflection(Channel channel, GrpcAddress address, String version) {
    this.channel = channel;
    this.address = address;
    this.method =
        ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
            .setFullMethodName(
                "grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo")
            .build();
  }

  /**
   * Returns a method.
   *
   * @throws IOException if the server has no such method, or no reflection, in one line
   */
  static MethodDescriptor find(Channel channel, GrpcAddress address) throws IOException {
    for (String version : VERSIONS) {
      try {
        return new GrpcReflection(channel, address, version).find();
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.UNIMPLEMENTED) {
          throw GrpcClient.failure(address, e);
        }
      }
    }
    throw new IOException(
        address
            + ": the server has no reflection service, which tells how its messages look; give"
            + " --descriptors FILE, made by protoc --include_imports -o FILE");
  }

  private MethodDescriptor find() throws IOException {
    return new GrpcSchema(
            "the server",
            load(
                ServerReflectionRequest.newBuilder()
                    .setHost(address.host())
                    .setFileContainingSymbol(address.service())
                    .build()),
            name ->
                load(
                    ServerReflectionRequest.newBuilder()
                        .setHost(address.host())
                        .setFileByFilename(name)
                        .build()))
        .method(address);
  }

  /** Gets files of the schema. */
  private List<FileDescriptorProto> load(ServerReflectionRequest request) throws IOException {
    Iterator<ServerReflectionResponse> responses =
        ClientCalls.blockingServerStreamingCall(
            channel,
            method,
            CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
            request);
    List<FileDescriptorProto> files = new ArrayList<>();
    while (responses.hasNext()) {
      ServerReflectionResponse response = responses.next();
      if (response.hasErrorResponse()) {
        throw new IOException(
            address + ": the server says: " + response.getErrorResponse().getErrorMessage());
      }
      for (ByteString bytes : response.getFileDescriptorResponse().getFileDescriptorProtoList()) {
        files.add(file(bytes));
      }
    }
    return files;
  }

  private FileDescriptorProto file(ByteString bytes) throws IOException {
    if (++count > MOST_FILES) {
      throw new IOException(address + ": the schema has more than " + MOST_FILES + " files");
    }
    try {
      return FileDescriptorProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(address + ": the server tells no schema: " + e.getMessage(), e);
    }
  }
}
