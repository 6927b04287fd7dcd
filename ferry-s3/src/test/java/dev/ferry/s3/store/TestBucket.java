package dev.ferry.s3.store;

import dev.ferry.core.FerryException;
import dev.ferry.s3.S3Settings;
import dev.ferry.s3.internal.S3Clients;
import java.net.URI;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * A bucket of an object store that a test started.
 *
 * @param gateways the addresses of servers that all have this bucket
 * @param credentials of a user who may do everything
 */
public record TestBucket(List<URI> gateways, AwsBasicCredentials credentials, String name) {
  private static final String REGION = "us-east-1";
  private static final int CONNECTIONS = 16;

  /** What a store needs to know to use this bucket over one of the gateways, from 0. */
  public S3Settings settings(int gateway, String prefix) {
    return new S3Settings(gateways.get(gateway), REGION, true, name, prefix);
  }

  /** Creates a client over one of the gateways, from 0; the caller closes it. */
  public S3Client client(int gateway) throws FerryException {
    return client(gateways.get(gateway), credentials, name);
  }

  private static S3Client client(URI gateway, AwsBasicCredentials credentials, String name)
      throws FerryException {
    return S3Clients.open(
        new S3Settings(gateway, REGION, true, name, ""),
        CONNECTIONS,
        StaticCredentialsProvider.create(credentials));
  }

  /** What programs with an AWS SDK need in their environment to use it. */
  public Map<String, String> environment() {
    return Map.of(
        "AWS_ACCESS_KEY_ID", credentials.accessKeyId(),
        "AWS_SECRET_ACCESS_KEY", credentials.secretAccessKey(),
        "AWS_REGION", REGION);
  }

  static TestBucket make(List<URI> gateways, AwsBasicCredentials credentials, String name)
      throws FerryException {
    try (S3Client client = client(gateways.get(0), credentials, name)) {
      client.createBucket(b -> b.bucket(name));
    }
    return new TestBucket(gateways, credentials, name);
  }
}
