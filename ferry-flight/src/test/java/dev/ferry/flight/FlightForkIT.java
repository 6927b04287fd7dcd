package dev.ferry.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.Bench;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.run.BenchRequest;
import dev.ferry.lab.run.Cancellation;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.RunListener;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.flight.ArrowFlight;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a row as the bench does: in forks, on the class path of the jar alone. */
final class FlightForkIT {
  @TempDir Path folder;

  @Test
  void upload_onTheJarAlone_keepsItsPromiseInTwoProcesses() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "a line of text\n".repeat(200_000));
    Path work = Files.createDirectory(folder.resolve("work"));
    RunPlan plan = RunPlan.of(List.of(new Outside()), List.of());

    RunDocument run =
        new Bench(Clock.systemUTC())
            .run(
                new BenchRequest(
                    plan,
                    Profile.SMOKE,
                    2,
                    false,
                    Jvms.DEFAULT,
                    null,
                    null,
                    null,
                    file,
                    TaxiFile.BYTES,
                    folder.resolve("run"),
                    work,
                    Criteria.DEFAULT_THRESHOLD,
                    null,
                    List.of(),
                    null,
                    null),
                new RunListener() {},
                new Cancellation());

    assertThat(run.rows()).hasSize(1);
    Row row = run.rows().get(0);
    assertThat(row.reason()).isNull();
    assertThat(row.work().digestChecked()).isTrue();
    assertThat(row.server()).isNotNull();
    assertThat(row.setup().flags()).isEqualTo(ArrowFlight.flags(ArrowFlight.TUNED));
    assertThat(work).isEmptyDirectory();
  }

  /** A row of Flight as it looks from outside of its JVMs, without ceilings. */
  private static final class Outside extends Suite {
    private final Suite inside = new FlightSuite();

    Outside() {
      super(new FlightSuite().name(), "");
    }

    @Override
    public List<Table> tables() {
      return List.of(
          new Table(
              "rivals-upload",
              List.of(new Parameter("BufferSize", List.of("65536"))),
              List.of(ArrowFlight.TUNED),
              ArrowFlight.TUNED));
    }

    @Override
    public RowSpec row(RowKey key) {
      return new RowSpec(
          key,
          inside.row(key).promise(),
          RowSpec.Work.FILE,
          new RowSpec.Needs(
              ArrowFlight.flags(key.method()),
              List.of(Path.of(System.getProperty("ferry.flight.jar", ""))),
              Optional::empty,
              false,
              null),
          RowSpec.Bounds.NONE,
          workplace -> {
            throw new UnsupportedOperationException();
          },
          (workplace, port) -> {
            throw new UnsupportedOperationException();
          });
    }
  }
}
