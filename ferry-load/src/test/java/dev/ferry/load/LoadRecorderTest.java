package dev.ferry.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class LoadRecorderTest {
  private static final int GET = 0;
  private static final int PUT = 1;

  @Test
  void failuresAtEnd_arrivalsNeverStartedOrNotEnded_areFailures() {
    LoadRecorder recorder =
        new LoadRecorder(ArrivalsPropertyTest.plan(100, Plan.Spacing.CONSTANT, 1, 1));
    Arrival ofWarmUp = new Arrival(0, 0, GET, 0, false);
    recorder.arrived(ofWarmUp);
    recorder.notStarted(ofWarmUp);
    Arrival put = new Arrival(1, 1, PUT, 0, true);
    recorder.arrived(put);
    recorder.ended(put, 5, null);
    for (int i = 2; i < 8; i++) {
      Arrival get = new Arrival(i, i, GET, 0, true);
      recorder.arrived(get);
      switch (i) {
        case 2 -> recorder.ended(get, 5, null);
        case 3 -> recorder.ended(get, 5, new FerryException(ErrorKind.NOT_FOUND, "no such file"));
        case 4, 5 -> recorder.notStarted(get);
        default -> recorder.started(get, 1, false);
      }
    }

    assertThat(recorder.failures(GET)).isEqualTo(Map.of("NOT_FOUND", 1L, "NOT_STARTED", 2L));
    assertThat(recorder.failuresAtEnd(GET, 1))
        .isEqualTo(Map.of("NOT_FOUND", 1L, "NOT_STARTED", 2L, "NOT_ENDED", 2L));
    assertThat(recorder.failuresAtEnd(PUT, 1)).isEmpty();
  }
}
