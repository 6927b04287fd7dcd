package dev.ferry.s3;

import dev.ferry.s3.store.CephStore;
import dev.ferry.s3.store.TestBucket;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The carrier contract over a store on Ceph. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class CephCarrierTest extends S3CarrierContract {
  CephCarrierTest() {
    super(1);
  }

  @Override
  TestBucket bucket() throws Exception {
    return CephStore.get().newBucket();
  }
}
