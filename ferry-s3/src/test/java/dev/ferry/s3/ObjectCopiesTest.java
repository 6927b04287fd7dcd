package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StorePath;
import dev.ferry.s3.store.ProxyStore;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.DelegatingS3Client;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.UploadPartCopyRequest;
import software.amazon.awssdk.services.s3.model.UploadPartCopyResponse;

/** Copies during which something else happens to their objects. */
final class ObjectCopiesTest {
  private static final long MEMORY = 128L << 20;

  @SuppressWarnings("NullAway.Init")
  private ProxyStore proxy;

  @SuppressWarnings("NullAway.Init")
  private S3Client client;

  @SuppressWarnings("NullAway.Init")
  private StorePath source;

  @SuppressWarnings("NullAway.Init")
  private StorePath target;

  @BeforeEach
  void start() throws Exception {
    proxy = ProxyStore.start();
    client = proxy.bucket().client(0);
    source = StorePath.parse("source");
    target = StorePath.parse("target");
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    proxy.close();
  }

  /**
   * Opens the store.
   *
   * @param copies sends a copy, or does something else
   */
  private S3FileStore open(BiFunction<S3Client, CopyObjectRequest, CopyObjectResponse> copies)
      throws Exception {
    S3Client real = proxy.bucket().client(0);
    S3Client changed =
        new DelegatingS3Client(real) {
          @Override
          public CopyObjectResponse copyObject(CopyObjectRequest request) {
            return copies.apply(real, request);
          }
        };
    return S3FileStore.open(changed, proxy.bucket().settings(0, ""), MEMORY, ReceiveLimits.STORE);
  }

  private void put(String key, String content) {
    client.putObject(
        r -> r.bucket(proxy.bucket().name()).key(key), RequestBody.fromString(content));
  }

  private List<String> keys() {
    return client.listObjectsV2(r -> r.bucket(proxy.bucket().name())).contents().stream()
        .map(S3Object::key)
        .toList();
  }

  /** What an object store says of a condition that does not hold. */
  private static S3Exception refusal() {
    return (S3Exception) S3Exception.builder().statusCode(S3Failures.PRECONDITION_FAILED).build();
  }

  private void assertMoveFails(S3FileStore store, boolean replace, ErrorKind kind, String message) {
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> store.move(source, target, replace));
    assertThat(failure).hasMessage(message);
    assertThat(failure.kind()).isEqualTo(kind);
  }

  @Test
  void move_ofAFileThatIsReplacedBeforeItsCopy_saysThatItChanged() throws Exception {
    try (S3FileStore store =
        open(
            (real, request) -> {
              put("source", "another");
              return real.copyObject(request);
            })) {
      for (boolean replace : new boolean[] {false, true}) {
        put("source", "one");
        assertMoveFails(
            store,
            replace,
            ErrorKind.FILE_CHANGED,
            "source: was replaced or deleted while it was moved; try again");
        assertThat(keys()).containsExactly("source");
      }
    }
  }

  @Test
  void move_whoseFirstResponseIsLost_isComplete() throws Exception {
    try (S3FileStore store =
        open(
            (real, request) -> {
              CopyObjectResponse unused = real.copyObject(request);
              // The SDK sends it again.
              throw refusal();
            })) {
      put("source", "of another program");
      store.move(source, target, false);
      assertThat(keys()).containsExactly("target");

      store.delete(target, null);
      try (FileSink sink = store.create(source, CreateOptions.DEFAULT)) {
        sink.write(ByteBuffer.allocate(10));
        assertThat(sink.commit(10, null).size()).isEqualTo(10);
      }
      store.move(source, target, false);
      assertThat(keys()).containsExactly("target");
    }
  }

  @Test
  void move_toANameThatIsWrittenMeanwhile_keepsBothFiles() throws Exception {
    // Of another size, and of the same one.
    for (String other : List.of("another", "two")) {
      try (S3FileStore store =
          open(
              (real, request) -> {
                put("target", other);
                throw refusal();
              })) {
        put("source", "one");
        assertMoveFails(store, false, ErrorKind.ALREADY_EXISTS, "target: already exists");
        assertThat(keys()).containsExactly("source", "target");
        store.delete(target, null);
      }
    }
  }

  @Test
  void move_thatIsRefusedForNoReason_isToBeTriedAgain() throws Exception {
    try (S3FileStore store =
        open(
            (real, request) -> {
              throw refusal();
            })) {
      put("source", "one");
      assertMoveFails(
          store, false, ErrorKind.OVERLOADED, "target: another server writes this name; try again");
      assertThat(keys()).containsExactly("source");
    }
  }

  @Test
  void setLastModified_requestsACopyOfOneVersionWithAllFields() throws Exception {
    List<CopyObjectRequest> requests = new ArrayList<>();
    try (S3FileStore store =
        open(
            (real, request) -> {
              requests.add(request);
              return real.copyObject(request);
            })) {
      client.putObject(
          r ->
              r.bucket(proxy.bucket().name())
                  .key("source")
                  .expires(Instant.parse("2030-01-02T03:04:05Z")),
          RequestBody.fromString("one"));
      String version = store.stat(source, false).version();
      store.setLastModified(source, Instant.EPOCH);
      assertThat(requests).extracting(CopyObjectRequest::ifMatch).containsExactly(version);
      // S3Proxy drops it.
      assertThat(requests.get(0).overrideConfiguration().orElseThrow().headers())
          .containsEntry("Expires", List.of("Wed, 02 Jan 2030 03:04:05 GMT"));
      assertThat(store.stat(source, false).lastModified()).isEqualTo(Instant.EPOCH);
      assertThat(keys()).containsExactly("source");
    }
  }

  @Test
  void moveFile_inParts_keepsItsFields() throws Exception {
    String name = proxy.bucket().name();
    client.putObject(
        r ->
            r.bucket(name)
                .key("source")
                .contentType("text/x-own")
                .contentEncoding("gzip")
                .cacheControl("no-store"),
        RequestBody.fromBytes(new byte[100]));
    S3Client quoting =
        new DelegatingS3Client(client) {
          /** S3Proxy takes an entity tag only with quotes here, unlike others. */
          @Override
          public UploadPartCopyResponse uploadPartCopy(UploadPartCopyRequest request) {
            String tag = '"' + request.copySourceIfMatch() + '"';
            return client.uploadPartCopy(request.toBuilder().copySourceIfMatch(tag).build());
          }
        };
    Bucket bucket = new Bucket(quoting, name, "");
    HeadObjectResponse before = client.headObject(r -> r.bucket(name).key("source"));
    new ObjectCopies(bucket, new NewName(bucket), 10)
        .moveFile(ObjectFacts.of("source", before), source, target, false);
    HeadObjectResponse after = client.headObject(r -> r.bucket(name).key("target"));
    assertThat(after.contentLength()).isEqualTo(100);
    assertThat(after.contentType()).isEqualTo("text/x-own");
    assertThat(after.contentEncoding()).isEqualTo("gzip");
    assertThat(after.cacheControl()).isEqualTo("no-store");
  }
}
