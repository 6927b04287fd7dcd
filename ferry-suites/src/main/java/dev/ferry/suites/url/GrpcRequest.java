package dev.ferry.suites.url;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import java.io.IOException;

/**
 * A request that a server has answered.
 *
 * @param message its bytes
 * @param responseBytes the size of the response
 */
public record GrpcRequest(ByteString message, int responseBytes) {
  /**
   * Makes a request from JSON, as the reflection service of the server tells, and calls the method
   * once.
   *
   * @param json the message, in protobuf's form of JSON
   * @throws LabException if the JSON is no such message, or the server does not respond with OK
   */
  public static GrpcRequest of(GrpcAddress address, String json) throws LabException {
    try (GrpcClient client = GrpcClient.connect(address)) {
      MethodDescriptor method = GrpcReflection.find(client.channel(), address);
      DynamicMessage.Builder message = DynamicMessage.newBuilder(method.getInputType());
      try {
        JsonFormat.parser().merge(json, message);
      } catch (InvalidProtocolBufferException e) {
        throw LabException.usage(
            "--message is no JSON of %s: %s"
                .formatted(method.getInputType().getFullName(), Reason.of(e)));
      }
      ByteString bytes = message.build().toByteString();
      return new GrpcRequest(bytes, client.call(bytes.toByteArray()).length);
    } catch (IOException e) {
      throw LabException.failure("--grpc: " + GrpcClient.printable(Reason.of(e)), e);
    }
  }
}
