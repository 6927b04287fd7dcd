package dev.ferry.suites.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.TableRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transfers of rows in this process: of some, and in a thorough run of every row but for those that
 * differ in BufferSize or FileSize alone. {@link TableRows} chooses them.
 */
final class EveryRowTest {
  private static final List<Suite> SUITES =
      List.of(new FileTransferSuite(), new AnswerSuite(), new DistanceSuite());

  @TempDir Path folder;

  static Stream<RowKey> rows() {
    return TableRows.of(
        SUITES,
        row -> {
          String size = row.parameters().get(FileTables.BUFFER_SIZE);
          return "65536"
              .equals(size != null ? size : row.parameters().get(DistanceSuite.FILE_SIZE));
        });
  }

  @ParameterizedTest
  @MethodSource("rows")
  void transfer_ofARow_isWholeAndAsItsLabelSays(RowKey row) throws Exception {
    Suite suite =
        SUITES.stream().filter(s -> s.name().equals(row.suite())).findFirst().orElseThrow();
    RowSpec spec = suite.row(row);
    assumeTrue(
        spec.needs().obstacle().get().isEmpty(), () -> spec.needs().obstacle().get().orElse(""));
    Workplace workplace = workplace();
    RowSpec.Promise promise = spec.promise();

    try (RowServer server = spec.server().start(workplace);
        LoadDriver client =
            new LoadDriver(spec.client().start(workplace, server.port()), spec.work().load())) {
      // The first of a connection may go another way than all others.
      for (int i = 0; i < 2; i++) {
        client.prepare();
        client.run();
        Operation.Outcome outcome = client.outcome();
        client.check();

        assertThat(outcome.protocol()).isEqualTo(promise.protocol());
        assertThat(outcome.encoding()).isEqualTo(promise.encoding());
        assertThat(outcome.bytes()).isEqualTo(workplace.size());
        if (promise.encoding().equals("identity")) {
          assertThat(outcome.wireBytes()).isGreaterThanOrEqualTo(workplace.size());
        } else {
          assertThat(outcome.wireBytes()).isLessThan(workplace.size());
        }
      }
    }
  }

  private Workplace workplace() throws IOException {
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.writeString(store.resolve("file"), "a line of text\n".repeat(20_000));
    return new Workplace(store, client, source, Files.size(source), Sha256.ofFile(source));
  }
}
