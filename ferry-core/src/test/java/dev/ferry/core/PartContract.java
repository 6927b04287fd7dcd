package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileSink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts of a file, and downloads in parts at once. */
abstract class PartContract extends ListContract {
  private static final int MEBIBYTE = 1024 * 1024;
  private static final int STREAMS = 3;

  private Transfer parallel(String name, Path target, TransferOptions options) throws Exception {
    return download(STREAMS, name, target, options);
  }

  private Transfer download(int streams, String name, Path target, TransferOptions options)
      throws Exception {
    return Download.run(
        Carriers.of(carrier(), () -> new Shared(carrier())),
        streams,
        path(name),
        target,
        options,
        Retries.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        MEBIBYTE - 1,
        MEBIBYTE,
        MEBIBYTE + 1,
        2 * MEBIBYTE,
        3 * MEBIBYTE - 1,
        5 * MEBIBYTE + 3
      })
  void parallel_sizesAroundEveryLimit_arriveWhole(int size) throws Exception {
    byte[] bytes = random(size, size);
    storeFile("file", bytes);
    Path target = local().resolve("back");
    List<long[]> heard = Collections.synchronizedList(new ArrayList<>());
    TransferOptions options =
        MAKING.withProgress((done, total) -> heard.add(new long[] {done, total}));

    Transfer transfer = parallel("file", target, options);

    assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
    assertThat(transfer.facts().size()).isEqualTo(size);
    assertThat(transfer.facts().digests()).isNotEmpty();
    for (Digest digest : transfer.facts().digests()) {
      assertThat(digest).isEqualTo(digest.algorithm().ofFile(target));
    }
    assertThat(transfer.wireBytes()).isBetween((long) size, size + 4096L);
    assertThat(transfer.encoding()).isEqualTo("identity");
    long before = 0;
    for (long[] update : heard) {
      assertThat(update[0]).isBetween(before, (long) size);
      before = update[0];
    }
    assertThat(heard.get(heard.size() - 1)).containsExactly(size, size);
    assertThat(TestFiles.tree(local())).containsExactly("back");
  }

  @ParameterizedTest
  @EnumSource
  void parallel_withEachDigest_arrivesWhole(Digest.Algorithm algorithm) throws Exception {
    byte[] bytes = random(3 * MEBIBYTE, 1);
    storeFile("file", bytes);
    Path target = localFile("back", random(10, 1));
    parallel("file", target, MAKING.withDigest(algorithm));
    parallel("file", target, MAKING.withVerify(false));
    assertThat(Files.readAllBytes(target)).isEqualTo(bytes);
  }

