package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.LocalFileStore;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stands beside the files. */
@Timeout(30)
class ServicesTest {
  @TempDir Path root;
  private WebFilesServer server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws Exception {
    server = WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0);
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws Exception {
    channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    server.close();
  }

  @Test
  void health_ofServerAndService_isServing() {
    for (String service : new String[] {"", "ferry.v1.Files"}) {
      HealthCheckRequest request = HealthCheckRequest.newBuilder().setService(service).build();
      assertThat(HealthGrpc.newBlockingStub(channel).check(request).getStatus())
          .isEqualTo(ServingStatus.SERVING);
    }
  }

  @Test
  void reflection_listsTheServices() throws Exception {
    CompletableFuture<ServerReflectionResponse> answer = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> requests =
        ServerReflectionGrpc.newStub(channel)
            .serverReflectionInfo(
                new StreamObserver<>() {
                  @Override
                  public void onNext(ServerReflectionResponse response) {
                    answer.complete(response);
                  }

                  @Override
                  public void onError(Throwable failure) {
                    answer.completeExceptionally(failure);
                  }

                  @Override
                  public void onCompleted() {}
                });
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    assertThat(answer.get(10, TimeUnit.SECONDS).getListServicesResponse().getServiceList())
        .extracting(service -> service.getName())
        .contains("ferry.v1.Files", "grpc.health.v1.Health");
    requests.onCompleted();
  }

  @Test
  void docs_nameTheService() throws Exception {
    assertThat(
            RawHttp.exchange(
                server.port(), "GET /docs/specification.json HTTP/1.1\r\n", new byte[0]))
        .startsWith("HTTP/1.1 200 ")
        .contains("ferry.v1.Files");
    assertThat(RawHttp.exchange(server.port(), "GET /docs/ HTTP/1.1\r\n", new byte[0]))
        .startsWith("HTTP/1.1 200 ");
  }
}
