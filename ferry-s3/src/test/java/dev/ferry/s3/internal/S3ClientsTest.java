package dev.ferry.s3.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.s3.S3Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class S3ClientsTest {
  /** Variables that credentials come from. */
  private static final List<String> SOURCES =
      List.of(
          "AWS_ACCESS_KEY_ID",
          "AWS_WEB_IDENTITY_TOKEN_FILE",
          "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
          "AWS_CONTAINER_CREDENTIALS_FULL_URI");

  @TempDir Path home;

  /** Credentials of the user must not be found. */
  @BeforeEach
  void haveNoCredentials() throws Exception {
    assumeTrue(
        SOURCES.stream().noneMatch(System.getenv()::containsKey),
        "the environment has credentials of AWS");
    Path empty = Files.createFile(home.resolve("empty"));
    System.setProperty("aws.sharedCredentialsFile", empty.toString());
    System.setProperty("aws.configFile", empty.toString());
    System.setProperty("aws.disableEc2Metadata", "true");
  }

  @AfterEach
  void restore() {
    System.clearProperty("aws.sharedCredentialsFile");
    System.clearProperty("aws.configFile");
    System.clearProperty("aws.disableEc2Metadata");
  }

  @Test
  void open_withoutCredentials_saysWhatToSet() {
    S3Settings settings = S3Settings.parse("s3://ferry", null, null, false);
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> S3Clients.open(settings, 1).close());
    assertThat(failure.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    assertThat(failure)
        .hasMessage(
            "s3://ferry: no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or"
                + " AWS_PROFILE to a profile in ~/.aws/credentials");
  }
}
