package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every carrier. To be subclassed for each pair of a server and a client. The
 * superclasses test single calls. This class tests interrupts, timeouts, ends that stop, and
 * crowds.
 */
public abstract class CarrierContract extends PartContract {
  private static final int MEBIBYTE = 1024 * 1024;

  /**
   * More than sockets hold: a server may store what it has received completely, even if nobody
   * waits for the response.
   */
  private static final int UPLOAD = 24 * MEBIBYTE;

  private static final int CROWD = 8;

  private Background<Transfer> startUpload(Carrier carrier, boolean gzip) throws Exception {
    Path source = largeSource(gzip);
    TransferOptions options = plain(gzip).withVerify(!gzip).withChunkSize(65536);
    return Background.start(() -> carrier.upload(source, path("new/file"), options));
  }

  /** A file that is large on the wire, too. */
  private Path largeSource(boolean gzip) throws Exception {
    return gzip
        ? localFile("source", random(UPLOAD, 1))
        : TestFiles.sparse(local().resolve("source"), UPLOAD);
  }

  /** A slow store that counts the latch down when the first bytes arrive. */
  private FileStore slowStore(CountDownLatch begun) throws Exception {
    return new SlowStore(store(), 4 * MEBIBYTE, begun::countDown);
  }

  private static Background<Transfer> startDownload(
      Carrier carrier, Path target, boolean gzip, CountDownLatch begun) {
    TransferOptions options =
        plain(gzip)
            .withVerify(false)
            .withProgress(
                (done, total) -> {
                  if (done > 0) {
                    begun.countDown();
                  }
                });
    return Background.start(() -> carrier.download(path("endless"), target, options));
  }

