package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of runs, which may be of anybody: each is refused in one line, or can be shown. */
final class RunFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) throws Exception {
    Path file = Fuzzing.emptyFolder("run").resolve("run.json");
    Files.write(file, input);
    RunDocument run;
    try {
      run = RunJson.read(file);
    } catch (LabException e) {
      assertThat(e).message().startsWith(file + " ").hasLineCount(1);
      return;
    }
    Files.writeString(file, RunJson.text(run));
    assertThat(RunJson.read(file)).isEqualTo(run);
    RunJsonTest.show(run);
  }
}
