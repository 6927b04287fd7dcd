package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Listing;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.s3.store.TestBucket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Object;

/** What a store promises, in a bucket of any object store. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class S3FileStoreContract {
  private static final int PART = PartSizes.USUAL;
  private static final long MEMORY = 256L << 20;

  @SuppressWarnings("NullAway.Init")
  private TestBucket bucket;

  @SuppressWarnings("NullAway.Init")
  private S3FileStore store;

  private int prefixes;

  /** Starts an object store and returns a bucket without objects. */
  abstract TestBucket bucket() throws Exception;

  @BeforeAll
  void start() throws Exception {
    bucket = bucket();
  }

  @BeforeEach
  void freshPrefix() throws Exception {
    prefixes++;
    store = open(0);
  }

  @AfterEach
  void nothingHeld() {
    store.close();
  }

  private String prefix() {
    return "test " + prefixes + "/";
  }

  /** Opens the store as another server does. */
  private S3FileStore open(int gateway) throws FerryException {
    int which = gateway % bucket.gateways().size();
    return S3FileStore.open(
        bucket.client(which), bucket.settings(which, prefix()), MEMORY, ReceiveLimits.STORE);
  }

  private static StorePath path(String text) throws FerryException {
    return StorePath.parse(text);
  }

  private static FileFacts put(S3FileStore store, String name, byte[] bytes, CreateOptions create)
      throws FerryException {
    try (FileSink sink = store.create(path(name), create)) {
      sink.expect(bytes.length);
      assertThat(sink.expectDigest(Digest.Algorithm.CRC32C, Runnable::run)).isTrue();
      write(sink, bytes, 0, bytes.length);
      return sink.commit(bytes.length, crc(bytes));
    }
  }

  private static void write(FileSink sink, byte[] bytes, int from, int to) throws FerryException {
    for (int at = from; at < to; at += 100_000) {
      sink.write(ByteBuffer.wrap(bytes, at, Math.min(100_000, to - at)));
    }
  }

  private static Crc32c crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Crc32c.of(crc);
  }

  private byte[] get(String name) throws FerryException {
    return get(store, name);
  }

  private static byte[] get(S3FileStore store, String name) throws FerryException {
    try (FileSource source = store.open(path(name))) {
      int size = Math.toIntExact(source.facts().size());
      source.readAhead(0, size);
      source.computeWhileReading(Digest.Algorithm.CRC32C);
      ByteBuffer bytes = ByteBuffer.allocate(size);
      while (bytes.hasRemaining()) {
        int at = bytes.position();
        bytes.limit(Math.min(size, at + 300_000));
        source.readFully(bytes, at);
        bytes.limit(size);
      }
      source.verifyUnchanged();
      assertThat(source.digest(Digest.Algorithm.CRC32C)).isEqualTo(crc(bytes.array()));
      return bytes.array();
    }
  }

  /** Opens a file, reads its first byte and no more. */
  private static FileSource readSlowly(S3FileStore store, String name) throws FerryException {
    FileSource source = store.open(path(name));
    source.readAhead(0, source.facts().size());
    source.readFully(ByteBuffer.allocate(1), 0);
    return source;
  }

  private List<String> list(String folder) throws FerryException {
    List<String> names = new ArrayList<>();
    try (Listing listing = store.list(StorePath.parseDirectory(folder))) {
      for (FileFacts entry = listing.next(); entry != null; entry = listing.next()) {
        names.add(entry.directory() ? entry.name() + "/" : entry.name());
      }
    }
    return names;
  }

  private List<String> keys() throws Exception {
    try (S3Client client = bucket.client(0)) {
      return client
          .listObjectsV2Paginator(r -> r.bucket(bucket.name()).prefix(prefix()))
          .contents()
          .stream()
          .map(S3Object::key)
          .map(key -> key.substring(prefix().length()))
          .toList();
    }
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    FerryException failure = catchThrowableOfType(FerryException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.kind()).as(failure.toString()).isEqualTo(kind);
  }

  @Test
  void files_ofAllSizes_areStoredWithTheirFacts() throws Exception {
    Instant modified = Instant.parse("2001-02-03T04:05:06.789Z");
    CreateOptions create = CreateOptions.DEFAULT.withLastModified(modified).withMode(0750);
    for (int size : new int[] {0, 1, 100_000, PART, PART + 1, 3 * PART + 12_345}) {
      byte[] bytes = TestFiles.random(size, size);
      FileFacts facts = put(store, "file", bytes, create);
      assertThat(facts.crc32c()).isEqualTo(crc(bytes));
      FileFacts stated = store.stat(path("file"), false);
      assertThat(stated.size()).isEqualTo(size);
      assertThat(stated.lastModified()).isEqualTo(modified);
      assertThat(stated.mode()).isEqualTo(0750);
      assertThat(stated.version()).isEqualTo(facts.version());
      assertThat(store.stat(path("file"), Digest.Algorithm.SHA256).sha256()).isNotNull();
      assertThat(get("file")).isEqualTo(bytes);
    }
    assertThat(keys()).containsExactly("file");
  }

  @Test
  void create_overAFile_keepsItsPermissions() throws Exception {
    put(store, "file", new byte[1], CreateOptions.DEFAULT.withMode(0600));
    FileFacts plain = put(store, "file", new byte[2], CreateOptions.DEFAULT);
    assertThat(plain.mode()).isEqualTo(0600);
    // In parts, of a program.
    CreateOptions program = CreateOptions.DEFAULT.withMode(0755);
    FileFacts unused = put(store, "file", TestFiles.random(PART + 1, 1), program);
    assertThat(store.stat(path("file"), false).mode()).isEqualTo(0700);
  }

  @Test
  void ranges_inAnyOrder_areWhatTheFileHas() throws Exception {
    byte[] bytes = TestFiles.random(2 * ObjectSource.RANGE_BYTES + 1000, 1);
    put(store, "file", bytes, CreateOptions.DEFAULT);
    try (FileSource source = store.open(path("file"))) {
      source.readAhead(1000, 3 << 20);
      for (int at : new int[] {1000, 5 << 20, 2 << 20, 0, bytes.length - 10}) {
        ByteBuffer read = ByteBuffer.allocate(10);
        source.readFully(read, at);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(bytes, at, 10).slice());
      }
      assertFails(
          ErrorKind.FILE_CHANGED,
          () -> source.readFully(ByteBuffer.allocate(11), bytes.length - 10));
    }
  }

  @Test
  void open_fileThatIsReplacedMeanwhile_isAChangedFile() throws Exception {
    put(store, "file", TestFiles.random(3 * ObjectSource.RANGE_BYTES, 1), CreateOptions.DEFAULT);
    try (FileSource source = store.open(path("file"))) {
      put(store, "file", TestFiles.random(1000, 2), CreateOptions.DEFAULT);
      source.readAhead(0, source.facts().size());
      assertFails(ErrorKind.FILE_CHANGED, () -> source.readFully(ByteBuffer.allocate(10), 0));
    }
  }

  @Test
  void create_damagedOrShort_leavesTheOldFile() throws Exception {
    byte[] old = TestFiles.random(1000, 1);
    put(store, "file", old, CreateOptions.DEFAULT);
    for (int size : new int[] {1000, 2 * PART}) {
      byte[] bytes = TestFiles.random(size, 2);
      try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT)) {
        sink.expect(size);
        write(sink, bytes, 0, size);
        assertFails(ErrorKind.DIGEST_MISMATCH, () -> sink.commit(size, new Crc32c(1)));
      }
      try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT)) {
        sink.expect(size);
        write(sink, bytes, 0, size - 1);
        assertFails(ErrorKind.INCOMPLETE, () -> sink.commit(size, null));
      }
    }
    assertThat(get("file")).isEqualTo(old);
    assertThat(keys()).containsExactly("file");
    assertNoUploads();
  }

  private void assertNoUploads() throws Exception {
    try (S3Client client = bucket.client(0)) {
      assertThat(
              client.listMultipartUploads(r -> r.bucket(bucket.name()).prefix(prefix())).uploads())
          .isEmpty();
    }
  }

  @Test
  void create_conditions_areKeptForSmallAndLargeFiles() throws Exception {
    for (int size : new int[] {1000, PART + 1000}) {
      String name = "file" + size;
      byte[] bytes = TestFiles.random(size, 1);
      CreateOptions only = CreateOptions.DEFAULT.withCreateOnly(true);
      String version = put(store, name, bytes, only).version();
      assertFails(ErrorKind.ALREADY_EXISTS, () -> put(store, name, bytes, only));
      byte[] other = TestFiles.random(size, 2);
      assertFails(
          ErrorKind.VERSION_MISMATCH,
          () -> put(store, name, other, CreateOptions.DEFAULT.withReplaced("x")));
      assertThat(get(name)).isEqualTo(bytes);
      put(store, name, other, CreateOptions.DEFAULT.withReplaced(version));
      assertThat(get(name)).isEqualTo(other);
      assertFails(
          ErrorKind.VERSION_MISMATCH,
          () -> put(store, "none", other, CreateOptions.DEFAULT.withReplaced(version)));
    }
    assertThat(keys()).hasSize(2);
  }

  @Test
  void create_onlyOneOfMany_createsTheFile() throws Exception {
    CreateOptions only = CreateOptions.DEFAULT.withCreateOnly(true);
    for (int size : new int[] {10, PART + 1}) {
      String name = "file" + size;
      ExecutorService threads = Executors.newFixedThreadPool(4);
      List<Future<Boolean>> created = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        byte[] bytes = TestFiles.random(size, i);
        created.add(
            threads.submit(
                () -> {
                  try (S3FileStore other = open(1)) {
                    put(other, name, bytes, only);
                    return true;
                  } catch (FerryException e) {
                    assertThat(e.kind()).isEqualTo(ErrorKind.ALREADY_EXISTS);
                    return false;
                  }
                }));
      }
      int count = 0;
      for (Future<Boolean> future : created) {
        count += future.get() ? 1 : 0;
      }
      threads.shutdown();
      assertThat(count).isEqualTo(1);
    }
  }

  @Test
  void folders_areWhatOtherToolsSee() throws Exception {
    try (S3Client client = bucket.client(0)) {
      for (String key : List.of("a/b/c", "a/b-c", "a/b.txt", "a.b", "marked/", "a/ü€😀")) {
        client.putObject(
            r -> r.bucket(bucket.name()).key(prefix() + key), RequestBody.fromString(key));
      }
    }
    assertThat(list("")).containsExactly("a/", "a.b", "marked/");
    assertThat(list("a")).containsExactly("a/b/", "a/b-c", "a/b.txt", "a/ü€😀");
    assertThat(list("marked")).isEmpty();
    assertThat(store.stat(path("a/b"), false).directory()).isTrue();
    assertThat(get("a/ü€😀")).isEqualTo("a/ü€😀".getBytes("UTF-8"));
    assertFails(ErrorKind.NOT_FOUND, () -> list("none"));
    assertFails(ErrorKind.INVALID_PATH, () -> store.open(path("a")));
    assertFails(ErrorKind.NOT_FOUND, () -> store.open(path("none")));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.create(path("a"), CreateOptions.DEFAULT));
    assertFails(ErrorKind.NOT_FOUND, () -> store.create(path("no/f"), CreateOptions.DEFAULT));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> store.create(path("a.b/f"), CreateOptions.DEFAULT.withMakeParents(true)));

    store.makeDirectory(path("new"), false, null);
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.makeDirectory(path("new"), false, null));
    assertFails(ErrorKind.NOT_FOUND, () -> store.makeDirectory(path("x/y"), false, null));
    store.makeDirectory(path("x/y"), true, null);
    assertFails(ErrorKind.NOT_EMPTY, () -> store.delete(path("x"), null));
    store.delete(path("x/y"), null);
    store.delete(path("x"), null);
    store.delete(path("a/b/c"), null);
    assertThat(list("a")).startsWith("a/b/");
    assertThat(keys()).contains("new/", "a/b/");
  }

  /** Makes objects whose content is their key. */
  void put(String... keys) throws Exception {
    try (S3Client client = bucket.client(0)) {
      for (String key : keys) {
        client.putObject(
            r -> r.bucket(bucket.name()).key(prefix() + key), RequestBody.fromString(key));
      }
    }
  }

  /** The names of a folder, with the reasons of those that are left out. */
  List<String> names(String folder) throws Exception {
    return TestFiles.list(store, path(folder)).stream()
        .map(entry -> entry.name() + (entry.leftOut() == null ? "" : " " + entry.leftOut()))
        .toList();
  }

  @Test
  void names_thatCannotBe_areNamedInListsAndRefused() throws Exception {
    put("a/f", "a/.ferry-mine");
    assertThat(names("a")).containsExactly("a/.ferry-mine NAME", "a/f");
    put("%2e/\u001b", "%/f");
    assertThat(names("%2e")).containsExactly("%2e/\\x1b NAME");
    assertThat(names("%")).containsExactly("%/f");
    for (String name : List.of("a/\n", "a/\u001b[31m/b", "a/\uffff")) {
      assertFails(ErrorKind.INVALID_PATH, () -> store.stat(path(name), false));
      assertFails(ErrorKind.INVALID_PATH, () -> store.create(path(name), CreateOptions.DEFAULT));
      assertFails(ErrorKind.INVALID_PATH, () -> store.makeDirectory(path(name), true, null));
      assertFails(ErrorKind.INVALID_PATH, () -> store.move(path("a/f"), path(name), true));
    }
  }

  @Test
  void setLastModified_file_keepsTheRestOfIt() throws Exception {
    byte[] bytes = TestFiles.random(1000, 1);
    Instant time = Instant.parse("2020-01-02T03:04:05.678Z");
    put(store, "folder/f", bytes, CreateOptions.DEFAULT.withMakeParents(true).withMode(0750));
    store.setLastModified(path("folder/f"), time);
    FileFacts facts = store.stat(path("folder/f"), false);
    assertThat(facts.lastModified()).isEqualTo(time);
    assertThat(facts.crc32c()).isEqualTo(crc(bytes));
    assertThat(facts.mode()).isEqualTo(0750);
    assertThat(get("folder/f")).isEqualTo(bytes);
    assertFails(ErrorKind.INVALID_REQUEST, () -> store.setLastModified(path("folder"), time));
    assertFails(ErrorKind.NOT_FOUND, () -> store.setLastModified(path("no"), time));
  }

  @Test
  void setLastModified_objectOfAnotherProgram_keepsItsFields() throws Exception {
    try (S3Client client = bucket.client(0)) {
      client.putObject(
          r ->
              r.bucket(bucket.name())
                  .key(prefix() + "f")
                  .cacheControl("max-age=60")
                  .contentDisposition("attachment")
                  .contentEncoding("gzip")
                  .contentLanguage("de")
                  .contentType("text/x-own"),
          RequestBody.fromBytes(new byte[10]));
      List<String> before = fields(client, "f");
      store.setLastModified(path("f"), Instant.parse("2020-01-02T03:04:05Z"));
      assertThat(fields(client, "f")).isEqualTo(before).contains("gzip", "text/x-own");
    }
  }

  private List<String> fields(S3Client client, String name) {
    HeadObjectResponse head = client.headObject(r -> r.bucket(bucket.name()).key(prefix() + name));
    return Stream.of(
            head.cacheControl(),
            head.contentDisposition(),
            head.contentEncoding(),
            head.contentLanguage(),
            head.contentType(),
            head.storageClassAsString())
        .map(String::valueOf)
        .toList();
  }

  @Test
  void move_fileOrFolder_copiesAndDeletes() throws Exception {
    byte[] bytes = TestFiles.random(1000, 1);
    FileFacts facts = put(store, "file", bytes, CreateOptions.DEFAULT);
    put(store, "folder/one", bytes, CreateOptions.DEFAULT.withMakeParents(true));
    put(store, "folder/sub/two", bytes, CreateOptions.DEFAULT.withMakeParents(true));
    store.move(path("file"), path("folder/moved"), false);
    assertThat(store.stat(path("folder/moved"), false).crc32c()).isEqualTo(facts.crc32c());
    store.move(path("folder"), path("other"), false);
    assertThat(keys()).containsExactly("other/moved", "other/one", "other/sub/two");
    assertFails(
        ErrorKind.ALREADY_EXISTS, () -> store.move(path("other/one"), path("other/moved"), false));
    store.move(path("other/one"), path("other/moved"), true);
    assertFails(
        ErrorKind.INVALID_REQUEST, () -> store.move(path("other"), path("other/sub/in"), false));
    assertFails(ErrorKind.NOT_FOUND, () -> store.move(path("file"), path("x"), false));
    put(store, "file", bytes, CreateOptions.DEFAULT);
    assertFails(ErrorKind.ALREADY_EXISTS, () -> store.move(path("file"), path("other"), true));
  }

  @Test
  void transfers_oneCallerReadsManyFilesSlowly_leaveMemoryToOthers() throws Exception {
    byte[] bytes = TestFiles.random(4 << 20, 1);
    put(store, "file", bytes, CreateOptions.DEFAULT);
    List<FileSource> slow = new ArrayList<>();
    while (store.usedMemory() < MEMORY / 2) {
      slow.add(readSlowly(store.heldBy("greedy"), "file"));
    }
    List<Background<FileSource>> waiting = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      waiting.add(Background.start(() -> readSlowly(store.heldBy("greedy"), "file")));
    }

    S3FileStore other = store.heldBy("other");
    byte[] larger = TestFiles.random(2 * PART + 1, 2);
    put(other, "larger", larger, CreateOptions.DEFAULT);
    assertThat(get(other, "larger")).isEqualTo(larger);
    awaitMemory(MEMORY / 2);

    for (FileSource source : slow) {
      source.close();
    }
    for (Background<FileSource> source : waiting) {
      try {
        source.result().close();
      } catch (FerryException e) {
        // It had waited for as long as a store lets it, on a very slow machine.
        assertThat(e.kind()).isEqualTo(ErrorKind.OVERLOADED);
      }
    }
    awaitMemory(0);
  }

  /** Waits until the transfers use this much memory: one that was closed may still give it back. */
  private void awaitMemory(long bytes) throws Exception {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (store.usedMemory() != bytes && System.nanoTime() < end) {
      Thread.sleep(2);
    }
    assertThat(store.usedMemory()).isEqualTo(bytes);
  }

  @Test
  void upload_cutAtOneServer_goesOnAtAnother() throws Exception {
    byte[] bytes = TestFiles.random(3 * PART + 1000, 1);
    UploadId id = UploadId.random().of("somebody");
    UploadPart first = new UploadPart(id, 0, bytes.length);
    int cut = 2 * PART + 500;
    try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT.withUpload(first))) {
      assertThat(sink.isKept()).isTrue();
      sink.expect(bytes.length);
      write(sink, bytes, 0, cut);
    }
    assertFails(ErrorKind.NOT_FOUND, () -> store.stat(path("file"), false));
    try (S3FileStore other = open(1)) {
      assertFails(ErrorKind.NOT_FOUND, () -> other.upload(id.of("somebody else")));
      assertThat(other.upload(id).status().received()).isEqualTo(cut);
      assertThat(other.upload(id).path()).isEqualTo(path("file"));
      UploadPart wrong = new UploadPart(id, cut - 1, bytes.length);
      assertFails(
          ErrorKind.OFFSET_MISMATCH,
          () -> other.create(path("file"), CreateOptions.DEFAULT.withUpload(wrong)));
      UploadPart rest = new UploadPart(id, cut, bytes.length);
      FileSink sink = other.create(path("file"), CreateOptions.DEFAULT.withUpload(rest));
      assertThat(sink.written()).isEqualTo(cut);
      sink.expect(bytes.length);
      write(sink, bytes, cut, bytes.length);
      FileFacts facts = sink.commit(bytes.length, crc(bytes));
      sink.close();
      assertThat(facts.crc32c()).isEqualTo(crc(bytes));
    }
    assertThat(get("file")).isEqualTo(bytes);
    // Any server knows that it is complete, until it expires.
    assertThat(store.upload(id).status().complete()).isNotNull();
    assertThat(keys()).hasSize(2);
    store.cancelUpload(id);
    assertThat(keys()).containsExactly("file");
    assertNoUploads();
  }

  @Test
  void upload_whoseTailCannotBeRead_holdsNoMemoryAndGoesOn() throws Exception {
    byte[] bytes = TestFiles.random(PART + 1000, 1);
    int cut = PART - 1000;
    UploadId id = UploadId.random();
    UploadPart first = new UploadPart(id, 0, bytes.length);
    try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT.withUpload(first))) {
      sink.expect(bytes.length);
      write(sink, bytes, 0, cut);
    }
    CreateOptions rest = CreateOptions.DEFAULT.withUpload(new UploadPart(id, cut, bytes.length));
    try (TcpProxy proxy = new TcpProxy(bucket.gateways().get(0).getPort());
        S3FileStore other = open(URI.create("http://" + proxy.address()))) {
      proxy.cutEach(1 << 20);
      assertFails(ErrorKind.UNAVAILABLE, () -> other.create(path("file"), rest));
      assertThat(other.usedMemory()).isZero();
      proxy.cutEach(Long.MAX_VALUE);
      try (FileSink sink = other.create(path("file"), rest)) {
        sink.expect(bytes.length);
        write(sink, bytes, cut, bytes.length);
        FileFacts unused = sink.commit(bytes.length, crc(bytes));
      }
      other.cancelUpload(id);
    }
    assertThat(get("file")).isEqualTo(bytes);
  }

  /** Opens the store at another address of its server. */
  private S3FileStore open(URI gateway) throws FerryException {
    TestBucket there = new TestBucket(List.of(gateway), bucket.credentials(), bucket.name());
    return S3FileStore.open(
        there.client(0), there.settings(0, prefix()), MEMORY, ReceiveLimits.STORE);
  }

  @Test
  void upload_ofAServerThatWasKilled_goesOnBehindItsParts() throws Exception {
    byte[] bytes = TestFiles.random(3 * PART, 1);
    UploadId id = UploadId.random();
    UploadPart first = new UploadPart(id, 0, bytes.length);
    FileSink killed = store.create(path("file"), CreateOptions.DEFAULT.withUpload(first));
    killed.expect(bytes.length);
    write(killed, bytes, 0, 2 * PART + 10);
    try (S3FileStore other = open(1)) {
      long received = other.upload(id).status().received();
      while (received < 2L * PART) {
        Thread.sleep(20);
        received = other.upload(id).status().received();
      }
      UploadPart rest = new UploadPart(id, received, bytes.length);
      try (FileSink sink = other.create(path("file"), CreateOptions.DEFAULT.withUpload(rest))) {
        sink.expect(bytes.length);
        write(sink, bytes, (int) received, bytes.length);
        FileFacts unused = sink.commit(bytes.length, crc(bytes));
      }
    }
    killed.close();
    assertThat(get("file")).isEqualTo(bytes);
    assertNoUploads();
  }

  /** Leaves an upload in the bucket. */
  private UploadId leave() throws Exception {
    byte[] bytes = TestFiles.random(PART + 10, 1);
    UploadId id = UploadId.random();
    UploadPart part = new UploadPart(id, 0, bytes.length);
    try (FileSink sink = store.create(path("file"), CreateOptions.DEFAULT.withUpload(part))) {
      sink.expect(bytes.length);
      write(sink, bytes, 0, bytes.length);
    }
    store.expireUploads();
    assertThat(store.upload(id).status().received()).isEqualTo(bytes.length);
    Thread.sleep(1_100);
    return id;
  }

  /** Opens the store as a server for which all uploads have expired. */
  private S3FileStore openImpatient() throws FerryException {
    return S3FileStore.open(
        bucket.client(0),
        bucket.settings(0, prefix()),
        MEMORY,
        ReceiveLimits.STORE.withKeepPartial(Duration.ofMillis(1)));
  }

  @Test
  void create_afterTheTime_deletesWhatOtherServersLeft() throws Exception {
    UploadId id = leave();
    // What it deletes beside the upload, it ends before it is closed.
    try (S3FileStore impatient = openImpatient()) {
      put(impatient, "other", new byte[10], CreateOptions.DEFAULT);
    }
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
    assertThat(keys()).containsExactly("other");
    assertNoUploads();
  }

  @Test
  void expireUploads_afterTheTime_deletesWhatOtherServersLeft() throws Exception {
    UploadId id = leave();
    try (S3FileStore impatient = openImpatient()) {
      impatient.expireUploads();
    }
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
    assertThat(keys()).isEmpty();
    assertNoUploads();
  }
}
