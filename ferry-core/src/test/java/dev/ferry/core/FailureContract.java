package dev.ferry.core;

import static dev.ferry.core.TestFiles.compressible;
import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong: every kind of error reaches the client as that kind and leaves nothing. */
abstract class FailureContract extends BatchContract {
  private static final int MEBIBYTE = 1024 * 1024;
  private static final List<Digest> WRONG = wrongDigests();

  private static List<Digest> wrongDigests() {
    try {
      return List.of(new Crc32c(0), Sha256.of(new byte[Sha256.LENGTH]));
    } catch (FerryException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void missing_fileOfTheServer_isNotFound() throws Exception {
    Path target = local().resolve("made/back");
    assertFails(ErrorKind.NOT_FOUND, () -> carrier().download(path("no/such"), target, MAKING));
    assertFails(
        ErrorKind.NOT_FOUND,
        () -> carrier().stat(path("no/such"), Digest.Algorithm.SHA256, CallLimits.DEFAULT));
    assertFails(ErrorKind.NOT_FOUND, () -> carrier().list(path("no")));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  @Test
  void missing_fileOfTheClient_isNotFound() throws Exception {
    Path source = local().resolve("no-such");
    assertFails(ErrorKind.NOT_FOUND, () -> carrier().upload(source, path("new/file"), MAKING));
    assertThat(files().tree()).isEmpty();
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 3 * MEBIBYTE})
  void missing_directoryOfAnUpload_isNotFoundAndNamed(int size) throws Exception {
    files().makeFolder("dir");
    Path source = localFile("file", random(size, 1));
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/new: no such folder",
        () -> carrier().upload(source, path("dir/new/er/file"), TransferOptions.DEFAULT));
    assertThat(files().tree()).containsExactly("dir/");
    assertStillServes();
  }

  @Test
  void missing_directoryOfADownload_isNotFoundAndNamed() throws Exception {
    storeFile("file", random(10, 1));
    Path target = local().resolve("new/er/file");
    assertFails(
        ErrorKind.NOT_FOUND,
        local().resolve("new") + ": no such folder",
        () -> carrier().download(path("file"), target, TransferOptions.DEFAULT));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  @Test
  void missing_partOfAPath_isNamed() throws Exception {
    storeFile("dir/file", random(10, 1));
    Path target = local().resolve("back");
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/no: no such folder",
        () -> carrier().download(path("dir/no/such"), target, TransferOptions.DEFAULT));
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/no: no such file",
        () -> carrier().download(path("dir/no"), target, TransferOptions.DEFAULT));
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/file: is a file, not a folder",
        () -> carrier().download(path("dir/file/in/ner"), target, TransferOptions.DEFAULT));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        "dir/file: is a file, not a folder",
        () -> carrier().upload(localFile("a", random(1, 1)), path("dir/file/in/ner"), MAKING));
    assertFails(
        ErrorKind.NOT_FOUND, "no: no such folder", () -> carrier().list(path("no/such/dir")));
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/100 % \"ü\": no such folder",
        () -> carrier().stat(path("dir/100 % \"ü\"/file"), null, CallLimits.DEFAULT));
    assertFails(
        ErrorKind.NOT_FOUND,
        "dir/file: is a file, not a folder",
        () -> carrier().list(path("dir/file")));
    assertStillServes();
  }

  static Stream<String> invalidPaths() {
    return Stream.of(
        "",
        "..",
        "../outside",
        "a/../../outside",
        "a/./b",
        "/etc/hostname",
        "a//b",
        "dir/",
        "nul\0byte",
        ".ferry-1-1-0123456789abcdef.part",
        "x".repeat(256),
        "é".repeat(128),
        "x/".repeat(2100) + "x",
        ("日".repeat(80) + "/").repeat(15) + "..");
  }

  @ParameterizedTest
  @MethodSource("invalidPaths")
  void path_thatIsInvalid_isRefusedAsSuch(String text) throws Exception {
    storeFile("dir/file", random(10, 1));
    // The constructor does not check: a hostile client would not either.
    StorePath path = new StorePath(text);
    Path source = localFile("source", random(10, 1));
    Path target = local().resolve("back");
    List<ErrorKind> invalid = List.of(ErrorKind.INVALID_PATH);
    assertFails(invalid, () -> carrier().upload(source, path, TransferOptions.DEFAULT));
    assertFails(invalid, () -> carrier().download(path, target, TransferOptions.DEFAULT));
    if (!text.isEmpty() && !text.endsWith("/")) {
      assertFails(invalid, () -> carrier().stat(path, Digest.Algorithm.SHA256, CallLimits.DEFAULT));
      assertFails(invalid, () -> carrier().list(path));
    }
    assertThat(TestFiles.tree(local())).containsExactly("source");
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
  }

  @Test
  void path_thatIsNoFile_isRefused() throws Exception {
    storeFile("dir/file", random(10, 1));
    Path source = localFile("source", random(10, 1));
    Path target = local().resolve("back");
    TransferOptions options = TransferOptions.DEFAULT;
    assertFails(ErrorKind.INVALID_PATH, () -> carrier().download(path("dir"), target, options));
    assertFails(ErrorKind.ALREADY_EXISTS, () -> carrier().upload(source, path("dir"), options));
    assertFails(
        ErrorKind.ALREADY_EXISTS, () -> carrier().upload(source, path("dir/file/inner"), options));
    assertFails(
        ErrorKind.NOT_FOUND, () -> carrier().download(path("dir/file/inner"), target, options));
    assertFails(ErrorKind.NOT_FOUND, () -> carrier().list(path("dir/file")));
    assertFails(ErrorKind.INVALID_PATH, () -> carrier().upload(local(), path("new"), options));
    assertThat(files().tree()).containsExactly("dir/", "dir/file");
    assertStillServes();
  }

  @Test
  void target_thatCannotBeMade_fails() throws Exception {
    storeFile("file", random(10, 1));
    Path file = localFile("file", random(5, 1));
    Files.createDirectory(local().resolve("dir"));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier().download(path("file"), local().resolve("dir"), TransferOptions.DEFAULT));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier().download(path("file"), file.resolve("in"), TransferOptions.DEFAULT));
    assertThat(TestFiles.tree(local())).containsExactly("dir/", "file");
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 3 * MEBIBYTE})
  void upload_createOnlyOfAnExistingFile_isRefused(int size) throws Exception {
    byte[] old = random(20, 1);
    storeFile("file", old);
    Path source = localFile("file", random(size, 2));
    assertFails(
        ErrorKind.ALREADY_EXISTS,
        () -> carrier().upload(source, path("file"), TransferOptions.DEFAULT.withCreateOnly(true)));
    assertThat(files().read("file")).isEqualTo(old);
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_overTheLimit_isTooLarge(boolean gzip) throws Exception {
    use(files().open(ReceiveLimits.OWN.withMaxFileSize(100_000)));
    Path fits = localFile("fits", random(100_000, 1));
    carrier().upload(fits, path("fits"), plain(gzip).withChunkSize(4096));
    for (int size : List.of(100_001, 4 * MEBIBYTE)) {
      Path source = localFile("large", compressible(size, 2));
      assertFails(
          ErrorKind.TOO_LARGE,
          () -> carrier().upload(source, path("new/large"), plain(gzip).withChunkSize(65536)));
      awaitStored("fits");
    }
    assertStillServes();
  }

  /** Has the store receive files on a local disk with a fault. */
  private void useDisk(String reason, SinkOptions options) throws IOException {
    use(LocalFileStore.open(localDisk(reason), options));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_ontoAFullDisk_isOutOfSpace(boolean gzip) throws Exception {
    useDisk("fills it", FaultyChannel.options(FaultyChannel.fullAfter(MEBIBYTE)));
    Path source = localFile("large", compressible(4 * MEBIBYTE, 1));
    assertFails(
        ErrorKind.OUT_OF_SPACE, () -> carrier().upload(source, path("new/large"), plain(gzip)));
    awaitStored();
    assertStillServes();
  }

  @Test
  void upload_whereWritingIsForbidden_isPermissionDenied() throws Exception {
    useDisk(
        "forbids writing",
        SinkOptions.DEFAULT.withOpener(
            (file, attributes) -> {
              throw new AccessDeniedException(file.toString());
            }));
    Path source = localFile("file", random(MEBIBYTE, 1));
    assertFails(
        ErrorKind.PERMISSION_DENIED, () -> carrier().upload(source, path("new/file"), MAKING));
    awaitStored();
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_thatTheDiskCorrupts_isADigestMismatch(boolean gzip) throws Exception {
    useDisk("corrupts it", FaultyChannel.options(FaultyChannel.corrupting()));
    byte[] old = random(20, 1);
    storeFile("file", old);
    Path source = localFile("file", random(200_000, 2));
    // SHA-256 is computed of the stored bytes.
    TransferOptions options = plain(gzip).withDigest(Digest.Algorithm.SHA256);
    assertFails(ErrorKind.DIGEST_MISMATCH, () -> carrier().upload(source, path("file"), options));
    awaitStored("file");
    assertThat(files().read("file")).isEqualTo(old);
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_ofAFileThatShrinks_isFileChanged(boolean gzip) throws Exception {
    Path source = TestFiles.age(localFile("source", random(2 * MEBIBYTE, 1)));
    AtomicBoolean shrunk = new AtomicBoolean();
    TransferOptions options =
        plain(gzip)
            .withVerify(false)
            .withChunkSize(65536)
            .withProgress(
                (done, total) -> {
                  if (!shrunk.getAndSet(true)) {
                    truncate(source, MEBIBYTE);
                  }
                });
    assertFails(ErrorKind.FILE_CHANGED, () -> carrier().upload(source, path("new/file"), options));
    awaitStored();
    assertStillServes();
  }

  private static void truncate(Path file, long size) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({"CRC32C,false", "CRC32C,true", "SHA256,false", "SHA256,true"})
  void download_withAnotherDigest_isADigestMismatch(Digest.Algorithm algorithm, boolean gzip)
      throws Exception {
    storeFile("file", random(200_000, 1));
    use(SwitchStore.afterOpen(store(), WrongDigests::new));
    byte[] old = random(20, 2);
    Path target = localFile("target", old);
    TransferOptions options = plain(gzip).withDigest(algorithm);
    assertFails(ErrorKind.DIGEST_MISMATCH, () -> carrier().download(path("file"), target, options));
    assertThat(Files.readAllBytes(target)).isEqualTo(old);
    assertThat(TestFiles.tree(local())).containsExactly("target");
    assertStillServes();
  }

  /** An open file with the digests of another one, also at its end. */
  private static final class WrongDigests extends ForwardingSource {
    WrongDigests(FileSource source) {
      super(source);
    }

    @Override
    public FileFacts facts() {
      return super.facts().withDigests(WRONG);
    }

    @Override
    public Digest digest(Digest.Algorithm algorithm) {
      return Objects.requireNonNull(facts().digest(algorithm));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_ofAFileThatShrinks_isFileChanged(boolean gzip) throws Exception {
    // Further each time, for some clients repeat the request if it fails early.
    AtomicInteger size = new AtomicInteger(150_000);
    assertFileChanged(gzip, bytes -> Arrays.copyOf(bytes, size.addAndGet(-1000)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_ofAFileThatGrows_isFileChanged(boolean gzip) throws Exception {
    AtomicInteger times = new AtomicInteger();
    assertFileChanged(gzip, bytes -> Arrays.copyOf(bytes, bytes.length + times.incrementAndGet()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_ofAFileThatIsRewritten_isFileChanged(boolean gzip) throws Exception {
    AtomicInteger times = new AtomicInteger();
    assertFileChanged(
        gzip,
        bytes -> {
          bytes[150_000] += (byte) times.incrementAndGet();
          return bytes;
        });
  }

  /**
   * @param change what happens to the file of the store once it is open
   */
  private void assertFileChanged(boolean gzip, UnaryOperator<byte[]> change) throws Exception {
    use(
        SwitchStore.afterOpen(
            store(),
            source -> {
              files().write("file", change.apply(random(300_000, 1)));
              return source;
            }));
    byte[] old = random(20, 2);
    Path target = localFile("target", old);
    for (boolean verify : new boolean[] {false, true}) {
      storeFile("file", random(300_000, 1));
      assertFails(
          fileChangedKinds(),
          () ->
              carrier()
                  .download(
                      path("file"),
                      target,
                      // A server that does not end the response would cut it after a minute.
                      plain(gzip)
                          .withVerify(verify)
                          .withChunkSize(65536)
                          .withStallTimeout(Duration.ofSeconds(30))));
      assertThat(Files.readAllBytes(target)).isEqualTo(old);
      assertThat(TestFiles.tree(local())).containsExactly("target");
    }
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_ofAFileThatIsReplaced_givesTheOldOneWhole(boolean gzip) throws Exception {
    byte[] old = random(1_200_000, 1);
    storeFile("file", old);
    // A library may repeat a request by itself, and then gets what was opened again.
    AtomicInteger seed = new AtomicInteger(1);
    AtomicReference<byte[]> present = new AtomicReference<>(old);
    List<byte[]> opened = new CopyOnWriteArrayList<>();
    Object replaced = new Object();
    use(
        SwitchStore.afterOpen(
            store(),
            source -> {
              byte[] replacing = random(1_200_000, seed.incrementAndGet());
              synchronized (replaced) {
                opened.add(present.getAndSet(replacing));
                files().replace("file", replacing);
              }
              return source;
            }));
    Path target = local().resolve("target");
    if (!files().readsReplacedFiles()) {
      assertFails(fileChangedKinds(), () -> carrier().download(path("file"), target, plain(gzip)));
      assertThat(TestFiles.tree(local())).isEmpty();
      return;
    }
    if (!verifiesReplacedFiles(gzip)) {
      assertFails(
          ErrorKind.FILE_CHANGED, () -> carrier().download(path("file"), target, plain(gzip)));
      // The server may still open it for the digest of a download that has failed.
      synchronized (replaced) {
        storeFile("file", old);
        present.set(old);
      }
    }
    TransferOptions options = plain(gzip).withVerify(verifiesReplacedFiles(gzip));
    carrier().download(path("file"), target, options);
    byte[] received = Files.readAllBytes(target);
    assertThat(opened).anyMatch(whole -> Arrays.equals(whole, received));
  }
}
