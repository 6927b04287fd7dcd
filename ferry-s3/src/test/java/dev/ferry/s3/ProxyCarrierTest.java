package dev.ferry.s3;

import dev.ferry.s3.store.ProxyStore;
import dev.ferry.s3.store.TestBucket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

/** The carrier contract over a store on S3Proxy. */
final class ProxyCarrierTest extends S3CarrierContract {
  private @Nullable ProxyStore proxy;

  ProxyCarrierTest() {
    super(0);
  }

  @Override
  TestBucket bucket() throws Exception {
    ProxyStore started = ProxyStore.start();
    proxy = started;
    return started.bucket();
  }

  @AfterAll
  void stopProxy() throws Exception {
    if (proxy != null) {
      proxy.close();
    }
  }
}
