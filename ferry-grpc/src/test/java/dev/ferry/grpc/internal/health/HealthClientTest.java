package dev.ferry.grpc.internal.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.TestCertificates;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class HealthClientTest {
  private static final String HOST = "127.0.0.1";

  @TempDir Path root;

  @Test
  void check_overTls_isAnsweredUntilTheServerEnds() throws Exception {
    ServerSettings settings =
        ServerSettings.defaults().withTls(TestCertificates.server(TestCertificates.loopback()));
    GrpcFilesServer server = GrpcFilesServer.start(LocalFileStore.open(root), HOST, 0, settings);
    String name = HOST + ":" + server.port();
    try (HealthClient client =
        HealthClient.connect(HOST, server.port(), TestCertificates.client(), null)) {
      assertThat(client.check().get().getStatus()).isEqualTo(ServingStatus.SERVING);

      server.close();

      assertThatThrownBy(() -> client.check().get())
          .cause()
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE))
          .hasMessageContaining(name);
    } finally {
      server.close();
    }
  }
}
