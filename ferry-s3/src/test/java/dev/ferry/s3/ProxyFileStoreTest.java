package dev.ferry.s3;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.s3.store.ProxyStore;
import dev.ferry.s3.store.TestBucket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;

/** A store on S3Proxy. */
final class ProxyFileStoreTest extends S3FileStoreContract {
  private @Nullable ProxyStore proxy;

  @Override
  TestBucket bucket() throws Exception {
    ProxyStore started = ProxyStore.start();
    proxy = started;
    return started.bucket();
  }

  @Test
  void open_bucketThatDoesNotExist_saysSo() throws Exception {
    TestBucket there = requireNonNull(proxy).bucket();
    S3Settings missing = new S3Settings(there.gateways().get(0), null, true, "missing", "");
    try (S3Client client = there.client(0)) {
      FerryException failure =
          catchThrowableOfType(
              FerryException.class,
              () -> S3FileStore.open(client, missing, 1 << 20, ReceiveLimits.STORE));
      assertThat(failure.kind()).isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(failure).hasMessage("s3://missing: the bucket does not exist");
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (proxy != null) {
      proxy.close();
    }
  }
}