  private static void await(CountDownLatch begun) throws Exception {
    assertThat(begun.await(120, TimeUnit.SECONDS)).as("the transfer began").isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interrupt_inAnUpload_cancelsItOnBothEnds(boolean gzip) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    use(slowStore(begun));
    Background<Transfer> upload = startUpload(carrier(), gzip);
    await(begun);
    upload.interrupt();
    assertKind(List.of(ErrorKind.CANCELLED), upload.failure());
    awaitStored();
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void interrupt_inADownload_cancelsItOnBothEnds(boolean gzip) throws Exception {
    files().writeEndless("endless");
    CountDownLatch begun = new CountDownLatch(1);
    Background<Transfer> download =
        startDownload(carrier(), local().resolve("new/target"), gzip, begun);
    await(begun);
    download.interrupt();
    assertKind(List.of(ErrorKind.CANCELLED), download.failure());
    TestFiles.awaitTree(local());
    files().awaitNothingOpen();
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timeout_inAnUpload_isDeadlineExceeded(boolean gzip) throws Exception {
    use(slowStore(new CountDownLatch(1)));
    Path source = largeSource(gzip);
    TransferOptions options = plain(gzip).withVerify(!gzip).withTimeout(Duration.ofMillis(200));
    assertFails(
        ErrorKind.DEADLINE_EXCEEDED, () -> carrier().upload(source, path("new/file"), options));
    awaitStored();
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void timeout_inADownload_isDeadlineExceeded(boolean gzip) throws Exception {
    files().writeEndless("endless");
    TransferOptions options =
        plain(gzip)
            .withVerify(false)
            .withTimeout(Duration.ofMillis(200))
            .withProgress((done, total) -> pause());
    assertFails(
        ErrorKind.DEADLINE_EXCEEDED,
        () -> carrier().download(path("endless"), local().resolve("new/target"), options));
    TestFiles.awaitTree(local());
    files().awaitNothingOpen();
    assertStillServes();
  }

  /** Makes a client slow; an interrupt of it is not lost. */
  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void timeout_beforeTheFirstByte_isDeadlineExceeded() throws Exception {
    storeFile("file", random(10, 1));
    CountDownLatch release = new CountDownLatch(1);
    use(
        SwitchStore.afterOpen(
            store(),
            source -> {
              release.await(5, TimeUnit.SECONDS);
              return source;
            }));
    TransferOptions options = MAKING.withTimeout(Duration.ofMillis(200));
    try {
      assertFails(
          ErrorKind.DEADLINE_EXCEEDED,
          () -> carrier().download(path("file"), local().resolve("new/target"), options));
    } finally {
      release.countDown();
    }
    TestFiles.awaitTree(local());
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serverKilled_inAnUpload_failsSoon(boolean gzip) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    storeFile("new/file", random(10, 1));
    try (Fixture fixture = open(slowStore(begun))) {
      Background<Transfer> upload = startUpload(fixture.carrier(), gzip);
      await(begun);
      fixture.killServer();
      assertKind(CUT, upload.failure());
    }
    assertThat(files().read("new/file")).isEqualTo(random(10, 1));
    awaitStored("new/", "new/file");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void serverKilled_inADownload_failsSoon(boolean gzip) throws Exception {
    files().writeEndless("endless");
    byte[] old = random(10, 1);
    Path target = localFile("target", old);
    CountDownLatch begun = new CountDownLatch(1);
    try (Fixture fixture = open(store())) {
      Background<Transfer> download = startDownload(fixture.carrier(), target, gzip, begun);
      await(begun);
      fixture.killServer();
      assertKind(CUT, download.failure());
      TestFiles.awaitTree(local(), "target");
      assertThat(Files.readAllBytes(target)).isEqualTo(old);
    }
  }

  @Test
  void serverKilled_betweenCalls_isUnavailable() throws Exception {
    storeFile("file", random(10, 1));
    Path source = localFile("source", random(MEBIBYTE, 1));
    TransferOptions options = TransferOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
    try (Fixture fixture = open(store())) {
      Carrier carrier = fixture.carrier();
      carrier.stat(path("file"), null, CallLimits.DEFAULT);
      fixture.killServer();
      assertFails(
          ErrorKind.UNAVAILABLE, () -> carrier.stat(path("file"), null, CallLimits.DEFAULT));
      assertFails(ErrorKind.UNAVAILABLE, () -> carrier.list(StorePath.ROOT));
      assertFails(
          ErrorKind.UNAVAILABLE,
          () -> carrier.download(path("file"), local().resolve("target"), options));
      assertFails(ErrorKind.UNAVAILABLE, () -> carrier.upload(source, path("new"), options));
    }
    assertThat(TestFiles.tree(local())).containsExactly("source");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientClosed_inAnUpload_leavesTheStoreClean(boolean gzip) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (Fixture fixture = open(slowStore(begun))) {
      Background<Transfer> upload = startUpload(fixture.carrier(), gzip);
      await(begun);
      Background.start(
              () -> {
                fixture.carrier().close();
                return true;
              })
          .result();
      assertKind(List.of(ErrorKind.CANCELLED, ErrorKind.UNAVAILABLE), upload.failure());
      awaitStored();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void clientClosed_inADownload_leavesNothing(boolean gzip) throws Exception {
    files().writeEndless("endless");
    CountDownLatch begun = new CountDownLatch(1);
    try (Fixture fixture = open(store())) {
      Background<Transfer> download =
          startDownload(fixture.carrier(), local().resolve("new/target"), gzip, begun);
      await(begun);
      fixture.carrier().close();
      assertKind(List.of(ErrorKind.CANCELLED, ErrorKind.UNAVAILABLE), download.failure());
      TestFiles.awaitTree(local());
      files().awaitNothingOpen();
    }
  }

  @Test
  void upload_overAFileThatIsRead_isSeenWholeOrNotAtAll() throws Exception {
    byte[] old = random(2 * MEBIBYTE, 1);
    byte[] fresh = random(2 * MEBIBYTE, 2);
    storeFile("file", old);
    use(new SlowStore(store(), 16 * MEBIBYTE, () -> {}));
    Path source = localFile("source", fresh);
    Background<Transfer> upload =
        Background.start(() -> carrier().upload(source, path("file"), TransferOptions.DEFAULT));
    Path target = local().resolve("target");
    while (!upload.isDone()) {
      assertThat(files().read("file")).isIn(old, fresh);
      try {
        carrier().download(path("file"), target, TransferOptions.DEFAULT);
        assertThat(Files.readAllBytes(target)).isIn(old, fresh);
      } catch (FerryException e) {
        // If the digest is requested separately, it may be the digest of the other file.
        assertThat(e.kind()).isEqualTo(ErrorKind.FILE_CHANGED);
      }
    }
    upload.result();
    assertThat(files().read("file")).isEqualTo(fresh);
  }

  @Test
  void uploads_ofACrowdToOneName_leaveOneOfThemWhole() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    List<Background<Transfer>> uploads = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      byte[] bytes = random(300_000 + i, i);
      contents.add(bytes);
      Path source = localFile("source" + i, bytes);
      TransferOptions options = plain(i % 2 == 1).withChunkSize(65536);
      uploads.add(Background.start(() -> carrier().upload(source, path("new/file"), options)));
    }
    for (int i = 0; i < CROWD; i++) {
      Transfer transfer = uploads.get(i).result();
      assertThat(transfer.facts().size()).isEqualTo(300_000 + i);
    }
    byte[] bytes = files().read("new/file");
    assertThat(bytes).isIn(contents);
    assertThat(
            carrier().stat(path("new/file"), Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256())
        .isEqualTo(Sha256.ofFile(localFile("stored", bytes)));
    assertThat(files().tree()).containsExactly("new/", "new/file");
  }

  @Test
  void uploads_ofACrowdCreateOnly_letExactlyOneWin() throws Exception {
    TransferOptions options = MAKING.withCreateOnly(true);
    List<Background<Transfer>> uploads = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      Path source = localFile("source" + i, random(100_000 + i, i));
      uploads.add(Background.start(() -> carrier().upload(source, path("new/file"), options)));
    }
    List<Long> sizes = new ArrayList<>();
    for (Background<Transfer> upload : uploads) {
      try {
        sizes.add(upload.result().facts().size());
      } catch (FerryException e) {
        assertKind(List.of(ErrorKind.ALREADY_EXISTS), e);
      }
    }
    assertThat(sizes).containsExactly((long) files().read("new/file").length);
    awaitStored("new/", "new/file");
  }

  @Test
  void transfers_ofACrowdOverOneCarrier_allArriveWhole() throws Exception {
    List<Background<Transfer>> transfers = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      TransferOptions options = plain(i % 4 >= 2).withChunkSize(4096 << i % 3);
      StorePath path = path("dir/file" + i);
      byte[] bytes = random(200_000 + i, i);
      if (i % 2 == 0) {
        Path source = localFile("file" + i, bytes);
        transfers.add(Background.start(() -> carrier().upload(source, path, options)));
      } else {
        storeFile(path.value(), bytes);
        Path target = local().resolve("file" + i);
        transfers.add(Background.start(() -> carrier().download(path, target, options)));
      }
    }
    for (int i = 0; i < CROWD; i++) {
      transfers.get(i).result();
      byte[] bytes = random(200_000 + i, i);
      assertThat(files().read("dir/file" + i)).isEqualTo(bytes);
      assertThat(Files.readAllBytes(local().resolve("file" + i))).isEqualTo(bytes);
    }
  }
}
