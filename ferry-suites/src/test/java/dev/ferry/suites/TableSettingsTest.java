package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.TableSettings;
import dev.ferry.lab.suite.TableSettings.Setting;
import dev.ferry.suites.file.FileTransferSuite;
import dev.ferry.suites.file.LocalCopySuite;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableSettingsTest {
  private static final TableSettings SIZES = setting("BufferSize", "16K", "100");

  @Test
  void tables_everySuite_runsTheTablesThatHaveTheParameterAtItsValues() throws LabException {
    for (Suite suite : Suites.all()) {
      if (suite instanceof LocalCopySuite) {
        continue;
      }
      for (Table table : SIZES.tables(suite)) {
        assertThat(table.parameters())
            .filteredOn(parameter -> parameter.name().equals("BufferSize"))
            .allSatisfy(
                parameter -> assertThat(parameter.values()).containsExactly("16384", "100"));
      }
      assertThat(SIZES.tables(suite)).extracting(Table::name).isEqualTo(names(suite.tables()));
    }
  }

  private static List<String> names(List<Table> tables) {
    return tables.stream().map(Table::name).toList();
  }

  @Test
  void of_settings_keepsExceptionsOfMethods() throws LabException {
    RunPlan plan =
        RunPlan.ofTables(
            List.of(new FileTransferSuite()), List.of("rivals-upload"), List.of(), SIZES);

    assertThat(plan.size()).isEqualTo(38);
    assertThat(plan.groups())
        .flatExtracting(RunPlan.Group::rows)
        .filteredOn(row -> row.method().equals("NginxCurl"))
        .extracting(RowKey::setting)
        .containsExactly(
            "BufferSize=16384, UseCompression=false", "BufferSize=100, UseCompression=false");
  }

  @Test
  void tables_parameterWithoutOtherValues_isRefused() {
    List<Suite> local = List.of(new LocalCopySuite());

    assertThatThrownBy(() -> RunPlan.of(local, List.of(), SIZES))
        .isInstanceOf(LabException.class)
        .hasMessage("--option: download has no other values of BufferSize than 1024, 4096, 65536");
  }

  @Test
  void requireUsed_noTableHasTheParameter_isRefused() throws LabException {
    TableSettings pigeons = setting("Pigeons", "4");
    RunPlan plan = RunPlan.of(List.of(new FileTransferSuite()), List.of(), pigeons);

    assertThatThrownBy(() -> pigeons.requireUsed(plan))
        .isInstanceOf(LabException.class)
        .hasMessageStartingWith("--option: none of these tables has the parameter Pigeons;");
  }

  private static TableSettings setting(String parameter, String... values) {
    return new TableSettings(
        List.of(new Setting("--option", parameter, List.of(values))), List.of());
  }
}
