package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.local.RememberedDownload;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads that an earlier process has begun, and what may have happened to them since. */
@Timeout(300)
class RememberedDownloadTest {
  private static final int BYTES = 9_000_000;
  private static final int SOME = 3_000_000;
  private static final StorePath NAME = path("file");

  @TempDir private Path temporary;
  private Path root = Path.of("");
  private Path local = Path.of("");
  private Path target = Path.of("");
  private final List<ErrorKind> heard = new ArrayList<>();

  private static StorePath path(String text) {
    try {
      return StorePath.parse(text);
    } catch (FerryException e) {
      throw new AssertionError(e);
    }
  }

  @BeforeEach
  void store() throws Exception {
    root = Files.createDirectory(temporary.resolve("root"));
    local = Files.createDirectory(temporary.resolve("local"));
    target = local.resolve("back");
    Path unused = TestFiles.write(root.resolve("file"), TestFiles.incompressible(BYTES, 1));
  }

  private Path memories() {
    return temporary.resolve("state/downloads");
  }

  /** Downloads the file in what could be a process of its own. */
  private Transfer download(TransferOptions options, int streams) throws Exception {
    try (InProcessCarrier carrier = new InProcessCarrier(LocalFileStore.open(root))) {
      return download(carrier, options, streams);
    }
  }

  private Transfer download(InProcessCarrier carrier, TransferOptions options, int streams)
      throws FerryException {
    Retries retries = Retries.NONE.withListener((failure, delay) -> heard.add(failure.kind()));
    try (RememberedDownload memory = new RememberedDownload(memories(), "server", NAME, target)) {
      return Download.run(
          Carriers.of(carrier, () -> carrier), streams, NAME, target, options, retries, memory);
    }
  }

  /** Loses the server on the way. Returns what has arrived. */
  private Path begun() throws Exception {
    try (InProcessCarrier carrier = new InProcessCarrier(LocalFileStore.open(root))) {
      TransferOptions options =
          TransferOptions.DEFAULT.withProgress(
              (done, total) -> {
                if (done >= SOME) {
                  carrier.killServer();
                }
              });
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(() -> download(carrier, options, 1));
    }
    return only(local);
  }

  private static Path only(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList().get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertArrived() throws Exception {
    assertThat(TestFiles.tree(local)).containsExactly("back");
    assertThat(Files.mismatch(root.resolve("file"), target)).isEqualTo(-1);
    assertThat(memories()).isEmptyDirectory();
  }

  @Test
  void download_begunBefore_receivesTheRest() throws Exception {
    FileTime time = FileTime.from(Instant.parse("2020-01-02T03:04:05Z"));
    TestFiles.permit(root.resolve("file"), "r-x------");
    Files.setLastModifiedTime(root.resolve("file"), time);
    long arrived = Files.size(begun());
    Transfer transfer = download(TransferOptions.DEFAULT, 1);
    assertThat(transfer.wireBytes()).isEqualTo(BYTES - arrived);
    assertThat(transfer.resumedAt()).isEqualTo(arrived);
    assertThat(heard).isEmpty();
    assertThat(TestFiles.permissions(target)).isEqualTo("r-x------");
    assertThat(Files.getLastModifiedTime(target).toMillis()).isEqualTo(time.toMillis());
    assertArrived();
  }

  @Test
  void download_killedJustBeforeItTookTheFileOver_receivesTheRest() throws Exception {
    long arrived = Files.size(begun());
    Path state = only(memories());
    String[] lines = Files.readString(state).split("\n", -1);
    String other = ".ferry-1-1-0123456789abcdef.kept";
    Files.writeString(state, lines[0] + "\n" + other + "\n" + lines[1] + "\n\n");
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES - arrived);
    assertArrived();
  }

  @Test
  void download_killedAfterTheLastByte_receivesNothing() throws Exception {
    Path arrived = begun();
    Files.write(arrived, Files.readAllBytes(root.resolve("file")));
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isZero();
    assertArrived();
  }

  @Test
  void download_bytesLostByAPowerCut_beginsAnewOnce() throws Exception {
    try (RandomAccessFile arrived = new RandomAccessFile(begun().toFile(), "rw")) {
      arrived.seek(SOME / 2);
      arrived.write(new byte[4096]);
    }
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
    assertThat(heard).containsExactly(ErrorKind.DIGEST_MISMATCH);
    assertArrived();
  }

  @Test
  void download_fileThatIsLongerOrALink_beginsAnew() throws Exception {
    Path arrived = begun();
    Files.write(arrived, new byte[BYTES + 1]);
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
    assertArrived();
    Files.delete(target);

    Path outside = TestFiles.write(temporary.resolve("outside"), new byte[SOME]);
    Path link = begun();
    Files.delete(link);
    Files.createSymbolicLink(link, outside);
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
    assertThat(outside).binaryContent().isEqualTo(new byte[SOME]);
    Files.delete(link);
    assertArrived();
  }

