package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without ferry-s3.jar, as Ferry is installed. */
final class RemoteStoreFlagsTest {
  private static void assertRefused(String line, String... arguments) {
    Outcome outcome = Outcome.of(arguments);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("ferry serve: " + line + "; try ");
  }

  @Test
  void serve_s3WithoutItsJar_saysHowToGetIt() {
    Outcome outcome = Outcome.of("serve", "s3://bucket/a", "--s3-region=eu-central-1");

    assertThat(outcome.exitCode()).isNotZero();
    assertThat(outcome.err())
        .isEqualTo(
            "ferry serve: s3://bucket/a: ferry-s3.jar is not installed; install the package"
                + " ferry-s3, or put the jar next to ferry.jar"
                + System.lineSeparator());
  }

  @Test
  void serve_otherScheme_saysWhatCanBeServed() {
    assertRefused(
        "'gs://bucket': name a folder to serve, or an address s3://BUCKET/PREFIX",
        "serve",
        "gs://bucket");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--s3-endpoint=http://a", "--s3-region=a", "--s3-path-style", "--s3-memory=1G"})
  void serve_folderWithAnOptionOfS3_saysWhatItNeeds(String option) {
    assertRefused(
        option.replaceFirst("=.*", "")
            + ": needs an address of an object store, s3://BUCKET/PREFIX, in place of a folder",
        "serve",
        ".",
        option);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--keep-free=1G", "--verify-disk", "--durable"})
  void serve_s3WithAnOptionOfFolders_isRefused(String option) {
    assertRefused(
        option.replaceFirst("=.*", "") + ": is for folders, and s3://bucket has no disk here",
        "serve",
        "s3://bucket",
        option);
  }
}
