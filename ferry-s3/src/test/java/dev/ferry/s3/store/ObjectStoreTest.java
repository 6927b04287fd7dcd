package dev.ferry.s3.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.TestFiles;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What a store needs of an object store works on those that tests start. */
final class ObjectStoreTest {
  private static final int PART = 5 << 20;
  private static final int PRECONDITION_FAILED = 412;

  @Test
  void s3Proxy_putGetMultipartAndList_work() throws Exception {
    try (ProxyStore store = ProxyStore.start()) {
      exercise(store.bucket(), 0);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void ceph_putGetMultipartAndList_workOverBothGateways() throws Exception {
    TestBucket bucket = CephStore.get().newBucket();
    exercise(bucket, 1);
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void ceph_withoutGatewayAndOsd_servesAtTheOther() throws Exception {
    CephStore ceph = CephStore.get();
    TestBucket bucket = ceph.newBucket();
    try (S3Client second = bucket.client(1)) {
      ceph.killGateway(0);
      ceph.killOsd(0);
      second.putObject(b -> b.bucket(bucket.name()).key("a"), RequestBody.fromString("a"));
      ceph.startOsd(0);
      ceph.startGateway(0);
    }
    try (S3Client first = bucket.client(0)) {
      assertThat(first.getObjectAsBytes(b -> b.bucket(bucket.name()).key("a")).asUtf8String())
          .isEqualTo("a");
    }
  }

  /** Writes over the first gateway, and reads over the other one. */
  private static void exercise(TestBucket bucket, int other) throws Exception {
    byte[] bytes = TestFiles.random(PART + 1000, 1);
    String name = bucket.name();
    try (S3Client first = bucket.client(0);
        S3Client second = bucket.client(other)) {
      String tag =
          first
              .putObject(b -> b.bucket(name).key("a/small"), RequestBody.fromBytes(new byte[] {1}))
              .eTag();
      putParts(first, name, bytes);

      assertThat(range(second, name, "a/small", 0, 1, tag)).containsExactly(1);
      assertThatThrownBy(() -> range(second, name, "a/small", 0, 1, "\"other\""))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(PRECONDITION_FAILED));
      String parts = second.headObject(b -> b.bucket(name).key("a/parts")).eTag();
      assertThat(range(second, name, "a/parts", PART - 10, 20, parts))
          .isEqualTo(Arrays.copyOfRange(bytes, PART - 10, PART + 10));
      assertThat(second.listObjectsV2(b -> b.bucket(name).prefix("a/")).contents())
          .extracting(S3Object::key)
          .containsExactly("a/parts", "a/small");
    }
  }

  private static void putParts(S3Client client, String bucket, byte[] bytes) {
    String id = client.createMultipartUpload(b -> b.bucket(bucket).key("a/parts")).uploadId();
    CompletedPart[] parts = new CompletedPart[2];
    for (int i = 0; i < parts.length; i++) {
      int number = i + 1;
      byte[] part = Arrays.copyOfRange(bytes, i * PART, Math.min(bytes.length, number * PART));
      String tag =
          client
              .uploadPart(
                  b -> b.bucket(bucket).key("a/parts").uploadId(id).partNumber(number),
                  RequestBody.fromBytes(part))
              .eTag();
      parts[i] = CompletedPart.builder().partNumber(number).eTag(tag).build();
    }
    client.completeMultipartUpload(
        b -> b.bucket(bucket).key("a/parts").uploadId(id).multipartUpload(m -> m.parts(parts)));
  }

  private static byte[] range(
      S3Client client, String bucket, String key, int from, int size, String tag) {
    return client
        .getObjectAsBytes(
            b ->
                b.bucket(bucket)
                    .key(key)
                    .ifMatch(tag)
                    .range("bytes=" + from + "-" + (from + size - 1)))
        .asByteArray();
  }
}
