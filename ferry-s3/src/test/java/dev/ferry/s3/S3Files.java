package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileStore;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StoredFiles;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.Action;
import dev.ferry.s3.store.TestBucket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The files of a store in a bucket, as another program with an SDK of S3 sees them. */
final class S3Files implements StoredFiles {
  /** The caller of the tests has half of it. */
  private static final long MEMORY = 256L << 20;

  private static final int ENDLESS = 64 << 20;
  private static final String LARGE = "large";
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final TestBucket bucket;
  private final S3Client client;
  private final String prefix;
  private final List<S3FileStore> stores = new ArrayList<>();

  /**
   * @param client a client of the bucket
   * @param prefix the one that all keys begin with
   */
  S3Files(TestBucket bucket, S3Client client, String prefix) {
    this.bucket = bucket;
    this.client = client;
    this.prefix = prefix;
  }

  @Override
  public boolean onLocalDisk() {
    return false;
  }

  /** An object has one version. Requests for the former one fail. */
  @Override
  public boolean readsReplacedFiles() {
    return false;
  }

  @Override
  public FileStore open(ReceiveLimits limits) throws Exception {
    return open(0, limits);
  }

  /** Opens the store over one of the gateways, from 0, as another server does. */
  S3FileStore open(int gateway, ReceiveLimits limits) throws Exception {
    int which = gateway % bucket.gateways().size();
    S3FileStore store =
        S3FileStore.open(bucket.client(which), bucket.settings(which, prefix), MEMORY, limits);
    stores.add(store);
    return store;
  }

  @Override
  public void write(String name, byte[] bytes) {
    client.putObject(r -> r.bucket(bucket.name()).key(prefix + name), RequestBody.fromBytes(bytes));
  }

  @Override
  public void replace(String name, byte[] bytes) {
    write(name, bytes);
  }

  /** Stores other bytes with the metadata of the object, as programs do that keep it. */
  @Override
  public Action<Exception> unseenChange(String name, byte[] bytes) {
    String key = prefix + name;
    return () -> {
      Map<String, String> kept =
          client.headObject(r -> r.bucket(bucket.name()).key(key)).metadata();
      client.putObject(
          r -> r.bucket(bucket.name()).key(key).metadata(kept), RequestBody.fromBytes(bytes));
    };
  }

  /** Changes show in the entity tag. */
  @Override
  public void age(String name) {}

  @Override
  public void writeEndless(String name) {
    if (keys(LARGE).isEmpty()) {
      // Not zeros, which gzip makes too small.
      client.putObject(
          r -> r.bucket(bucket.name()).key(LARGE),
          RequestBody.fromBytes(TestFiles.random(ENDLESS, 1)));
    }
    client.copyObject(
        r ->
            r.sourceBucket(bucket.name())
                .sourceKey(LARGE)
                .destinationBucket(bucket.name())
                .destinationKey(prefix + name));
  }

  @Override
  public void makeFolder(String name) {
    write(name + "/", new byte[0]);
  }

  @Override
  public byte[] read(String name) {
    return client
        .getObjectAsBytes(r -> r.bucket(bucket.name()).key(prefix + name))
        .asByteArrayUnsafe();
  }

  @Override
  public Instant lastModified(String name) {
    return client.headObject(r -> r.bucket(bucket.name()).key(prefix + name)).lastModified();
  }

  @Override
  public void delete(String name) {
    client.deleteObject(r -> r.bucket(bucket.name()).key(prefix + name));
  }

  private List<String> keys(String below) {
    return client
        .listObjectsV2Paginator(r -> r.bucket(bucket.name()).prefix(below))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  @Override
  public List<String> tree() {
    TreeSet<String> tree = new TreeSet<>();
    for (String key : keys(prefix)) {
      String name = key.substring(prefix.length());
      tree.add(name);
      for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
        tree.add(name.substring(0, slash + 1));
      }
    }
    return List.copyOf(tree);
  }

  /** Waits until the stores use no buffer. */
  @Override
  public void awaitNothingOpen() throws Exception {
    for (S3FileStore store : stores) {
      long end = System.nanoTime() + PATIENCE_NANOS;
      while (store.usedMemory() > 0 && System.nanoTime() < end) {
        Thread.sleep(2);
      }
      assertThat(store.usedMemory()).as("bytes in use").isZero();
    }
  }

  /** Returns the numbers of parts of the uploads that are not complete. */
  List<Integer> parts() {
    return client
        .listMultipartUploads(r -> r.bucket(bucket.name()).prefix(prefix))
        .uploads()
        .stream()
        .flatMap(
            upload ->
                client
                    .listParts(
                        r -> r.bucket(bucket.name()).key(upload.key()).uploadId(upload.uploadId()))
                    .parts()
                    .stream())
        .map(part -> part.partNumber())
        .toList();
  }

  @Override
  public void close() {
    stores.forEach(S3FileStore::close);
    assertThat(tree()).noneMatch(name -> name.contains(".ferry-"));
    assertThat(client.listMultipartUploads(r -> r.bucket(bucket.name()).prefix(prefix)).uploads())
        .isEmpty();
    // The objects of S3Proxy are in memory.
    keys(prefix).forEach(key -> delete(key.substring(prefix.length())));
  }
}
