package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExposureTest {
  private static final String REACHED = "other machines reach this address; ";
  private static final String INIT = "; --init makes certificate, key and a user";
  private static final String TLS =
      "add --tls-cert CERT.pem and --tls-key KEY.pem, or --insecure-no-tls for plain text";
  private static final String CALLERS =
      "add --users FILE, which 'ferry token add' makes, or --insecure-anyone to serve anyone who"
          + " reaches it";

  @Test
  void loopback_needsNothing() {
    Exposure local = new Exposure(true, false, false, false, false);
    assertThat(local.error()).isNull();
    assertThat(local.warnings()).isEmpty();
  }

  @Test
  void reachable_withoutAProtection_namesWhatIsMissing() {
    assertThat(new Exposure(false, false, false, false, false).error())
        .isEqualTo(REACHED + TLS + ", and " + CALLERS + INIT);
    assertThat(new Exposure(false, false, true, false, false).error())
        .isEqualTo(REACHED + TLS + INIT);
    assertThat(new Exposure(false, false, false, false, true).error())
        .isEqualTo(REACHED + TLS + INIT);
    assertThat(new Exposure(false, true, false, false, false).error())
        .isEqualTo(REACHED + CALLERS + INIT);
    assertThat(new Exposure(false, false, false, true, false).error())
        .isEqualTo(REACHED + CALLERS + INIT);
  }

  @Test
  void reachable_withBothProtections_neitherFailsNorWarns() {
    Exposure closed = new Exposure(false, true, true, true, true);
    assertThat(closed.error()).isNull();
    assertThat(closed.warnings()).isEmpty();
  }

  @Test
  void reachable_withOptionsInstead_warnsOfEachThatCounts() {
    Exposure open = new Exposure(false, false, false, true, true);
    assertThat(open.error()).isNull();
    assertThat(open.warnings())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("warning: --insecure-no-tls: "),
            line -> assertThat(line).startsWith("warning: --insecure-anyone: "));
    assertThat(new Exposure(false, true, false, true, true).warnings())
        .singleElement()
        .asString()
        .contains("--insecure-anyone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void serve_whereOthersReachIt_isWrongUseWithoutTlsAndCallers(String host, @TempDir Path root) {
    String option = "--host=" + host;
    Outcome outcome = Outcome.of("serve", root.toString(), option);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().strip())
        .isEqualTo(
            "ferry serve: --host: "
                + REACHED
                + TLS
                + ", and "
                + CALLERS
                + INIT
                + "; try 'ferry serve --help'");
    Outcome oneOption = Outcome.of("serve", root.toString(), option, "--insecure-no-tls");
    assertThat(oneOption.exitCode()).isEqualTo(2);
    assertThat(oneOption.err()).contains(CALLERS).doesNotContain(TLS);
  }

  @Test
  void serve_hostWithoutAnAddress_isNamed(@TempDir Path root) {
    Outcome outcome = Outcome.of("serve", root.toString(), "--host=no-such-host.invalid");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().strip())
        .isEqualTo(
            "ferry serve: cannot listen on no-such-host.invalid: unknown host; choose another with"
                + " --host");
  }
}
