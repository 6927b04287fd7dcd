package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.s3.store.CephStore;
import dev.ferry.s3.store.TestBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A store on Ceph, whose gateways two servers use. */
@EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
final class CephFileStoreTest extends S3FileStoreContract {
  @Override
  TestBucket bucket() throws Exception {
    return CephStore.get().newBucket();
  }

  /** S3Proxy keeps objects in a file system, which cannot have both. */
  @Test
  void list_ofAFileAndAFolderOfOneName_hasTheFileAndNamesTheFolder() throws Exception {
    put("a/both", "a/both/in", "a/c");
    assertThat(names("a")).containsExactly("a/both", "a/both/ NAME", "a/c");
  }
}
