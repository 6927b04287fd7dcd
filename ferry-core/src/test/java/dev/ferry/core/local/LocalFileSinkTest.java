package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.core.Background;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FaultyChannel;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Sha256;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.LocalAttributes;
import dev.ferry.core.internal.Modes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFileSinkTest {
  private static final int MIB = 1024 * 1024;

  private static final SinkOptions DEFAULT = SinkOptions.DEFAULT;
  private static final SinkOptions MAKING =
      DEFAULT.withCreate(CreateOptions.DEFAULT.withMakeParents(true));
  private static final SinkOptions CREATE_ONLY =
      DEFAULT.withCreate(CreateOptions.DEFAULT.withCreateOnly(true));

  @TempDir private Path directory;

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(call)
        .matches(e -> e.kind() == kind, "is " + kind);
  }

  private static Sha256 digestOf(byte[] bytes) throws IOException {
    Path file = Files.createTempFile("digest", "");
    try {
      return Sha256.ofFile(Files.write(file, bytes));
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void commit_overAnExistingFile_replacesItAtOnce() throws Exception {
    Path target = write(directory.resolve("file"), random(10, 1));
    try (FileSink sink = LocalFileSink.create(target, DEFAULT.withSync(true))) {
      sink.write(ByteBuffer.wrap(random(20, 2)));
      assertThat(sink.written()).isEqualTo(20);
      assertThat(target).binaryContent().isEqualTo(random(10, 1));
      FileFacts facts = sink.commit(20, digestOf(random(20, 2)));
      assertThat(facts.name()).isEqualTo("file");
      assertThat(facts.size()).isEqualTo(20);
      assertThat(facts.sha256()).isEqualTo(digestOf(random(20, 2)));
      assertThat(facts.lastModified().toEpochMilli())
          .isEqualTo(Files.getLastModifiedTime(target).toMillis());
    }
    assertThat(target).binaryContent().isEqualTo(random(20, 2));
    assertThat(TestFiles.tree(directory)).containsExactly("file");
  }

  private Path temporary() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(LocalFileSink::isFerrys).findFirst().orElseThrow();
    }
  }

  private static CreateOptions copyOf(@Nullable Integer mode) {
    return CreateOptions.DEFAULT.withMode(mode);
  }

  @ParameterizedTest
  @CsvSource({
    "rw-------, , rw-------",
    "rw-------, 644, rw-------",
    "rw-------, 755, rwx------",
    "rwxr-xr-x, , rwxr-xr-x",
    "rwxr-xr-x, 600, rwxr-xr-x",
    "rw-r-----, 755, rwxr-x---",
    "r--r--r--, 644, r--r--r--",
    "rw-rw-rw-, 600, rw-rw-rw-"
  })
  void commit_overAFile_givesItsPermissionsAndNoMoreBefore(
      String replaced, @Nullable String source, String expected) throws Exception {
    Path target = TestFiles.permit(write(directory.resolve("file"), random(10, 1)), replaced);
    Integer mode = source == null ? null : (Integer) Integer.parseInt(source, 8);
    try (FileSink sink = LocalFileSink.create(target, DEFAULT.withCreate(copyOf(mode)))) {
      Set<PosixFilePermission> readers = Files.getPosixFilePermissions(temporary());
      readers.removeAll(Files.getPosixFilePermissions(target));
      assertThat(readers).isSubsetOf(EnumSet.of(PosixFilePermission.OWNER_WRITE));
      sink.write(ByteBuffer.wrap(random(20, 2)));
      assertThat(sink.commit(20, null).mode())
          .isEqualTo(Modes.of(Files.readAttributes(target, PosixFileAttributes.class)));
    }
    assertThat(target).binaryContent().isEqualTo(random(20, 2));
    assertThat(TestFiles.permissions(target)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"600, rw-------", "700, rwx------", "400, r--------", "240, rw-r-----"})
  void commit_newFile_hasNoPermissionThatItsSourceLacks(String source, String expected)
      throws Exception {
    Path target = directory.resolve("a/file");
    CreateOptions create = copyOf(Integer.parseInt(source, 8)).withMakeParents(true);
    SinkOptions options = MAKING.withCreate(create.withFolderMode(0500));
    try (FileSink sink = LocalFileSink.create(target, options)) {
      sink.write(ByteBuffer.wrap(random(20, 2)));
      assertThat(sink.commit(20, null).mode()).isNotNull();
    }
    assertThat(TestFiles.permissions(target)).isEqualTo(expected);
    assertThat(TestFiles.permissions(directory.resolve("a"))).isEqualTo("rwx------");
  }

  @Test
  void commit_overAFileOfAnotherUser_keepsItsOwnerAndGroup() throws Exception {
    Path target = TestFiles.permit(write(directory.resolve("file"), random(10, 1)), "rw-r-----");
    try {
      Files.setAttribute(target, "unix:uid", 12_345);
      Files.setAttribute(target, "unix:gid", 23_456);
    } catch (FileSystemException e) {
      assumeThat(e).as("skipped: only root can give files away").isNull();
    }
    try (FileSink sink = LocalFileSink.create(target, DEFAULT)) {
      assertThat(TestFiles.permissions(temporary())).isEqualTo("rw-------");
      sink.write(ByteBuffer.wrap(random(20, 2)));
      FileFacts unused = sink.commit(20, null);
    }
    assertThat(target).binaryContent().isEqualTo(random(20, 2));
    assertThat(Files.readAttributes(target, "unix:uid,gid"))
        .containsEntry("uid", 12_345)
        .containsEntry("gid", 23_456);
    assertThat(TestFiles.permissions(target)).isEqualTo("rw-r-----");
  }

  @Test
  void commit_overAVersion_replacesThatVersionAlone() throws Exception {
    Path target = write(directory.resolve("file"), random(10, 1));
    String version = LocalAttributes.read(target).version();
    SinkOptions options = DEFAULT.withCreate(CreateOptions.DEFAULT.withReplaced(version));
    try (FileSink first = LocalFileSink.create(target, options);
        FileSink second = LocalFileSink.create(target, options)) {
      first.write(ByteBuffer.wrap(random(10, 2)));
      second.write(ByteBuffer.wrap(random(10, 3)));
      FileFacts facts = first.commit(10, null);
      assertThat(facts.version()).isNotEqualTo(version);
      assertFails(ErrorKind.VERSION_MISMATCH, () -> second.commit(10, null));
      assertThat(facts.version()).isEqualTo(LocalAttributes.read(target).version());
    }
    Files.delete(target);
    try (FileSink sink = LocalFileSink.create(target, options)) {
      assertFails(ErrorKind.VERSION_MISMATCH, () -> sink.commit(0, null));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void close_withoutCommit_leavesNothing() throws Exception {
    Path old = write(directory.resolve("old/file"), random(10, 1));
    try (FileSink replacing = LocalFileSink.create(old, DEFAULT);
        FileSink fresh = LocalFileSink.create(directory.resolve("a/b/c/file"), MAKING)) {
      replacing.write(ByteBuffer.wrap(random(20, 2)));
      fresh.write(ByteBuffer.wrap(random(20, 2)));
      assertThat(directory.resolve("a/b/c")).isDirectory();
      fresh.close();
      fresh.close();
    }
    assertThat(TestFiles.tree(directory)).containsExactly("old/", "old/file");
    assertThat(old).binaryContent().isEqualTo(random(10, 1));
  }

  @Test
  void close_whereADirectoryWasSharedMeanwhile_leavesTheOthersFile() throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("a/b/file"), MAKING)) {
      write(directory.resolve("a/other"), random(1, 1));
      assertThat(sink.written()).isZero();
    }
    assertThat(TestFiles.tree(directory)).containsExactly("a/", "a/other");
  }

  @Test
  void close_whereAFileTookTheDirectorysPlace_leavesThatFile() throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("a/file"), MAKING)) {
      try (var files = Files.list(directory.resolve("a"))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory.resolve("a"));
      write(directory.resolve("a"), random(1, 1));
      assertThat(sink.written()).isZero();
    } catch (FerryException e) {
      // That its temporary file cannot be reached any more, the sink may well say.
      assertThat(e.kind()).isEqualTo(ErrorKind.ALREADY_EXISTS);
    }
    assertThat(TestFiles.tree(directory)).containsExactly("a");
  }

  @Test
  void create_whereADirectoryStands_isAlreadyExists() throws Exception {
    Files.createDirectory(directory.resolve("dir"));
    assertFails(
        ErrorKind.ALREADY_EXISTS, () -> LocalFileSink.create(directory.resolve("dir"), DEFAULT));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> LocalFileSink.create(Path.of("/"), DEFAULT));
    Path late = directory.resolve("late");
    try (FileSink sink = LocalFileSink.create(late, DEFAULT)) {
      Files.createDirectory(late);
      assertFails(ErrorKind.ALREADY_EXISTS, () -> sink.commit(0, null));
    }
    assertThat(TestFiles.tree(directory)).containsExactly("dir/", "late/");
  }

  @Test
  void commit_twiceOrAfterClose_isAProgrammingError() throws Exception {
    FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT);
    sink.commit(0, null);
    assertThatIllegalStateException().isThrownBy(() -> sink.commit(0, null));
    sink.close();
    assertThat(TestFiles.tree(directory)).containsExactly("file");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 9, 11})
  void commit_ofAnotherSize_isIncomplete(long announced) throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT)) {
      sink.write(ByteBuffer.wrap(random(10, 1)));
      assertFails(ErrorKind.INCOMPLETE, () -> sink.commit(announced, null));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void commit_ofAnUnannouncedSize_takesWhatCame() throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT)) {
      sink.write(ByteBuffer.wrap(random(10, 1)));
      assertThat(sink.commit(-1, null).sha256()).isNull();
    }
    assertThat(directory.resolve("file")).binaryContent().isEqualTo(random(10, 1));
  }

  @Test
  void commit_ofAnotherDigest_isADigestMismatch() throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT)) {
      sink.write(ByteBuffer.wrap(random(10, 1)));
      Sha256 other = digestOf(random(10, 2));
      assertFails(ErrorKind.DIGEST_MISMATCH, () -> sink.commit(10, other));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void createOnly_ofAnExistingFile_isRefusedAtTheStartAndAtTheEnd() throws Exception {
    Path target = directory.resolve("file");
    try (FileSink late = LocalFileSink.create(target, CREATE_ONLY)) {
      write(target, random(3, 1));
      assertFails(ErrorKind.ALREADY_EXISTS, () -> LocalFileSink.create(target, CREATE_ONLY));
      assertFails(ErrorKind.ALREADY_EXISTS, () -> late.commit(0, null));
    }
    assertThat(target).binaryContent().isEqualTo(random(3, 1));
    assertThat(TestFiles.tree(directory)).containsExactly("file");
  }

  @Test
  void createOnly_ofTwoThatRace_letsExactlyOneWin() throws Exception {
    for (int round = 0; round < 50; round++) {
      Path target = directory.resolve("file" + round);
      List<Background<Boolean>> racers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        byte[] bytes = random(10 + i, i);
        racers.add(
            Background.start(
                () -> {
                  try (FileSink sink = LocalFileSink.create(target, CREATE_ONLY)) {
                    sink.write(ByteBuffer.wrap(bytes));
                    sink.commit(bytes.length, null);
                    return true;
                  } catch (FerryException e) {
                    assertThat(e.kind()).isEqualTo(ErrorKind.ALREADY_EXISTS);
                    return false;
                  }
                }));
      }
      boolean first = racers.get(0).result();
      assertThat(racers.get(1).result()).isNotEqualTo(first);
      assertThat(target).binaryContent().isEqualTo(first ? random(10, 0) : random(11, 1));
    }
    assertThat(TestFiles.tree(directory)).hasSize(50);
  }

  @Test
  void write_pastTheLimit_isTooLarge() throws Exception {
    try (FileSink sink =
        LocalFileSink.create(
            directory.resolve("file"), DEFAULT.withLimits(ReceiveLimits.OWN.withMaxFileSize(10)))) {
      sink.write(ByteBuffer.wrap(random(10, 1)));
      assertFails(ErrorKind.TOO_LARGE, () -> sink.write(ByteBuffer.wrap(random(1, 1))));
      ByteBuffer[] two = {ByteBuffer.allocate(0), ByteBuffer.allocate(1)};
      assertFails(ErrorKind.TOO_LARGE, () -> sink.write(two, 0, 2));
      sink.commit(10, null);
    }
    assertThat(directory.resolve("file")).binaryContent().isEqualTo(random(10, 1));
  }

  @Test
  void write_ontoAFullDisk_isOutOfSpace() throws Exception {
    SinkOptions full =
        MAKING.withOpener(FaultyChannel.options(FaultyChannel.fullAfter(100)).opener());
    try (FileSink sink = LocalFileSink.create(directory.resolve("a/file"), full)) {
      sink.write(ByteBuffer.wrap(random(60, 1)));
      assertFails(ErrorKind.OUT_OF_SPACE, () -> sink.write(ByteBuffer.wrap(random(60, 1))));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
    try (FileSink sink =
        LocalFileSink.create(
            directory.resolve("file"), FaultyChannel.options(FaultyChannel.fullAfter(100)))) {
      ByteBuffer[] buffers = {ByteBuffer.allocate(60), ByteBuffer.allocate(60)};
      assertFails(ErrorKind.OUT_OF_SPACE, () -> sink.write(buffers, 0, 2));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void create_whereTheDirectoryVanishesMeanwhile_makesItAgain() throws Exception {
    Files.createDirectory(directory.resolve("a"));
    AtomicInteger vanishes = new AtomicInteger(3);
    SinkOptions vanishing =
        MAKING.withOpener(
            (file, attributes) -> {
              if (vanishes.getAndDecrement() > 0) {
                Files.delete(directory.resolve("a/b"));
                Files.delete(directory.resolve("a"));
              }
              return DEFAULT.opener().open(file, attributes);
            });
    try (FileSink sink = LocalFileSink.create(directory.resolve("a/b/file"), vanishing)) {
      assertThat(sink.written()).isZero();
      assertThat(directory.resolve("a/b")).isDirectory();
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void create_whereOpeningFails_leavesNoDirectories() throws Exception {
    SinkOptions broken =
        MAKING.withOpener(
            (file, attributes) -> {
              throw new IOException("Input/output error");
            });
    assertFails(
        ErrorKind.INTERNAL, () -> LocalFileSink.create(directory.resolve("a/b/file"), broken));
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void write_gatheringInParts_keepsTheOrder(int most) throws Exception {
    byte[] bytes = random(100, 1);
    ByteBuffer[] buffers = {
      ByteBuffer.wrap(random(5, 9)),
      ByteBuffer.wrap(bytes, 0, 30),
      ByteBuffer.allocate(0),
      ByteBuffer.allocateDirect(20).put(bytes, 30, 20).flip(),
      ByteBuffer.wrap(bytes, 50, 50).asReadOnlyBuffer(),
      ByteBuffer.wrap(random(5, 9))
    };
    SinkOptions partial = FaultyChannel.options(FaultyChannel.partial(most));
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), partial)) {
      sink.write(buffers, 1, 4);
      sink.write(ByteBuffer.wrap(bytes));
      assertThat(sink.written()).isEqualTo(200);
      sink.commit(200, null);
    }
    assertThat(buffers[0].remaining()).isEqualTo(5);
    assertThat(buffers[5].remaining()).isEqualTo(5);
    byte[] twice = ByteBuffer.allocate(200).put(bytes).put(bytes).array();
    assertThat(directory.resolve("file")).binaryContent().isEqualTo(twice);
  }

  @Test
  void write_byAnInterruptedThread_isCancelled() throws Exception {
    try (FileSink sink = LocalFileSink.create(directory.resolve("a/file"), MAKING)) {
      Thread.currentThread().interrupt();
      assertFails(ErrorKind.CANCELLED, () -> sink.write(ByteBuffer.wrap(random(10, 1))));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  /** Runs each task on a thread of its own. */
  private static void onAThread(Runnable task) {
    Thread thread = new Thread(task, "digest");
    thread.setDaemon(true);
    thread.start();
  }

  private static void writeInParts(FileSink sink, byte[] bytes) throws FerryException {
    int part = MIB / 3;
    for (int at = 0; at < bytes.length; at += part) {
      sink.write(ByteBuffer.wrap(bytes, at, Math.min(part, bytes.length - at)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, MIB - 1, MIB, 5 * MIB + 3})
  void expectDigest_anySize_checksTheWholeFile(int size) throws Exception {
    byte[] bytes = random(size, 1);
    Sha256 right = digestOf(bytes);
    Executor closing =
        task -> {
          throw new RejectedExecutionException();
        };
    List<Executor> executors =
        List.of(LocalFileSinkTest::onAThread, Runnable::run, task -> {}, closing);
    for (Executor executor : executors) {
      try (FileSink good = LocalFileSink.create(directory.resolve("good"), DEFAULT);
          FileSink bad = LocalFileSink.create(directory.resolve("bad"), DEFAULT)) {
        good.expectDigest(Digest.Algorithm.SHA256, executor);
        bad.expectDigest(Digest.Algorithm.SHA256, executor);
        writeInParts(good, bytes);
        writeInParts(bad, bytes);
        assertThat(good.commit(size, right).sha256()).isEqualTo(right);
        assertFails(
            ErrorKind.DIGEST_MISMATCH, () -> bad.commit(size, digestOf(random(size + 1, 2))));
      }
      assertThat(TestFiles.tree(directory)).containsExactly("good");
    }
    TestFiles.awaitNothingOpen(directory);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void crc32c_expectedOrNot_isComparedWithWhatWasWritten(boolean expected) throws Exception {
    byte[] bytes = random(MIB, 1);
    Digest.Algorithm algorithm = Digest.Algorithm.CRC32C;
    Digest right = algorithm.ofFile(write(directory.resolve("right"), bytes));
    Digest wrong = algorithm.ofFile(write(directory.resolve("wrong"), random(MIB, 2)));
    try (FileSink good = LocalFileSink.create(directory.resolve("good"), DEFAULT);
        FileSink bad = LocalFileSink.create(directory.resolve("bad"), DEFAULT)) {
      for (FileSink sink : List.of(good, bad)) {
        if (expected) {
          sink.expectDigest(algorithm, LocalFileSinkTest::onAThread);
        }
        ByteBuffer first = ByteBuffer.allocateDirect(100_000).put(bytes, 0, 100_000).flip();
        ByteBuffer second = ByteBuffer.wrap(bytes, 100_000, 1000).asReadOnlyBuffer();
        sink.write(new ByteBuffer[] {ByteBuffer.wrap(bytes), first, second}, 1, 2);
        sink.write(ByteBuffer.wrap(bytes, 101_000, bytes.length - 101_000));
      }
      assertThat(good.commit(bytes.length, right).crc32c()).isEqualTo(right);
      assertThat(catchThrowable(() -> bad.commit(bytes.length, wrong)))
          .hasMessage(
              "%s: CRC-32C is %s, %s was announced"
                  .formatted(directory.resolve("bad"), right, wrong));
    }
    assertThat(directory.resolve("good")).binaryContent().isEqualTo(bytes);
    assertThat(TestFiles.tree(directory)).containsExactly("good", "right", "wrong");
  }

  @Test
  void expectDigest_diskThatWritesAnotherByte_isAMismatch() throws Exception {
    byte[] bytes = random(3 * MIB, 1);
    SinkOptions flips =
        FaultyChannel.options(
            (file, source) -> {
              byte[] written = new byte[source.remaining()];
              source.get(written);
              written[written.length / 2] ^= 1;
              return file.write(ByteBuffer.wrap(written));
            });
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), flips)) {
      sink.expectDigest(Digest.Algorithm.SHA256, Runnable::run);
      writeInParts(sink, bytes);
      assertFails(ErrorKind.DIGEST_MISMATCH, () -> sink.commit(bytes.length, digestOf(bytes)));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Digest.Algorithm.class)
  void verifyDisk_diskThatReturnsWhatWasReceived_commits(Digest.Algorithm algorithm)
      throws Exception {
    byte[] bytes = random(MIB, 1);
    Digest right = algorithm.ofFile(write(directory.resolve("right"), bytes));
    SinkOptions verifying = DEFAULT.withVerifyDisk(true);
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), verifying);
        FileSink bare = LocalFileSink.create(directory.resolve("bare"), verifying)) {
      assertThat(sink.commitsSlowly()).isTrue();
      sink.expectDigest(algorithm, Runnable::run);
      writeInParts(sink, bytes);
      writeInParts(bare, bytes);
      assertThat(sink.commit(bytes.length, right).digest(algorithm)).isEqualTo(right);
      assertThat(bare.commit(bytes.length, null).digests()).isEmpty();
    }
    assertThat(TestFiles.tree(directory)).containsExactly("bare", "file", "right");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void verifyDisk_diskThatWritesAnotherByte_namesFileAndDigests(boolean announced)
      throws Exception {
    byte[] bytes = random(MIB, 1);
    Digest.Algorithm algorithm = Digest.Algorithm.CRC32C;
    Digest right = algorithm.ofFile(write(directory.resolve("right"), bytes));
    SinkOptions corrupting = FaultyChannel.options(FaultyChannel.corrupting());
    byte[] stored = bytes.clone();
    stored[0] ^= 1;
    Digest wrong = algorithm.ofFile(write(directory.resolve("wrong"), stored));
    Path file = directory.resolve("file");
    Digest expected = announced ? right : null;
    for (boolean verified : new boolean[] {false, true}) {
      try (FileSink sink = LocalFileSink.create(file, corrupting.withVerifyDisk(verified))) {
        if (announced) {
          sink.expectDigest(algorithm, Runnable::run);
        }
        sink.write(ByteBuffer.wrap(bytes));
        if (verified) {
          assertThat(catchThrowable(() -> sink.commit(bytes.length, expected)))
              .hasMessage(
                  "%s: was not stored as received: CRC-32C is %s on the disk, %s was received"
                      .formatted(file, wrong, right));
        } else {
          // CRC-32C covers what was received, and not the disk.
          sink.commit(bytes.length, expected);
          Files.delete(file);
        }
      }
    }
    assertThat(TestFiles.tree(directory)).containsExactly("right", "wrong");
  }

  @Test
  void expectDigest_fileThatIsCutMeanwhile_fails() throws Exception {
    byte[] bytes = random(3 * MIB, 1);
    List<Runnable> tasks = new ArrayList<>();
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT)) {
      sink.expectDigest(Digest.Algorithm.SHA256, tasks::add);
      writeInParts(sink, bytes);
      Path temporary = directory.resolve(TestFiles.tree(directory).get(0));
      try (FileChannel cut = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        cut.truncate(MIB);
      }
      tasks.forEach(Runnable::run);
      assertFails(ErrorKind.INTERNAL, () -> sink.commit(bytes.length, digestOf(bytes)));
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
  }

  @Test
  void expectDigest_closedWhileItIsComputed_leavesNothing() throws Exception {
    List<Thread> threads = new ArrayList<>();
    try (FileSink sink = LocalFileSink.create(directory.resolve("file"), DEFAULT)) {
      sink.expectDigest(
          Digest.Algorithm.SHA256,
          task -> {
            Thread thread = new Thread(task);
            threads.add(thread);
            thread.start();
          });
      writeInParts(sink, random(20 * MIB, 1));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(TestFiles.tree(directory)).isEmpty();
    TestFiles.awaitNothingOpen(directory);
  }
}
