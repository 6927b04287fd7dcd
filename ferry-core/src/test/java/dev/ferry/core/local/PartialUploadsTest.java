package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FaultyChannel;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.GuardedStore;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads that a store keeps, in one process and the next. */
class PartialUploadsTest {
  private static final int SIZE = (int) PartialUploads.LEAST_SIZE;
  private static final int SOME = 3_000_000;
  private static final byte[] BYTES = TestFiles.incompressible(SIZE, 1);

  @TempDir Path temporary;
  private Path root;
  private Path state;
  private UploadId id;

  @BeforeEach
  void makeFolder() throws Exception {
    root = Files.createDirectory(temporary.resolve("root"));
    state = root.resolve(PartialUploads.FOLDER);
    id = UploadId.random();
  }

  private FileSink begin(FileStore store, long offset, CreateOptions options) throws Exception {
    FileSink sink =
        store.create(StorePath.parse("file"), options.withUpload(new UploadPart(id, offset, SIZE)));
    sink.expect(SIZE);
    return sink;
  }

  private FileSink begin(FileStore store, long offset) throws Exception {
    return begin(store, offset, CreateOptions.DEFAULT);
  }

  private static void write(FileSink sink, int from, int to) throws FerryException {
    sink.write(ByteBuffer.wrap(BYTES, from, to - from));
  }

  /** Receives the first bytes and loses the connection. */
  private void lose(FileStore store) throws Exception {
    try (FileSink sink = begin(store, 0)) {
      write(sink, 0, SOME);
    }
  }

  /** Receives the rest of the file. */
  private FileFacts complete(FileStore store, Digest.@Nullable Algorithm algorithm)
      throws Exception {
    int received = (int) store.upload(id).status().received();
    try (FileSink sink = begin(store, received)) {
      if (algorithm != null) {
        boolean unused = sink.expectDigest(algorithm, Runnable::run);
      }
      write(sink, received, SIZE);
      return sink.commit(SIZE, algorithm == null ? null : digest(algorithm));
    }
  }

  private Digest digest(Digest.Algorithm algorithm) throws IOException {
    return algorithm.ofFile(TestFiles.write(temporary.resolve("sent"), BYTES));
  }

