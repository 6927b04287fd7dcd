package dev.ferry.lab.run.meter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollectorMeterTest {
  @ParameterizedTest
  @CsvSource({
    "Copy, true, false",
    "MarkSweepCompact, true, true",
    "PS Scavenge, true, false",
    "PS MarkSweep, true, true",
    "G1 Young Generation, true, false",
    "G1 Old Generation, true, true",
    "G1 Concurrent GC, false, false",
    "ZGC Cycles, true, true",
    "ZGC Pauses, false, false",
    "ZGC Minor Cycles, true, false",
    "ZGC Major Cycles, true, true",
    "ZGC Minor Pauses, false, false",
    "Shenandoah Cycles, true, true",
    "Shenandoah Pauses, false, false"
  })
  void collector_ofEachName_isCountedOnceByItsGeneration(
      String name, boolean counted, boolean old) {
    assertThat(CollectorMeter.isCounted(name)).isEqualTo(counted);
    assertThat(CollectorMeter.isOld(name)).isEqualTo(old);
  }
}
