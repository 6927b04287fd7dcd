package dev.ferry.s3;

import dev.ferry.s3.store.CephStore;
import dev.ferry.s3.store.TestBucket;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Uploads that go on at another server, over two gateways of Ceph. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class CephOtherServerTest extends OtherServerContract {
  @Override
  TestBucket bucket() throws Exception {
    return CephStore.get().newBucket();
  }
}