  @Test
  void download_fileThatTheUserHasUnderAnotherName_leavesIt() throws Exception {
    Path arrived = begun();
    byte[] bytes = Files.readAllBytes(arrived);
    Path moved = Files.createLink(temporary.resolve("moved"), arrived);
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
    assertThat(moved).binaryContent().isEqualTo(bytes);
    assertArrived();
  }

  @Test
  void download_begunBeforeAndDigestRefused_endsBeforeTheRestHasArrived() throws Exception {
    Path unused = begun();
    CountDownLatch rest = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    FileStore refusing =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileFacts stat(StorePath path, boolean digest) throws FerryException {
            awaitUninterrupted(rest);
            throw new FerryException(ErrorKind.PERMISSION_DENIED, path + ": refused");
          }
        };
    TransferOptions stuck =
        TransferOptions.DEFAULT.withProgress(
            (done, total) -> {
              rest.countDown();
              // Until the download interrupts it.
              awaitUninterrupted(ended);
              ended.countDown();
            });
    try (InProcessCarrier carrier = new InProcessCarrier(refusing)) {
      Background<Transfer> download = Background.start(() -> download(carrier, stuck, 1));
      assertThat(download.failure().kind()).isEqualTo(ErrorKind.PERMISSION_DENIED);
    }
    assertThat(local).isEmptyDirectory();
    assertThat(memories()).isEmptyDirectory();
  }

  @Test
  void download_programmingErrorAndFileThatCannotBeDeleted_isForgotten() throws Exception {
    TransferOptions broken =
        TransferOptions.DEFAULT.withProgress(
            (done, total) -> {
              if (done >= SOME) {
                putFolderInPlaceOf(only(local));
                throw new IllegalStateException("broken");
              }
            });
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> download(broken, 1))
        .matches(failure -> failure.kind() == ErrorKind.INTERNAL)
        .withMessageContaining("broken");
    assertThat(memories()).isEmptyDirectory();
  }

  private static void putFolderInPlaceOf(Path file) {
    try {
      Files.delete(file);
      Path unused = Files.createDirectories(file.resolve("folder"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void download_damagedState_beginsAnew() throws Exception {
    for (String damaged : new String[] {"", "\n\n", "x y\nz\n\n", "\0".repeat(5000)}) {
      Path arrived = begun();
      Files.writeString(only(memories()), damaged);
      assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
      Files.delete(arrived);
      assertArrived();
      Files.delete(target);
    }
  }

  @Test
  void download_unusedForAWeek_beginsAnew() throws Exception {
    Path unused = begun();
    FileTime lastWeek = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
    Files.setLastModifiedTime(only(memories()), lastWeek);
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
  }

  @Test
  void download_withoutDigestOrInParts_beginsAnewAndLeavesNothing() throws Exception {
    Path unused = begun();
    download(TransferOptions.DEFAULT, 2);
    assertArrived();
    Files.delete(target);
    Path unusedToo = begun();
    download(TransferOptions.DEFAULT.withDigest(null), 1);
    assertArrived();
  }

  @Test
  void download_sameFileTwiceAtATime_useFilesOfTheirOwn() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch other = new CountDownLatch(1);
    TransferOptions waiting =
        TransferOptions.DEFAULT.withProgress(
            (done, total) -> {
              if (done >= SOME) {
                begun.countDown();
                awaitUninterrupted(other);
              }
            });
    Background<Transfer> first = Background.start(() -> download(waiting, 1));
    begun.await();
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES);
    Files.delete(target);
    other.countDown();
    assertThat(first.result().wireBytes()).isEqualTo(BYTES);
    assertArrived();
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void download_interrupted_isKeptForALaterOne() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    TransferOptions waiting =
        TransferOptions.DEFAULT.withProgress(
            (done, total) -> {
              if (done >= SOME) {
                begun.countDown();
                awaitUninterrupted(new CountDownLatch(1));
              }
            });
    Background<Transfer> download = Background.start(() -> download(waiting, 1));
    begun.await();
    download.interrupt();
    assertThat(download.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    long arrived = Files.size(only(local));
    assertThat(target).doesNotExist();
    assertThat(download(TransferOptions.DEFAULT, 1).wireBytes()).isEqualTo(BYTES - arrived);
    assertArrived();
  }

  @Test
  void download_smallFile_touchesNoState() throws Exception {
    Path unused = TestFiles.write(root.resolve("file"), TestFiles.incompressible(SOME, 1));
    download(TransferOptions.DEFAULT, 1);
    assertThat(temporary.resolve("state")).doesNotExist();
  }
}
