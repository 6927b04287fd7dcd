package dev.ferry.suites.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.v1.CallReply;
import dev.ferry.suites.calls.v1.CallRequest;
import dev.ferry.suites.calls.v1.CallsGrpc;
import dev.ferry.suites.calls.v1.Item;
import dev.ferry.suites.rival.grpcjava.StockServer;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionService;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class GrpcRequestTest {
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
      GrpcRequest request = GrpcRequest.of(address(server.getPort()), "{\"count\": 7}");

      assertThat(CallRequest.parseFrom(request.message()).getCount()).isEqualTo(7);
      assertThat(request.responseBytes()).isEqualTo(Echo.RESPONSE.getSerializedSize());
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
      assertThatThrownBy(() -> GrpcRequest.of(address(server.port()), "{}"))
          .hasMessageContaining("the server has no reflection service");
    }
  }
}
