package dev.ferry.s3.store;

import java.net.URI;
import java.util.List;
import java.util.Properties;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;

/**
 * S3Proxy in this JVM, with objects in memory. It is a single server: no other one knows its
 * uploads.
 */
public final class ProxyStore implements AutoCloseable {
  private static final AwsBasicCredentials CREDENTIALS =
      AwsBasicCredentials.create("ferry-access-key", "ferry-secret-key");

  private final BlobStore objects;
  private final S3Proxy server;
  private final TestBucket bucket;

  private ProxyStore(BlobStore objects, S3Proxy server, TestBucket bucket) {
    this.objects = objects;
    this.server = server;
    this.bucket = bucket;
  }

  /** Starts a server on a free port, with an empty bucket. */
  public static ProxyStore start() throws Exception {
    BlobStore objects = BlobStores.create("transient-nio2", new Properties());
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(objects)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(
                AuthenticationType.AWS_V2_OR_V4,
                CREDENTIALS.accessKeyId(),
                CREDENTIALS.secretAccessKey())
            .stopTimeout(0)
            .build();
    server.start();
    URI address = URI.create("http://127.0.0.1:" + server.getPort());
    return new ProxyStore(objects, server, TestBucket.make(List.of(address), CREDENTIALS, "ferry"));
  }

  /** The bucket that it has. */
  public TestBucket bucket() {
    return bucket;
  }

  @Override
  public void close() throws Exception {
    server.stop();
    objects.close();
  }
}