  /** Copies the folder as a process leaves it that is killed now. */
  private Path killed() throws IOException {
    Path copy = Files.createTempDirectory(temporary, "killed");
    for (String name : TestFiles.tree(root)) {
      if (name.endsWith("/")) {
        Files.createDirectories(copy.resolve(name));
      } else {
        Files.copy(root.resolve(name), copy.resolve(name), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return copy;
  }

  private static Path only(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).findFirst().orElseThrow();
    }
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(call)
        .matches(e -> e.kind() == kind, "is " + kind);
  }

  @Test
  void open_recordThatCannotBeRead_isAWarning() throws Exception {
    Path record = Files.createDirectories(state.resolve("a.record"));
    List<String> warnings = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord event) {
            warnings.add(MessageFormat.format(event.getMessage(), event.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(PartialUploads.class.getName());
    logger.addHandler(handler);
    try {
      FileStore unused = LocalFileStore.open(root);
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(warnings).anyMatch(w -> w.startsWith(record + ": this upload cannot resume: "));
  }

  @ParameterizedTest
  @EnumSource
  void create_afterALostConnection_goesOn(Digest.Algorithm algorithm) throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    lose(store);
    assertThat(TestFiles.list(store, StorePath.ROOT)).isEmpty();
    assertThat(store.upload(id).status().received()).isEqualTo(SOME);

    FileFacts facts = complete(store, algorithm);

    assertThat(facts.digest(algorithm)).isEqualTo(digest(algorithm));
    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
    assertThat(store.upload(id).status().complete()).isEqualTo(facts);
    assertThat(TestFiles.tree(state)).singleElement().asString().endsWith(".record");
  }

  @ParameterizedTest
  @EnumSource
  void create_afterAKill_goesOn(Digest.Algorithm algorithm) throws Exception {
    try (FileSink sink = begin(LocalFileStore.open(root), 0)) {
      write(sink, 0, SOME);
      root = killed();
    }
    FileFacts facts = complete(LocalFileStore.open(root), algorithm);

    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
    // The next process knows that the upload is complete.
    assertThat(LocalFileStore.open(root).upload(id).status().complete()).isEqualTo(facts);
  }

  @Test
  void create_bytesThatTheDiskHasChanged_isADigestMismatchAndDiscarded() throws Exception {
    lose(LocalFileStore.open(root));
    try (FileChannel bytes = FileChannel.open(only(state, ".bytes"), StandardOpenOption.WRITE)) {
      bytes.write(ByteBuffer.allocate(1), 1000);
    }
    LocalFileStore store = LocalFileStore.open(root);

    assertFails(ErrorKind.DIGEST_MISMATCH, () -> complete(store, Digest.Algorithm.CRC32C));
    assertThat(TestFiles.tree(root)).containsExactly(PartialUploads.FOLDER + "/");
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
  }

  @Test
  void open_recordThatWasCutAnywhere_isNeverAWrongUpload() throws Exception {
    lose(LocalFileStore.open(root));
    byte[] record = Files.readAllBytes(only(state, ".record"));
    for (int length = 0; length <= record.length; length++) {
      Files.write(only(state, ".record"), List.of());
      try (FileChannel cut = FileChannel.open(only(state, ".record"), StandardOpenOption.WRITE)) {
        cut.truncate(0).write(ByteBuffer.wrap(record, 0, length));
      }
      LocalFileStore store = LocalFileStore.open(root);
      if (length < record.length) {
        assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
      } else {
        assertThat(store.upload(id).status().received()).isEqualTo(SOME);
      }
    }
  }

  @Test
  void open_recordWithChangedBytes_isNeverAWrongUpload() throws Exception {
    lose(LocalFileStore.open(root));
    Path file = only(state, ".record");
    byte[] record = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < record.length; i++) {
      byte[] changed = record.clone();
      changed[i] ^= (byte) (1 + random.nextInt(255));
      Files.write(file, changed);
      LocalFileStore store = LocalFileStore.open(root);
      assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, SOME - 1, SOME})
  void open_bytesThatWereCut_goesOnAtTheirEnd(int length) throws Exception {
    lose(LocalFileStore.open(root));
    try (FileChannel bytes = FileChannel.open(only(state, ".bytes"), StandardOpenOption.WRITE)) {
      bytes.truncate(length);
    }
    LocalFileStore store = LocalFileStore.open(root);
    assertThat(store.upload(id).status().received()).isEqualTo(length);
    FileFacts facts = complete(store, Digest.Algorithm.CRC32C);
    assertThat(facts.size()).isEqualTo(SIZE);
    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
  }

  /** The process is killed between the last entry of the record and the rename. */
  @Test
  void open_killedBeforeTheRename_goesOnAtTheEnd() throws Exception {
    try (FileSink sink = begin(LocalFileStore.open(root), 0)) {
      write(sink, 0, SIZE);
      root = killed();
      FileFacts facts = sink.commit(SIZE, null);
      Path record = only(state, ".record");
      Files.copy(
          record,
          root.resolve(PartialUploads.FOLDER).resolve(record.getFileName()),
          StandardCopyOption.REPLACE_EXISTING);
      assertThat(facts.size()).isEqualTo(SIZE);
    }
    LocalFileStore store = LocalFileStore.open(root);
    assertThat(store.upload(id).status().complete()).isNull();
    FileFacts facts = complete(store, Digest.Algorithm.CRC32C);
    assertThat(facts.size()).isEqualTo(SIZE);
    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
  }

  /** The complete file already has the time of its original. */
  @Test
  void open_killedWhileTheFileIsForced_isNotExpired() throws Exception {
    FaultyChannel.Fault killing =
        new FaultyChannel.Fault() {
          @Override
          public int write(FileChannel file, ByteBuffer bytes) throws IOException {
            return file.write(bytes);
          }

          @Override
          public void force(FileChannel file, boolean metaData) throws IOException {
            root = killed();
          }
        };
    SinkOptions options =
        FaultyChannel.options(killing)
            .withSync(true)
            .withLimits(ReceiveLimits.OWN.withKeepPartial(Duration.ofHours(1)));
    CreateOptions dated = CreateOptions.DEFAULT.withLastModified(Instant.ofEpochSecond(1));
    try (FileSink sink = begin(LocalFileStore.open(root, options), 0, dated)) {
      write(sink, 0, SIZE);
      // It began long ago.
      Files.setLastModifiedTime(
          only(state, ".record"), FileTime.from(Instant.now().minus(Duration.ofHours(2))));
      assertThat(sink.commit(SIZE, null).size()).isEqualTo(SIZE);
    }
    assertThat(root.resolve("file")).doesNotExist();
    LocalFileStore store = LocalFileStore.open(root, options);
    store.expireUploads();
    assertThat(store.upload(id).status().received()).isEqualTo(SIZE);
  }

  /**
   * A new name is a second link at first; the process is killed before the first one is removed.
   */
  @Test
  void open_killedBetweenTwoLinks_isComplete() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    FileFacts facts;
    try (FileSink sink = begin(store, 0, CreateOptions.DEFAULT.withCreateOnly(true))) {
      write(sink, 0, SIZE);
      Path bytes = only(state, ".bytes");
      facts = sink.commit(SIZE, null);
      Files.createLink(bytes, root.resolve("file"));
    }
    assertThat(LocalFileStore.open(root).upload(id).status().complete()).isEqualTo(facts);
    assertThat(TestFiles.tree(state)).singleElement().asString().endsWith(".record");
  }

  @Test
  void create_whileAnotherRequestStillReceives_stopsTheOther() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    try (FileSink stale = begin(store, 0)) {
      write(stale, 0, SOME);
      FileFacts facts = complete(store, Digest.Algorithm.CRC32C);

      assertThat(facts.size()).isEqualTo(SIZE);
      assertFails(ErrorKind.CANCELLED, () -> write(stale, SOME, SIZE));
    }
    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
  }

