package dev.ferry.s3.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.s3.S3Settings;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;

/** Creates clients of S3 that work with AWS and with other object stores. */
public final class S3Clients {
  /** An object store that replaces a lost disk may answer after 15 s. */
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration FREE_CONNECTION = Duration.ofSeconds(60);
  private static final Duration IDLE = Duration.ofSeconds(30);

  private S3Clients() {}

  /**
   * Creates a client with the credentials that all programs with the AWS SDK use. The caller closes
   * it.
   *
   * @param connections maximum number of connections, from 1; calls beyond it wait for one
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if there are no credentials or no
   *     region
   */
  public static S3Client open(S3Settings settings, int connections) throws FerryException {
    AwsCredentialsProvider credentials = DefaultCredentialsProvider.builder().build();
    requireCredentials(credentials, settings);
    return open(settings, connections, credentials);
  }

  private static void requireCredentials(AwsCredentialsProvider credentials, S3Settings settings)
      throws FerryException {
    try {
      credentials.resolveCredentials();
    } catch (SdkClientException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          settings.address()
              + ": no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE"
              + " to a profile in ~/.aws/credentials",
          e);
    }
  }

  /** Creates a client with other credentials. */
  public static S3Client open(
      S3Settings settings, int connections, AwsCredentialsProvider credentials)
      throws FerryException {
    Region region = region(settings);
    S3ClientBuilder builder = S3Client.builder();
    if (settings.endpoint() != null && "http".equals(settings.endpoint().getScheme())) {
      builder.putAuthScheme(new UnsignedPayload());
    }
    return builder
        .httpClient(new RenewedHttpClient(() -> http(connections)))
        .credentialsProvider(credentials)
        .region(region)
        .endpointOverride(settings.endpoint())
        .forcePathStyle(settings.pathStyle())
        // Not every store knows chunked signatures and checksum trailers.
        .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build())
        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
        .overrideConfiguration(o -> o.retryStrategy(AwsRetryStrategy.standardRetryStrategy()))
        .build();
  }

  private static SdkHttpClient http(int connections) {
    return Apache5HttpClient.builder()
        .maxConnections(connections)
        .connectionTimeout(CONNECT)
        .socketTimeout(ANSWER)
        .connectionAcquisitionTimeout(FREE_CONNECTION)
        .connectionMaxIdleTime(IDLE)
        .tcpKeepAlive(true)
        .expectContinueEnabled(false)
        .build();
  }

  /** Only a signature needs the region if the endpoint is given, and most stores accept any. */
  private static Region region(S3Settings settings) throws FerryException {
    if (settings.region() != null) {
      return Region.of(settings.region());
    }
    try {
      return settings.endpoint() == null
          ? new DefaultAwsRegionProviderChain().getRegion()
          : new AwsRegionProviderChain(
                  new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
              .getRegion();
    } catch (SdkClientException e) {
      if (settings.endpoint() != null) {
        return Region.US_EAST_1;
      }
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          settings.address()
              + ": no region; give --s3-region or set AWS_REGION, and --s3-endpoint for a store"
              + " other than AWS",
          e);
    }
  }
}
