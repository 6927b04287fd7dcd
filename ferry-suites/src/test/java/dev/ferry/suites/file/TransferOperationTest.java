package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TransferOperationTest {
  private static final int BYTES = 1_000;

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Workplace workplace;

  @BeforeEach
  void makeFolders() throws IOException {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.write(store.resolve("source"), new byte[BYTES]);
    workplace = new Workplace(store, client, source, BYTES, Sha256.ofFile(source));
  }

  @Test
  void run_inTurn_isOneTransferPerOperation() throws IOException {
    try (LoadDriver fixture = fixture(Load.files(BYTES, 5, 1), LocalCopySuite.COPY)) {
      fixture.prepare();

      fixture.run();
      assertThat(fixture.outcome())
          .isEqualTo(new Operation.Outcome(BYTES, BYTES, "file", "identity"));
      assertThat(workplace.client().toFile().list()).hasSize(5);
      fixture.check();
      assertThat(workplace.client()).isEmptyDirectory();
    }
  }

  @Test
  void run_atOnce_isOneOperationTogether() throws IOException {
    try (LoadDriver fixture =
        fixture(Load.files(BYTES, 1, 7), LocalCopySuite.COPY, LocalCopySuite.COPY)) {
      for (int sample = 0; sample < 3; sample++) {
        fixture.prepare();

        fixture.run();
        assertThat(fixture.outcome().bytes()).isEqualTo(7 * BYTES);
        assertThat(workplace.client().toFile().list()).hasSize(7);
        fixture.check();
      }
      assertThat(workplace.client()).isEmptyDirectory();
    }
  }

  @Test
  void check_oneCarrierOfTwoCorrupts_fails() throws IOException {
    try (LoadDriver fixture =
        fixture(Load.files(BYTES, 1, 2), LocalCopySuite.COPY, LocalCopySuite.CORRUPT)) {
      fixture.prepare();
      fixture.run();

      assertThatThrownBy(fixture::check)
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("SHA-256");
    }
  }

  @Test
  void run_carriersThatDiffer_fails() throws IOException {
    try (LoadDriver fixture =
        fixture(Load.files(BYTES, 1, 2), LocalCopySuite.COPY, LocalCopySuite.MISLABELLED)) {
      fixture.prepare();

      fixture.run();
      assertThatThrownBy(fixture::outcome).hasMessageContaining("pigeon");
    }
  }

  @Test
  void run_aTransferThatFails_failsWithItsReason() throws IOException {
    Files.delete(workplace.source());
    try (LoadDriver fixture = fixture(Load.files(BYTES, 1, 4), LocalCopySuite.COPY)) {
      fixture.prepare();

      assertThatThrownBy(fixture::run).isInstanceOf(FerryException.class);
    }
  }

  private LoadDriver fixture(Load load, String... methods) throws IOException {
    List<TransferClient> carriers = new ArrayList<>();
    for (String method : methods) {
      carriers.add(TransferClient.of(new LocalCopyCarrier(workplace.store(), method, 0)));
    }
    return new LoadDriver(
        new TransferOperation(
            carriers,
            load,
            Direction.DOWNLOAD,
            TransferOptions.DEFAULT.withVerify(false),
            workplace),
        load);
  }
}