  @Test
  void create_whileAnotherServerStillReceives_isUnavailable() throws Exception {
    try (FileSink running = begin(LocalFileStore.open(root), 0)) {
      write(running, 0, SOME);
      LocalFileStore other = LocalFileStore.open(root);
      assertFails(ErrorKind.UNAVAILABLE, () -> begin(other, SOME));
    }
    FileFacts facts = complete(LocalFileStore.open(root), Digest.Algorithm.CRC32C);
    assertThat(facts.size()).isEqualTo(SIZE);
  }

  @Test
  void create_whatAnotherServerHasCompleted_isNotFoundAndStaysComplete() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    lose(store);
    LocalFileStore other = LocalFileStore.open(root);
    FileFacts facts = complete(store, null);
    assertFails(ErrorKind.NOT_FOUND, () -> begin(other, SOME));
    assertThat(other.upload(id).status().complete()).isEqualTo(facts);
    assertThat(LocalFileStore.open(root).upload(id).status().complete()).isEqualTo(facts);
  }

  @ParameterizedTest
  @EnumSource
  void create_nothingLeftToSend_comparesTheDigest(Digest.Algorithm algorithm) throws Exception {
    try (FileSink sink = begin(LocalFileStore.open(root), 0)) {
      write(sink, 0, SIZE);
    }
    LocalFileStore store = LocalFileStore.open(root);
    try (FileSink sink = begin(store, SIZE)) {
      boolean unused = sink.expectDigest(algorithm, Runnable::run);
      assertThat(sink.commit(SIZE, digest(algorithm)).size()).isEqualTo(SIZE);
    }
    assertThat(root.resolve("file")).binaryContent().isEqualTo(BYTES);
  }

  @Test
  void create_anotherOffsetPathOrSize_isRefused() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    assertFails(ErrorKind.NOT_FOUND, () -> begin(store, SOME));
    lose(store);
    assertFails(ErrorKind.OFFSET_MISMATCH, () -> begin(store, 0));
    assertFails(ErrorKind.OFFSET_MISMATCH, () -> begin(store, SOME + 1));
    UploadPart part = new UploadPart(id, SOME, SIZE);
    CreateOptions options = CreateOptions.DEFAULT;
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> store.create(StorePath.parse("other"), options.withUpload(part)));
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () ->
            store.create(
                StorePath.parse("file"), options.withUpload(new UploadPart(id, SOME, SIZE + 1))));
    assertThat(complete(store, null).size()).isEqualTo(SIZE);
    assertFails(ErrorKind.OFFSET_MISMATCH, () -> begin(store, 0));
  }

  @Test
  void upload_ofAnotherCaller_isNotFound() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    List<StoreRule> all = List.of(StoreRule.parse("all:/"));
    FileStore alice = new GuardedStore(store, "alice", all);
    FileStore bob = new GuardedStore(store, "bob", all);
    lose(alice);

    for (FileStore other : List.of(bob, store)) {
      assertFails(ErrorKind.NOT_FOUND, () -> other.upload(id));
      assertFails(ErrorKind.NOT_FOUND, () -> other.cancelUpload(id));
      assertFails(ErrorKind.NOT_FOUND, () -> begin(other, SOME));
    }
    FileStore bare = new GuardedStore(store, "alice", List.of(StoreRule.parse("read:/")));
    assertFails(ErrorKind.PERMISSION_DENIED, () -> bare.upload(id));
    assertThat(complete(alice, null).size()).isEqualTo(SIZE);
    assertFails(ErrorKind.NOT_FOUND, () -> bob.upload(id));
  }

  @Test
  void create_smallFile_keepsNothingAndRemembersTheEnd() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    CreateOptions options = CreateOptions.DEFAULT.withUpload(new UploadPart(id, 0, 10));
    try (FileSink sink = store.create(StorePath.parse("file"), options)) {
      write(sink, 0, 5);
    }
    assertThat(TestFiles.tree(root)).isEmpty();
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
    try (FileSink sink = store.create(StorePath.parse("file"), options)) {
      write(sink, 0, 10);
      FileFacts facts = sink.commit(10, null);
      assertThat(store.upload(id).status().complete()).isEqualTo(facts);
    }
    assertThat(TestFiles.tree(root)).containsExactly("file");
  }

  @Test
  void create_parents_areMadeAtTheEnd() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    StorePath path = StorePath.parse("a/b/file");
    UploadPart part = new UploadPart(id, 0, SIZE);
    assertFails(
        ErrorKind.NOT_FOUND, () -> store.create(path, CreateOptions.DEFAULT.withUpload(part)));
    CreateOptions options = CreateOptions.DEFAULT.withMakeParents(true).withUpload(part);
    try (FileSink sink = store.create(path, options)) {
      write(sink, 0, SIZE);
      assertThat(root.resolve("a")).doesNotExist();
      assertThat(sink.commit(SIZE, null).size()).isEqualTo(SIZE);
    }
    assertThat(root.resolve("a/b/file")).binaryContent().isEqualTo(BYTES);
  }

  @Test
  void create_privateFile_isPrivateFromTheFirstByteToItsName() throws Exception {
    CreateOptions options = CreateOptions.DEFAULT.withMode(0600);
    try (FileSink sink = begin(LocalFileStore.open(root), 0, options)) {
      write(sink, 0, SOME);
      assertThat(TestFiles.permissions(state)).isEqualTo("rwx------");
      assertThat(TestFiles.permissions(only(state, ".bytes"))).isEqualTo("rw-------");
    }
    // A file that has its name now keeps its own permissions.
    Path file = root.resolve("file");
    FileFacts facts = complete(LocalFileStore.open(root), null);
    assertThat(facts.mode()).isEqualTo(0600);
    assertThat(TestFiles.permissions(file)).isEqualTo("rw-------");
    TestFiles.permit(file, "r--r--r--");
    id = UploadId.random();
    lose(LocalFileStore.open(root));
    assertThat(complete(LocalFileStore.open(root), null).mode()).isEqualTo(0444);
    assertThat(TestFiles.permissions(file)).isEqualTo("r--r--r--");
  }

  @Test
  void cancelUpload_discardsWhatHasArrived() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    try (FileSink running = begin(store, 0)) {
      write(running, 0, SOME);
      store.cancelUpload(id);
      assertThat(TestFiles.tree(state)).isEmpty();
      assertFails(ErrorKind.CANCELLED, () -> write(running, SOME, SIZE));
    }
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
    assertThat(TestFiles.tree(state)).isEmpty();
  }

  @Test
  void expireUploads_deletesWhatIsTooOld() throws Exception {
    LocalFileStore store =
        LocalFileStore.open(
            root,
            SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withKeepPartial(Duration.ofHours(1))));
    lose(store);
    store.expireUploads();
    assertThat(store.upload(id).status().received()).isEqualTo(SOME);

    for (String name : TestFiles.tree(state)) {
      Files.setLastModifiedTime(
          state.resolve(name), FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    }
    assertFails(ErrorKind.NOT_FOUND, () -> LocalFileStore.open(root).upload(UploadId.random()));
    store.expireUploads();
    assertThat(TestFiles.tree(state)).isEmpty();
    assertFails(ErrorKind.NOT_FOUND, () -> store.upload(id));
  }

  @Test
  void create_manyOfOneCaller_leaveAsManyPlacesToOthers() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    int kept = 0;
    while (kept < 1000 && beginsKept(store, "alice")) {
      kept++;
    }
    assertThat(kept).isEqualTo(500);
    assertThat(beginsKept(store, "bob")).isTrue();
  }

  private static boolean beginsKept(FileStore store, String caller) throws Exception {
    UploadPart first = new UploadPart(UploadId.random().of(caller), 0, -1, false, null);
    StorePath path = StorePath.parse("file");
    FileStore own = store.heldBy(CallerShares.ofUser(caller));
    try (FileSink sink = own.create(path, CreateOptions.DEFAULT.withUpload(first))) {
      return sink.isKept();
    }
  }

  @Test
  void create_keptBytes_countAsReceived() throws Exception {
    SinkOptions options =
        SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withMaxReceiving(SIZE + SOME - 1L));
    lose(LocalFileStore.open(root, options));
    LocalFileStore store = LocalFileStore.open(root, options);
    try (FileSink other = store.create(StorePath.parse("other"), CreateOptions.DEFAULT)) {
      assertFails(ErrorKind.OVERLOADED, () -> other.expect(SIZE));
    }
    store.cancelUpload(id);
    try (FileSink other = store.create(StorePath.parse("other"), CreateOptions.DEFAULT)) {
      other.expect(SIZE);
    }
  }

  @Test
  void upload_saysWhatItIs() throws Exception {
    LocalFileStore store = LocalFileStore.open(root);
    lose(store);
    KeptUpload kept = LocalFileStore.open(root).upload(id);
    assertThat(kept.path()).isEqualTo(StorePath.parse("file"));
    assertThat(kept.size()).isEqualTo(SIZE);
    assertThat(kept.create()).isEqualTo(CreateOptions.DEFAULT);
    assertFails(
        ErrorKind.INVALID_PATH,
        () -> store.open(new StorePath(PartialUploads.FOLDER + "/" + id.toHex())));
  }
}
