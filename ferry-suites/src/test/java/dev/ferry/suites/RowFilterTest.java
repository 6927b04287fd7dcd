package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.file.FileScaleSuite;
import dev.ferry.suites.file.FileTransferSuite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RowFilterTest {
  private static final List<Suite> SUITES = List.of(new FileTransferSuite(), new FileScaleSuite());

  @Test
  void parse_anyCase_isTheNameOfTheTable() throws LabException {
    assertThat(RowFilter.parse("Method=zerocopy, TABLE=Download, usecompression=True", SUITES))
        .isEqualTo(
            new RowFilter(
                Map.of("method", "ZeroCopy", "table", "download", "UseCompression", "true")));
  }

  @ParameterizedTest
  @CsvSource({
    "BufferSize=64K, BufferSize, 65536",
    "BufferSize=64KiB, BufferSize, 65536",
    "FileSize=2G, FileSize, 2147483648",
    "filesize=1m, FileSize, 1048576",
    "BufferSize=65536 bytes, BufferSize, 65536"
  })
  void parse_sizeWithUnit_isTheNumberOfTheTable(String filter, String key, String value)
      throws LabException {
    assertThat(RowFilter.parse(filter, SUITES)).isEqualTo(new RowFilter(Map.of(key, value)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "metod=ZeroCopy | unknown key 'metod'; did you mean 'method'?",
        "tabel=download | unknown key 'tabel'; did you mean 'table'?",
        "Method=zerocopi | unknown method 'zerocopi'; did you mean 'ZeroCopy'?",
        "table=downlaod | unknown table 'downlaod'; did you mean 'download'?",
        "colour=red | unknown key 'colour'; use one of: suite, table, method, BufferSize",
        "BufferSize=64kB | unknown BufferSize '64kB'; use one of: 4096, 65536, 81920",
        "BufferSize=65535 | unknown BufferSize '65535'; use one of: 4096, 65536, 81920"
      })
  void parse_misspelt_saysWhatWasProbablyMeant(String filter, String message) {
    assertThatExceptionOfType(LabException.class)
        .isThrownBy(() -> RowFilter.parse(filter, SUITES))
        .withMessageStartingWith("filter '" + filter + "': " + message);
  }
}
