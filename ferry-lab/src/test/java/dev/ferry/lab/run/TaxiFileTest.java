package dev.ferry.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RunDocument.SourceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TaxiFileTest {
  @Test
  void write_always_makesTheSameFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("taxi.csv");
    TaxiFile.write(file, TaxiFile.BYTES);

    assertThat(file).hasSize(25_060_966);
    // Figures of different builds can be compared only while this stays as it is.
    assertThat(Sha256.ofFile(file).toHex())
        .isEqualTo("a30d912d760476ff9dce3ac47472b089954dbef59791410cbde0ed8428fb0668");
    try (Stream<String> lines = Files.lines(file)) {
      assertThat(lines.limit(1_000))
          .startsWith(
              "vendor_id,rate_code,passenger_count,trip_time_in_secs,trip_distance,payment_type,"
                  + "fare_amount")
          .allMatch(l -> l.split(",").length == 7);
    }
  }

  @Test
  void write_anotherSize_isTheSameRowsCutThere(@TempDir Path folder) throws Exception {
    Path small = folder.resolve("small.csv");
    Path large = folder.resolve("large.csv");
    TaxiFile.write(small, 1_000);
    TaxiFile.write(large, 100_000);

    assertThat(small).hasSize(1_000);
    assertThat(large).hasSize(100_000);
    assertThat(Files.readString(large)).startsWith(Files.readString(small));
  }

  @Test
  void fetch_defaultFile_compressesLikeTheReference(@TempDir Path folder) throws Exception {
    try (WorkFolder work = WorkFolder.create(folder)) {
      SourceFile file = work.fetch(null, TaxiFile.BYTES, List.of());

      assertThat(file.bytes()).isEqualTo(TaxiFile.BYTES);
      assertThat(file.gzip1Bytes()).isBetween(5_700_000L, 6_200_000L);
    }
    assertThat(folder).isEmptyDirectory();
  }
}
