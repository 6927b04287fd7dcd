package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class S3SettingsTest {
  private static S3Settings parse(String address) {
    return S3Settings.parse(address, null, null, false);
  }

  @ParameterizedTest
  @CsvSource({
    "s3://bucket, bucket, ''",
    "s3://bucket/, bucket, ''",
    "s3://my_bucket.eu/a b/100%/ü, my_bucket.eu, a b/100%/ü/",
    "s3://bucket/a/, bucket, a/"
  })
  void parse_ofAnAddress_hasBucketAndPrefix(String address, String bucket, String prefix) {
    S3Settings settings = parse(address);

    assertThat(settings.bucket()).isEqualTo(bucket);
    assertThat(settings.prefix()).isEqualTo(prefix);
    assertThat(parse(settings.address())).isEqualTo(settings);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "s4://bucket | does not begin with s3://",
        "s3:// | is not a bucket name",
        "s3:///a | is not a bucket name",
        "s3://a b/c | is not a bucket name",
        "s3://bucket//a | it must be relative",
        "s3://bucket/a//b | empty segment",
        "s3://bucket/../b | not allowed"
      })
  void parse_ofAnotherText_saysWhatIsRight(String address, String error) {
    assertThatThrownBy(() -> parse(address))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + address + "'", error, "give s3://BUCKET");
  }

  @Test
  void parse_withEndpoint_hasIt() {
    S3Settings settings =
        S3Settings.parse("s3://bucket", "http://127.0.0.1:9000/", "eu-central-1", true);

    assertThat(settings)
        .isEqualTo(
            new S3Settings(
                URI.create("http://127.0.0.1:9000/"), "eu-central-1", true, "bucket", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:9000",
        "ftp://host",
        "http://host/path",
        "http://user@host",
        "http://host?a=b",
        "http://ho st",
        ""
      })
  void parse_withAnotherEndpoint_saysWhatIsRight(String endpoint) {
    assertThatThrownBy(() -> S3Settings.parse("s3://bucket", endpoint, null, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'" + endpoint + "'", "give http://HOST:PORT");
  }
}
