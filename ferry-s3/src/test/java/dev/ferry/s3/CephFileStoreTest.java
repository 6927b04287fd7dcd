package dev.ferry.s3;

import dev.ferry.s3.store.CephStore;
import dev.ferry.s3.store.TestBucket;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A store on Ceph, whose gateways two servers use. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class CephFileStoreTest extends S3FileStoreContract {
  @Override
  TestBucket bucket() throws Exception {
    return CephStore.get().newBucket();
  }
}
