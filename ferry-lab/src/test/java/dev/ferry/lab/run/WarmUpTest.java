package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.RunDocument.Settings;
import org.junit.jupiter.api.Test;

/** A clock that the operation itself moves, so that nothing depends on the machine. */
class WarmUpTest {
  private static final Settings SETTINGS = new Settings(1, 1, 3_000, 6_000, 5);

  private long millis;
  private long compiled;

  private int run(Settings settings, long operationMillis, long compiledPerMille, long until)
      throws Exception {
    return new WarmUp(settings, () -> millis * 1_000_000, () -> compiled)
        .run(
            () -> {
              millis += operationMillis;
              if (millis <= until) {
                compiled += operationMillis * compiledPerMille / 1000;
              }
            });
  }

  @Test
  void run_whileNothingIsCompiled_takesTheLeastTime() throws Exception {
    assertThat(run(SETTINGS, 100, 0, 0)).isEqualTo(30);
  }

  @Test
  void run_whileMuchIsCompiled_waitsForAQuietSecond() throws Exception {
    assertThat(run(SETTINGS, 100, 500, 4_000)).isEqualTo(50);
  }

  @Test
  void run_whileMuchIsCompiledForever_endsAtTheMost() throws Exception {
    assertThat(run(SETTINGS, 100, 500, Long.MAX_VALUE)).isEqualTo(60);
  }

  @Test
  void run_ofSlowOperations_takesTheLeastNumber() throws Exception {
    assertThat(run(SETTINGS, 10_000, 0, 0)).isEqualTo(5);
  }

  @Test
  void run_withoutALeastOrMost_takesOneOperation() throws Exception {
    assertThat(run(new Settings(1, 1, 0, 0, 1), 1, 999, Long.MAX_VALUE)).isEqualTo(1);
  }
}
