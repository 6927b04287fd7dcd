package dev.ferry.suites.url;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Map<String, FileDescriptorProto> files = new HashMap<>();
  private final Map<String, FileDescriptor> built = new HashMap<>();

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
   * Returns the schema of a method.
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
        address + ": the server has no reflection service, which tells how its messages look");
  }

  private MethodDescriptor find() throws IOException {
    ServerReflectionRequest request =
        ServerReflectionRequest.newBuilder()
            .setHost(address.host())
            .setFileContainingSymbol(address.service())
            .build();
    for (String file : load(request)) {
      for (ServiceDescriptor service : build(file, new HashSet<>()).getServices()) {
        if (service.getFullName().equals(address.service())) {
          return method(service);
        }
      }
    }
    throw new IOException(address + ": the server has no service " + address.service());
  }

  private MethodDescriptor method(ServiceDescriptor service) throws IOException {
    MethodDescriptor found = service.findMethodByName(address.method());
    if (found == null) {
      throw new IOException(
          "%s: the service has no method %s, but %s"
              .formatted(
                  address,
                  address.method(),
                  String.join(
                      ", ",
                      service.getMethods().stream().map(MethodDescriptor::getName).toList())));
    }
    if (found.isClientStreaming() || found.isServerStreaming()) {
      throw new IOException(address + ": the method streams; give one with a single response");
    }
    return found;
  }

  /** Gets files of the schema. Returns their names. */
  private List<String> load(ServerReflectionRequest request) throws IOException {
    Iterator<ServerReflectionResponse> responses =
        ClientCalls.blockingServerStreamingCall(
            channel,
            method,
            CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
            request);
    List<String> names = new ArrayList<>();
    while (responses.hasNext()) {
      ServerReflectionResponse response = responses.next();
      if (response.hasErrorResponse()) {
        throw new IOException(
            address + ": the server says: " + response.getErrorResponse().getErrorMessage());
      }
      for (ByteString bytes : response.getFileDescriptorResponse().getFileDescriptorProtoList()) {
        names.add(add(bytes));
      }
    }
    return names;
  }

  private String add(ByteString bytes) throws IOException {
    FileDescriptorProto file;
    try {
      file = FileDescriptorProto.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(address + ": the server tells no schema: " + e.getMessage(), e);
    }
    files.put(file.getName(), file);
    if (files.size() > MOST_FILES) {
      throw new IOException(address + ": the schema has more than " + MOST_FILES + " files");
    }
    return file.getName();
  }

  /**
   * Builds a file and those that it imports.
   *
   * @param within the files that import it
   */
  private FileDescriptor build(String name, Set<String> within) throws IOException {
    FileDescriptor done = built.get(name);
    if (done != null) {
      return done;
    }
    if (!within.add(name)) {
      throw new IOException(address + ": the server's file " + name + " imports itself");
    }
    if (!files.containsKey(name)) {
      List<String> unused =
          load(
              ServerReflectionRequest.newBuilder()
                  .setHost(address.host())
                  .setFileByFilename(name)
                  .build());
    }
    FileDescriptorProto file = files.get(name);
    if (file == null) {
      throw new IOException(address + ": the server does not have its own file " + name);
    }
    List<FileDescriptor> imports = new ArrayList<>();
    for (String each : file.getDependencyList()) {
      imports.add(build(each, within));
    }
    within.remove(name);
    try {
      done = FileDescriptor.buildFrom(file, imports.toArray(FileDescriptor[]::new));
    } catch (DescriptorValidationException e) {
      throw new IOException(address + ": the server's schema is wrong: " + e.getMessage(), e);
    }
    built.put(name, done);
    return done;
  }
}
