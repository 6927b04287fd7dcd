package dev.ferry.s3;

import dev.ferry.s3.store.ProxyStore;
import dev.ferry.s3.store.TestBucket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** Uploads that go on at another server, over S3Proxy. */
final class ProxyOtherServerTest extends OtherServerContract {
  private @Nullable ProxyStore proxy;

  @Override
  TestBucket bucket() throws Exception {
    ProxyStore started = ProxyStore.start();
    proxy = started;
    return started.bucket();
  }

  @AfterAll
  void stop() throws Exception {
    if (proxy != null) {
      proxy.close();
    }
  }
}
