package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.RunDocument.Settings;
import org.junit.jupiter.api.Test;

/** A clock that operations and pauses move, so that nothing depends on the machine. */
class WarmUpTest {
  private static final Settings SETTINGS = new Settings(1, 1, 2_000, 6_000, 5);
  private static final int OPERATION_MILLIS = 50;

  private long millis;
  private long queuedMillis;
  private long compiledMillis;

  /**
   * The compiler gets none of the processor while operations run, and all of it in a pause.
   *
   * @param queuedPerOperation the milliseconds of compilation that an operation asks for
   * @param until the last operation that does
   */
  private int run(Settings settings, int operationMillis, int queuedPerOperation, int until)
      throws Exception {
    int[] count = {0};
    return new WarmUp(
            settings,
            () -> settings.maxWarmupMillis() * 1_000_000,
            Integer.MAX_VALUE,
            () -> millis * 1_000_000,
            () -> compiledMillis * 1_000_000,
            pause -> {
              long now = Math.min(queuedMillis, pause);
              queuedMillis -= now;
              compiledMillis += now;
              millis += pause;
            })
        .run(
            () -> {
              millis += operationMillis;
              queuedMillis += count[0]++ < until ? queuedPerOperation : 0;
              return new long[] {operationMillis * 1_000_000L};
            });
  }

  @Test
  void run_whileNothingIsCompiled_takesTheLeastTime() throws Exception {
    // Each burst takes 3 operations and one look at the compiler.
    assertThat(run(SETTINGS, OPERATION_MILLIS, 0, 0)).isEqualTo(39);
    assertThat(millis).isEqualTo(13 * 165);
  }

  @Test
  void run_compilerStarvedByOperations_isGivenPausesUntilNothingIsQueued() throws Exception {
    run(SETTINGS, OPERATION_MILLIS, 200, 10);

    assertThat(compiledMillis).isEqualTo(2_000);
    assertThat(queuedMillis).isZero();
    assertThat(millis).isLessThan(4_500);
  }

  @Test
  void run_whileOperationsStillCauseCompilation_goesOn() throws Exception {
    assertThat(run(SETTINGS, OPERATION_MILLIS, 10, 60)).isEqualTo(66);
  }

  @Test
  void run_whileMuchIsCompiledForever_endsAtTheMost() throws Exception {
    run(SETTINGS, OPERATION_MILLIS, 500, Integer.MAX_VALUE);

    assertThat(millis).isBetween(6_000L, 6_200L);
  }

  @Test
  void run_whileOperationsBecomeFaster_goesOn() throws Exception {
    int[] operations = {0};
    int most =
        new WarmUp(
                SETTINGS,
                () -> SETTINGS.maxWarmupMillis() * 1_000_000,
                Integer.MAX_VALUE,
                () -> millis * 1_000_000,
                () -> 0,
                pause -> millis += pause)
            .run(
                () -> {
                  int took = operations[0]++ < 30 ? 150 - 4 * operations[0] : 30;
                  millis += took;
                  return new long[] {took * 1_000_000L, 1};
                });

    // Two bursts of the final speed follow, of 5 operations each.
    assertThat(most).isBetween(30 + 5, 30 + 15);
  }

  @Test
  void run_ofSlowOperations_takesTheLeastNumber() throws Exception {
    assertThat(run(SETTINGS, 10_000, 0, 0)).isEqualTo(5);
  }

  @Test
  void run_withoutALeastOrMost_takesOneOperation() throws Exception {
    assertThat(run(new Settings(1, 1, 0, 0, 1), 1, 999, Integer.MAX_VALUE)).isEqualTo(1);
    assertThat(millis).isEqualTo(1);
  }

  @Test
  void run_withAMostOfOperations_takesNoMore() throws Exception {
    assertThat(run(SETTINGS.withMaxWarmupOperations(2), 1, 10, 2)).isEqualTo(2);
  }
}