  @Test
  void parallel_missingFile_isNotFound() throws Exception {
    Path target = local().resolve("new/target");
    assertFails(ErrorKind.NOT_FOUND, () -> parallel("no/such", target, MAKING));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  @Test
  void parallel_withAnotherDigest_isADigestMismatch() throws Exception {
    storeFile("file", random(2 * MEBIBYTE, 1));
    use(new WrongDigests(store()));
    Path target = local().resolve("new/target");
    assertFails(ErrorKind.DIGEST_MISMATCH, () -> parallel("file", target, MAKING));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  @ParameterizedTest
  @CsvSource({"1,CRC32C", "1,SHA256", "3,CRC32C", "3,SHA256"})
  void download_afterAChangeThatDoesNotShow_isComparedWithWhatIsReadNow(
      int streams, Digest.Algorithm algorithm) throws Exception {
    byte[] changed = random(2 * MEBIBYTE, 2);
    TransferOptions options = MAKING.withDigest(algorithm);
    carrier().upload(localFile("source", random(2 * MEBIBYTE, 1)), path("file"), options);
    Action<Exception> change = files().unseenChange("file", changed);
    FileFacts unused = carrier().stat(path("file"), algorithm, CallLimits.DEFAULT);
    change.run();
    Path target = local().resolve("target");
    Transfer transfer = download(streams, "file", target, options);
    assertThat(target).binaryContent().isEqualTo(changed);
    assertThat(transfer.facts().digest(algorithm)).isEqualTo(algorithm.ofFile(target));
    assertThat(TestFiles.tree(local())).containsExactly("source", "target");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void parallel_ofAFileThatIsReplaced_isFileChanged(boolean verify) throws Exception {
    storeFile("file", random(3 * MEBIBYTE, 1));
    AtomicInteger opened = new AtomicInteger();
    use(
        SwitchStore.afterOpen(
            store(),
            source -> {
              int before = opened.getAndIncrement();
              // A client may repeat a request that fails at once. Its first one must not.
              if (files().readsReplacedFiles() ? before == 0 : before > 0) {
                files().replace("file", random(3 * MEBIBYTE, 1 + opened.get()));
              }
              return source;
            }));
    Path target = local().resolve("new/target");
    assertFails(
        files().readsReplacedFiles() ? List.of(ErrorKind.FILE_CHANGED) : fileChangedKinds(),
        () -> parallel("file", target, MAKING.withVerify(verify)));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  @Test
  void parallel_whoseLastPartFails_leavesNothing() throws Exception {
    storeFile("file", random(3 * MEBIBYTE, 1));
    AtomicInteger opened = new AtomicInteger();
    use(
        SwitchStore.afterOpen(
            store(),
            source -> {
              if (opened.getAndIncrement() == STREAMS) {
                throw new IllegalStateException("no more parts");
              }
              return source;
            }));
    Path target = local().resolve("new/target");
    assertFails(ErrorKind.INTERNAL, () -> parallel("file", target, MAKING.withVerify(false)));
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  /** Keeps an endless file from filling the disk. */
  private static void pause() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
  }

  @Test
  void parallel_interrupted_isCancelledOnBothEnds() throws Exception {
    files().writeEndless("endless");
    CountDownLatch begun = new CountDownLatch(1);
    TransferOptions options =
        MAKING
            .withVerify(false)
            .withProgress(
                (done, total) -> {
                  pause();
                  if (done > MEBIBYTE) {
                    begun.countDown();
                  }
                });
    Background<Transfer> download =
        Background.start(() -> parallel("endless", local().resolve("new/target"), options));
    assertThat(begun.await(120, TimeUnit.SECONDS)).as("the download began").isTrue();
    download.interrupt();
    assertKind(List.of(ErrorKind.CANCELLED), download.failure());
    TestFiles.awaitTree(local());
    files().awaitNothingOpen();
    assertStillServes();
  }

  @Test
  void parallel_overItsTimeout_isDeadlineExceeded() throws Exception {
    files().writeEndless("endless");
    TransferOptions options =
        MAKING
            .withVerify(false)
            .withTimeout(Duration.ofMillis(100))
            .withProgress((done, total) -> pause());
    assertFails(
        ErrorKind.DEADLINE_EXCEEDED,
        () -> parallel("endless", local().resolve("new/target"), options));
    TestFiles.awaitTree(local());
    files().awaitNothingOpen();
    assertStillServes();
  }

  @Test
  void part_anywhereInAFile_arrives() throws Exception {
    byte[] bytes = random(300_000, 1);
    storeFile("file", bytes);
    String version = carrier().stat(path("file"), null, CallLimits.DEFAULT).version();
    int[][] parts = {{0, 1}, {0, 300_000}, {10, 100_000}, {299_999, 1}, {200_000, 900_000}};
    for (int[] part : parts) {
      Path target = local().resolve("part");
      var request = new PartRequest(part[0], part[1], part[0] == 0 ? null : version);
      TransferOptions options = MAKING.withChunkSize(65_536);
      var receiver = new PartFile(target, request);
      carrier().download(path("file"), receiver, options);
      int end = Math.min(bytes.length, part[0] + part[1]);
      assertThat(Files.readAllBytes(target)).isEqualTo(Arrays.copyOfRange(bytes, part[0], end));
      assertThat(receiver.facts.size()).isEqualTo(bytes.length);
      assertThat(receiver.facts.version()).isEqualTo(version).isNotNull();
    }
  }

  @Test
  void part_ofAnotherVersionOrBehindTheEnd_isRefused() throws Exception {
    storeFile("file", random(1000, 1));
    Path target = local().resolve("part");
    PartFile other = new PartFile(target, new PartRequest(0, 10, "other"));
    assertFails(ErrorKind.VERSION_MISMATCH, () -> carrier().download(path("file"), other, MAKING));
    for (long offset : new long[] {1000, 1L << 40}) {
      PartFile behind = new PartFile(target, new PartRequest(offset, 10, null));
      assertFails(
          ErrorKind.INVALID_REQUEST, () -> carrier().download(path("file"), behind, MAKING));
    }
    assertThat(TestFiles.tree(local())).isEmpty();
    assertStillServes();
  }

  /** Writes a part to a file of its own. */
  private static final class PartFile implements PartReceiver {
    private final Path target;
    private final PartRequest wanted;
    FileFacts facts = new FileFacts("", 0, Instant.EPOCH, false, null);

    PartFile(Path target, PartRequest wanted) {
      this.target = target;
      this.wanted = wanted;
    }

    @Override
    public PartRequest wanted() {
      return wanted;
    }

    @Override
    public FileSink part(FileFacts whole, long length) throws FerryException {
      facts = whole;
      return LocalFileSink.create(target, SinkOptions.DEFAULT);
    }

    @Override
    public FileSink whole(FileFacts whole) {
      throw new AssertionError("every server of the contract knows parts");
    }
  }

  /** A store whose digests are wrong. */
  private static final class WrongDigests extends ForwardingStore {
    WrongDigests(FileStore store) {
      super(store);
    }

    @Override
    public FileFacts stat(StorePath path, boolean digest) throws FerryException {
      return wrong(super.stat(path, false));
    }

    @Override
    public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
      return wrong(super.stat(path, false));
    }

    private static FileFacts wrong(FileFacts facts) throws FerryException {
      return facts.withDigest(new Crc32c(0)).withDigest(Sha256.of(new byte[Sha256.LENGTH]));
    }
  }

  /** The carrier of all tests, which stays open. */
  private static final class Shared extends StubCarrier {
    private final Carrier carrier;

    Shared(Carrier carrier) {
      this.carrier = carrier;
    }

    @Override
    public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
        throws FerryException {
      return carrier.download(path, receiver, options);
    }

    @Override
    public Transfer upload(FileSource source, StorePath path, TransferOptions options)
        throws FerryException {
      return carrier.upload(source, path, options);
    }

    @Override
    public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
        throws FerryException {
      return carrier.stat(path, digest, limits);
    }

    @Override
    public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
        throws FerryException {
      return carrier.readNow(path, size, digest, limits);
    }

    @Override
    public void close() {}
  }
}
