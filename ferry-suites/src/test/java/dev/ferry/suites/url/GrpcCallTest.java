package dev.ferry.suites.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.v1.CallReply;
import dev.ferry.suites.calls.v1.CallRequest;
import dev.ferry.suites.calls.v1.CallsGrpc;
import dev.ferry.suites.calls.v1.CallsProto;
import dev.ferry.suites.calls.v1.Item;
import dev.ferry.suites.rival.grpcjava.StockServer;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class GrpcCallTest {
  @TempDir Path folder;

  private static GrpcAddress address(int port) {
    return new GrpcAddress("127.0.0.1", port, "ferry.v1.Calls", "Get");
  }

  @Test
  @SuppressWarnings("deprecation") // Many servers have the older service alone.
  void of_serverWithOlderReflection_isCalled() throws Exception {
    BindableService older = ProtoReflectionService.newInstance();
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(older)
            .addService(new Echo())
            .build()
            .start();
    try {
      GrpcCall call = GrpcCall.of(address(server.getPort()), "{\"count\": 7}", null, null);

      assertThat(CallRequest.parseFrom(call.request()).getCount()).isEqualTo(7);
      assertThat(call.responseBytes()).isEqualTo(Echo.RESPONSE.getSerializedSize());
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  /** Responds with the same item. */
  private static final class Echo extends CallsGrpc.CallsImplBase {
    static final CallReply RESPONSE =
        CallReply.newBuilder().addItems(Item.newBuilder().setId(1)).build();

    @Override
    public void get(CallRequest request, StreamObserver<CallReply> response) {
      response.onNext(RESPONSE);
      response.onCompleted();
    }
  }

  @Test
  void of_serverWithoutReflection_saysSo() throws Exception {
    try (RowServer server = StockServer.calls(Backend.inMemory(), "127.0.0.1", null)) {
      assertThatThrownBy(() -> GrpcCall.of(address(server.port()), "{}", null, null))
          .hasMessageContaining("the server has no reflection service")
          .hasMessageContaining("give --descriptors FILE");

      Path schema = write(CallsProto.getDescriptor().toProto());
      GrpcCall call = GrpcCall.of(address(server.port()), "{\"count\": 2}", schema, null);
      assertThat(call.responseBytes()).isPositive();
    }
  }

  /** Writes a schema as protoc does. */
  private Path write(FileDescriptorProto... files) throws IOException {
    FileDescriptorSet set = FileDescriptorSet.newBuilder().addAllFile(List.of(files)).build();
    return Files.write(folder.resolve("schema.pb"), set.toByteArray());
  }

  @Test
  void of_descriptorsThatCannotBeUsed_saysWhatToGive() throws Exception {
    FileDescriptorProto calls = CallsProto.getDescriptor().toProto();
    Path alone = write(calls.toBuilder().addDependency("other.proto").build());
    refused(alone, " has no file other.proto; make it by protoc --include_imports -o FILE");
    refused(write(calls.toBuilder().setPackage("other").build()), "no service ferry.v1.Calls");
    refused(Files.writeString(folder.resolve("text"), "syntax"), "is not a set of descriptors");
    refused(folder.resolve("none"), "none cannot be read");
  }

  private static void refused(Path descriptors, String message) {
    assertThatThrownBy(() -> GrpcCall.of(address(1), "{}", descriptors, null))
        .isInstanceOf(LabException.class)
        .hasMessageStartingWith("--descriptors: ")
        .hasMessageContaining(message);
  }
}
