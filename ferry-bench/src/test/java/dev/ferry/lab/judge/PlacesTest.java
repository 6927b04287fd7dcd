package dev.ferry.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.suite.Suites;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The suites are known in this module. */
final class PlacesTest {
  @Test
  void places_areTablesOfTheSuites() throws LabException {
    Set<String> tables =
        Suites.named("all").stream()
            .flatMap(s -> s.tables().stream().map(t -> s.name() + "/" + t.name()))
            .collect(Collectors.toSet());

    assertThat(Places.ALL)
        .hasSize(17)
        .allSatisfy(p -> assertThat(tables).contains(p.suite() + "/" + p.table()));
  }
}
