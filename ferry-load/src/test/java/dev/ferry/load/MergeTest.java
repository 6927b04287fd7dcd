package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MergeTest {
  @Test
  void workers_missingKilledAndUnreadable_areNamed(@TempDir Path all) throws IOException {
    Plan plan = ArrivalsPropertyTest.plan(100, Plan.Spacing.CONSTANT, 1, 4);
    MergePropertyTest.write(all, plan, 1, true, List.of(1L, 2L));
    MergePropertyTest.write(all, plan, 3, false, List.of(3L, 4L, 5L));
    Path log = WorkerFolder.ofWorker(all, 3).resolve(WorkerFolder.HISTOGRAMS);
    String whole = Files.readString(log);
    // The line that a killed worker was writing.
    Files.writeString(log, whole + "Tag=get,2.000,1.000,0.0");
    WorkerFolder.create(
            WorkerFolder.ofWorker(all, 4), plan, new ObjectNode(JsonNodeFactory.instance))
        .close();

    MergedReport merged = Merge.of(all);

    assertThat(merged.complete()).isFalse();
    assertThat(merged.missing()).containsExactly(2, 4);
    assertThat(merged.all().latencies().getTotalCount()).isEqualTo(5);
    assertThat(String.join("\n", merged.notes()))
        .contains("worker 2 of 4 is missing", "worker 4 of 4 is missing")
        .contains("worker 3 of 4 ended after 2.0 s of 19.0 s")
        .contains("the clocks of the workers differ by 6 ms at most, to within 2 ms");
  }

  @Test
  void workers_copyOfAnother_isRefused(@TempDir Path all) throws IOException {
    Plan plan = ArrivalsPropertyTest.plan(100, Plan.Spacing.CONSTANT, 1, 4);
    MergePropertyTest.write(all, plan, 1, true, List.of(1L));
    Files.move(WorkerFolder.ofWorker(all, 1), WorkerFolder.ofWorker(all, 2));

    assertThatThrownBy(() -> Merge.of(all))
        .isInstanceOf(FerryException.class)
        .hasMessage(
            WorkerFolder.ofWorker(all, 2) + ": has the report of worker 1; remove the copy");
  }

  @Test
  void workers_ofDifferentPlans_areRefused(@TempDir Path all) throws IOException {
    Plan plan = ArrivalsPropertyTest.plan(100, Plan.Spacing.CONSTANT, 1, 4);
    MergePropertyTest.write(all, plan, 1, true, List.of(1L));
    MergePropertyTest.write(all, plan.at(200, 1), 2, true, List.of(1L));

    assertThatThrownBy(() -> Merge.of(all))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_REQUEST))
        .hasMessageContaining("worker-2: has another plan than");
  }
}
