package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpProtocol;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The services on the port other than the files. */
@Timeout(300)
class ServicesTest {
  @TempDir Path root;
  private WebFilesServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String post(String path, String type, byte[] message) throws Exception {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {0, 0, 0, 0, (byte) message.length});
    body.writeBytes(message);
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nContent-Type: "
            + type
            + "\r\nContent-Length: "
            + body.size();
    return RawHttp.exchange(server.port(), head + "\r\n", body.toByteArray());
  }

  @Test
  void health_ofServerAndService_isServing() throws Exception {
    byte[] serving =
        HealthCheckResponse.newBuilder().setStatus(ServingStatus.SERVING).build().toByteArray();
    for (String service : new String[] {"", "ferry.v1.Files"}) {
      byte[] request = HealthCheckRequest.newBuilder().setService(service).build().toByteArray();
      assertThat(post("/grpc.health.v1.Health/Check", "application/grpc-web", request))
          .startsWith("HTTP/1.1 200 ")
          .containsIgnoringCase("\r\ndate: ")
          .contains(new String(serving, StandardCharsets.ISO_8859_1))
          .contains("grpc-status: 0\r\n");
    }
  }

  @Test
  void files_besideTheCalls_areServed() throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    assertThat(RawHttp.exchange(server.port(), "GET /files/f HTTP/1.1\r\n", new byte[0]))
        .startsWith("HTTP/1.1 200 ")
        .endsWith("hello");
    assertThat(
            RawHttp.exchange(
                server.port(),
                "PUT /files/g HTTP/1.1\r\nContent-Length: 5\r\n",
                "world".getBytes(StandardCharsets.US_ASCII)))
        .startsWith("HTTP/1.1 201 ");
    assertThat(root.resolve("g")).hasContent("world");
  }

  @ParameterizedTest
  @EnumSource
  void calls_belowAPath_areServed(HttpProtocol protocol) throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    try (WebFilesServer below =
            WebFilesServer.start(
                LocalFileStore.open(root),
                "127.0.0.1",
                0,
                ServerSettings.defaults().withBasePath("/ferry"));
        Carrier carrier =
            ArmeriaCarrier.connect(
                "127.0.0.1", below.port(), "/ferry", false, protocol, null, null)) {
      assertThat(carrier.stat(StorePath.parse("f"), null, CallLimits.DEFAULT).size()).isEqualTo(5);
    }
  }

  @Test
  void grpcItself_overHttp1_isToldOfItsPort() throws Exception {
    assertThat(post("/ferry.v1.Files/Stat", "application/grpc", new byte[0]))
        .startsWith("HTTP/1.1 415 ")
        .containsIgnoringCase("\r\ndate: ")
        .contains("urn:ferry:error:invalid-request")
        .contains("this port speaks gRPC-Web; call the gRPC port (7070 unless it was changed)");
  }

  @Test
  void json_isToldWhatThereIs() throws Exception {
    assertThat(post("/ferry.v1.Files/Stat", "application/grpc-web+json", new byte[0]))
        .startsWith("HTTP/1.1 415 ")
        .contains("send application/grpc-web+proto or application/grpc-web-text+proto");
  }
}
