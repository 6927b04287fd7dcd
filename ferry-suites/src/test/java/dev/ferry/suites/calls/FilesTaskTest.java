package dev.ferry.suites.calls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Carrier;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.receiving.ReceivingStore;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FilesTaskTest {
  private static final String HOST = "127.0.0.1";

  @TempDir Path folder;

  @Test
  void check_oneLostOrOneTooMany_fails() throws Exception {
    Path source = Files.write(folder.resolve("source"), new byte[1000]);
    Path kept = Files.createDirectory(folder.resolve("store"));
    Workplace workplace = new Workplace(kept, folder, source, 1000, Sha256.ofFile(source));
    ReceivingStore store = new ReceivingStore(kept, null, 1000);
    try (ServerPort server = GrpcFiles.serve(store, HOST, 0, ServerSettings.defaults());
        Carrier carrier = GrpcFiles.connect(HOST, server.port())) {
      FilesTask task =
          new FilesTask(List.of(TransferClient.of(carrier)), carrier, workplace, "h2c");
      task.prepare();
      task.run(0, 0);
      task.run(0, 1);
      task.checkAll(2);

      assertThatThrownBy(() -> task.checkAll(3)).hasMessageContaining("2,000 bytes arrived of 3");
      carrier.upload(source, new StorePath("other"), TransferOptions.DEFAULT.withVerify(false));
      assertThatThrownBy(() -> task.checkAll(2)).hasMessageContaining("3,000 bytes arrived of 2");
    }
  }
}
