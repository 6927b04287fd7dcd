package dev.ferry.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.TaxiFile;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.suites.file.DistanceSuite;
import dev.ferry.suites.file.FileTransferSuite;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the suites are announced to take. */
final class EstimateTest {
  @Test
  void estimate_quickDefaultSuite_isWhatDocumentsSay() throws LabException {
    List<Suite> suites = List.of(new FileTransferSuite());

    assertThat(Profile.QUICK.estimate(RunPlan.of(suites, List.of()), TaxiFile.BYTES))
        .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    assertThat(estimate(suites, "UseCompression=true"))
        .isGreaterThan(estimate(suites, "UseCompression=false"));
  }

  @Test
  void estimate_largerFile_takeLonger() throws LabException {
    RunPlan plan = RunPlan.of(List.of(new FileTransferSuite()), List.of());

    assertThat(total(plan, 10 * TaxiFile.BYTES)).isGreaterThan(total(plan, TaxiFile.BYTES));
    assertThat(total(plan, 0)).isLessThan(total(plan, TaxiFile.BYTES));
  }

  @Test
  void estimate_overANetwork_knowsItsRateAndItsRoundTrips() throws LabException {
    RunPlan plan = RunPlan.of(List.of(new DistanceSuite()), List.of());

    Duration near = Profile.QUICK.estimate(plan, TaxiFile.BYTES, Networks.parse("country"));
    assertThat(near)
        .isGreaterThan(total(plan, TaxiFile.BYTES))
        .isLessThan(
            Profile.QUICK.estimate(plan, TaxiFile.BYTES, Networks.parse("rtt=100ms,rate=1gbit")));
    assertThat(Profile.QUICK.estimate(plan, TaxiFile.BYTES, Networks.parse("mobile")))
        .isGreaterThan(near.multipliedBy(3));
  }

  private static Duration total(RunPlan plan, long bytes) {
    return Profile.QUICK.estimate(plan, bytes);
  }

  private static Duration estimate(List<Suite> suites, String filter) throws LabException {
    return Profile.QUICK.estimate(
        RunPlan.of(suites, List.of(RowFilter.parse(filter, suites))), TaxiFile.BYTES);
  }
}
