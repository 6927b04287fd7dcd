package dev.ferry.suites.calls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Round;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Part;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.LoadDriver;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.TableRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Samples of rows of small calls in this process: of some, and in a thorough run of every row but
 * for the largest. {@link TableRows} chooses them.
 */
final class EveryCallRowTest {
  private static final List<Suite> SUITES =
      List.of(
          new ReplyShapesSuite(),
          new ConnectionReuseSuite(),
          new TasksSuite(),
          new OpenLoopSuite());

  private static final int OPERATIONS = 3;

  @TempDir Path folder;

  static Stream<RowKey> rows() {
    return TableRows.of(
        SUITES, row -> List.of("1", "10", "50", "500", "1024", "1048576").containsAll(sizes(row)));
  }

  private static List<String> sizes(RowKey row) {
    return row.parameters().values().stream().filter(v -> v.matches("\\d+")).toList();
  }

  private static Suite suite(RowKey row) {
    return SUITES.stream().filter(s -> s.name().equals(row.suite())).findFirst().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void sample_ofARow_isRightAndAsItsLabelSays(RowKey row) throws Exception {
    Suite suite = suite(row);
    Workplace workplace = workplace(row);
    Load load = few(Objects.requireNonNull(suite.row(row).work().load()));

    try (RowServer server = suite.row(row).server().start(workplace);
        LoadDriver client =
            new LoadDriver(suite.row(row).client().start(workplace, server.port()), load)) {
      // One sample is many operations. A second sample detects what the first has left.
      for (int i = 0; i < (load.isOpenLoop() ? 2 : Round.times(1, 2)); i++) {
        client.prepare();
        client.run();
        Operation.Outcome outcome = client.outcome();
        client.check();

        assertThat(outcome.protocol()).isEqualTo(suite.row(row).promise().protocol());
        assertThat(outcome.encoding()).isEqualTo("identity");
        Histogram latencies = client.latencies();
        if (load.workers() > 1) {
          boolean arrive = load.isOpenLoop() && i > 0;
          assertThat(Objects.requireNonNull(latencies).getTotalCount())
              .isEqualTo(load.operations() - (arrive ? load.operations() / 10 : 0));
          assertThat(client.parts().stream().anyMatch(p -> p.name().equals("Rate")))
              .isEqualTo(arrive);
        } else {
          assertThat(latencies).isNull();
        }
        if (row.suite().equals("connection-reuse")) {
          assertThat(client.parts()).extracting(Part::name).contains("First byte", "Answer");
        }
        client.beginArrivals();
        if (row.table().equals("users")) {
          assertThat(client.parts())
              .contains(new Part("User", "us", client.nanos() / 1e3 / load.operations() / 1_000));
        }
      }
    }
  }

  /** A load of some operations for each worker: the row's own has as many as a time needs. */
  private static Load few(Load load) {
    int operations = Math.min(load.operations(), OPERATIONS * load.workers());
    return new Load(load.fileBytes(), operations, load.atOnce(), load.workers(), load.percent());
  }

  private Workplace workplace(RowKey row) throws IOException {
    int size = Integer.parseInt(row.parameters().getOrDefault("FileSize", "10"));
    Path store = Files.createDirectory(folder.resolve("store"));
    Path client = Files.createDirectory(folder.resolve("client"));
    Path source = Files.write(store.resolve("file"), new byte[size]);
    return new Workplace(store, client, source, size, Sha256.ofFile(source));
  }
}
