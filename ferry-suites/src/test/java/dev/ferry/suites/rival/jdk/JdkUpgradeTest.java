package dev.ferry.suites.rival.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class JdkUpgradeTest {
  @TempDir Path root;
  @TempDir Path local;

  /** The client of JDK 17 lost bytes in about one of a hundred downloads that were its upgrade. */
  @Test
  void downloads_http2_areNotTheRequestThatUpgrades() throws Exception {
    TestFiles.write(root.resolve("f"), new byte[1000]);
    List<Operation> operations = new CopyOnWriteArrayList<>();
    RequestListener listener =
        new RequestListener() {
          @Override
          public void began(ServedRequest request) {
            operations.add(request.operation());
          }

          @Override
          public void ended(EndedRequest request) {}
        };
    ServerSettings settings = ServerSettings.defaults().withListener(listener);
    try (HttpFilesServer server =
            HttpFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, 65536, settings);
        JdkFileClient client =
            new JdkFileClient("127.0.0.1", server.port(), HttpProtocol.H2C, true)) {
      TransferOptions options = TransferOptions.DEFAULT.withVerify(false);
      for (int i = 0; i < 2; i++) {
        client.download(StorePath.parse("f"), local.resolve("back"), options);
      }
    }
    assertThat(operations).containsExactly(Operation.STAT, Operation.DOWNLOAD, Operation.DOWNLOAD);
  }
}
