package dev.ferry.suites.url;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.suites.rival.GrpcEnd;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A method of a server that is already there, and a request for it.
 *
 * @param address where the method is
 * @param method its schema
 * @param request the request, encoded
 * @param field the field of type {@code bytes} of the responses that is received; null if the
 *     method does not stream
 */
public record GrpcCall(
    GrpcAddress address,
    MethodDescriptor method,
    ByteString request,
    @Nullable FieldDescriptor field) {
  /** The names of the files of {@link #save}. */
  private static final String REQUEST = "request";

  private static final String DESCRIPTORS = "descriptors";

  /**
   * Makes a call.
   *
   * @param json the request, in protobuf's form of JSON
   * @param descriptors a file with the schema, as {@code protoc --include_imports -o} writes it;
   *     null to ask the reflection service of the server
   * @param field the number or the name of the field that is received; null for the only one
   * @throws LabException if there is no such method or field, or the method cannot be called so
   */
  public static GrpcCall of(
      GrpcAddress address, String json, @Nullable Path descriptors, @Nullable String field)
      throws LabException {
    MethodDescriptor method = find(address, descriptors);
    if (method.isClientStreaming()) {
      throw LabException.failure(
          "--grpc: " + address + ": clients stream to the method; give one that takes one message");
    }
    FieldDescriptor received = field(address, method, field);
    DynamicMessage.Builder message = DynamicMessage.newBuilder(method.getInputType());
    try {
      JsonFormat.parser().merge(json, message);
    } catch (InvalidProtocolBufferException e) {
      throw LabException.usage(
          "--message is not JSON of %s: %s"
              .formatted(method.getInputType().getFullName(), Reason.of(e)));
    }
    if (!message.isInitialized()) {
      throw LabException.usage("--message lacks " + message.getInitializationErrorString());
    }
    return new GrpcCall(address, method, message.build().toByteString(), received);
  }

  private static MethodDescriptor find(GrpcAddress address, @Nullable Path descriptors)
      throws LabException {
    if (descriptors != null) {
      try {
        return GrpcSchema.read(descriptors).method(address);
      } catch (IOException e) {
        throw failure("--descriptors", e);
      }
    }
    ManagedChannel channel = GrpcClient.builder(address).build();
    try {
      return GrpcReflection.find(channel, address);
    } catch (IOException e) {
      throw failure("--grpc", e);
    } finally {
      GrpcEnd.now(channel);
    }
  }

  private static LabException failure(String option, IOException e) {
    return LabException.failure(option + ": " + GrpcClient.printable(Reason.of(e)), e);
  }

  private static @Nullable FieldDescriptor field(
      GrpcAddress address, MethodDescriptor method, @Nullable String chosen) throws LabException {
    if (!method.isServerStreaming()) {
      if (chosen != null) {
        throw LabException.usage(
            "--field is only for methods that stream, and %s does not; leave it out"
                .formatted(address.method()));
      }
      return null;
    }
    String response = method.getOutputType().getFullName();
    List<FieldDescriptor> fields =
        method.getOutputType().getFields().stream()
            .filter(each -> each.getType() == FieldDescriptor.Type.BYTES && !each.isRepeated())
            .toList();
    if (fields.isEmpty()) {
      throw LabException.failure(
          "--grpc: %s: the method streams %s, which has no field of type bytes; give one whose"
                  .formatted(address, response)
              + " responses have one, neither nested nor repeated");
    }
    String names =
        fields.stream()
            .map(each -> each.getName() + " (" + each.getNumber() + ")")
            .collect(Collectors.joining(", "));
    if (chosen == null && fields.size() > 1) {
      throw LabException.usage(
          "--grpc: %s has several fields of type bytes: %s; say by --field which one is received"
              .formatted(response, names));
    }
    return fields.stream()
        .filter(
            each ->
                chosen == null
                    || chosen.equals(each.getName())
                    || chosen.equals(Integer.toString(each.getNumber())))
        .findFirst()
        .orElseThrow(
            () ->
                LabException.usage(
                    "--field is '%s'; give one of the fields of type bytes of %s: %s"
                        .formatted(chosen, response, names)));
  }

  /** Returns whether the responses are a stream of bytes. */
  public boolean streams() {
    return field != null;
  }

  /** Returns a name for a file with the bytes of the stream, such as {@code Read.data}. */
  public String fileName() {
    return address.method() + "." + received().getName();
  }

  /** Returns the field that is received of a method that streams. */
  FieldDescriptor received() {
    return Objects.requireNonNull(field, "the method does not stream");
  }

  /** Writes all but the address and the name of the field to a folder, for forks. */
  public void save(Path folder) throws IOException {
    Files.write(folder.resolve(REQUEST), request.toByteArray());
    Files.write(folder.resolve(DESCRIPTORS), GrpcSchema.of(method).toByteArray());
  }

  /**
   * Reads what {@link #save} has written.
   *
   * @param field the name of the field; null if the method does not stream
   */
  static GrpcCall load(Path folder, GrpcAddress address, @Nullable String field)
      throws IOException {
    MethodDescriptor method = GrpcSchema.read(folder.resolve(DESCRIPTORS)).method(address);
    return new GrpcCall(
        address,
        method,
        ByteString.copyFrom(Files.readAllBytes(folder.resolve(REQUEST))),
        field == null ? null : method.getOutputType().findFieldByName(field));
  }

  /**
   * Makes the call, and returns the size of its response in bytes.
   *
   * @throws LabException if it does not end with OK
   */
  public int responseBytes() throws LabException {
    try (GrpcClient client = GrpcClient.connect(address)) {
      return client.call(request.toByteArray()).length;
    } catch (IOException e) {
      throw failure("--grpc", e);
    }
  }

  /**
   * Makes the call, and writes the bytes of its responses to a file. Ends it early when the
   * responses are too large.
   *
   * @param file a file that does not exist yet
   * @param most a size of all responses together in bytes, beyond which only one more is read
   * @throws LabException if it does not end with OK, or if there are no bytes
   */
  public Responses receive(Path file, long most) throws LabException {
    ManagedChannel channel = GrpcClient.builder(address).build();
    try (OutputStream out = Files.newOutputStream(file)) {
      long messages = 0;
      long size = 0;
      boolean anyBytes = false;
      Iterator<DynamicMessage> responses =
          ClientCalls.blockingServerStreamingCall(
              channel, GrpcClient.stream(this), GrpcClient.options(), request.toByteArray());
      for (; size <= most && responses.hasNext(); messages++) {
        DynamicMessage response = responses.next();
        ByteString data = bytes(response);
        data.writeTo(out);
        size += response.getSerializedSize();
        anyBytes |= !data.isEmpty();
      }
      if (!anyBytes) {
        throw LabException.failure(
            "--grpc: %s responded without bytes; give a --message that asks for some"
                .formatted(address));
      }
      return new Responses(messages, size);
    } catch (StatusRuntimeException e) {
      throw failure("--grpc", GrpcClient.failure(address, e));
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be written; give --work-dir another folder", e);
    } finally {
      GrpcEnd.now(channel);
    }
  }

  /**
   * The responses of a call.
   *
   * @param messages how many there were
   * @param size of all of them together in bytes, with the fields that are not written
   */
  public record Responses(long messages, long size) {}

  /** Returns the bytes of a response. */
  ByteString bytes(DynamicMessage response) {
    return (ByteString) response.getField(received());
  }
}
