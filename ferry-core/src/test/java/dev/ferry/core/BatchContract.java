package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Batches of files, each of which has its own result. */
abstract class BatchContract extends TransferContract {
  /** Sizes of small files, and of some that are not, among them. */
  private static final int[] SIZES = {0, 1, 100, 4096, 5000, 70_000, 150_000, 600_000};

  /**
   * How many files a batch has that is larger than what the carrier sends ahead. To be overridden
   * by a class whose carrier has the requests of many files under way: the others send one file
   * after another, and meet each size in these.
   */
  protected int batchFiles() {
    return 10 * SIZES.length;
  }

  private static byte[] content(int i) {
    return TestFiles.random(i % 10 == 0 ? SIZES[i / 10 % SIZES.length] : 10 + i, i);
  }

  private static Crc32c crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Crc32c.of(crc);
  }

  private static String name(int i) {
    return "t/%d %% ü+#?&=/f%03d".formatted(i % 7, i);
  }

  @Test
  void transferAll_manyUploads_storesEach() throws Exception {
    int files = batchFiles();
    TestBatch batch = TestBatch.ofUploads();
    for (int i = 0; i < files; i++) {
      byte[] bytes = content(i);
      Path file = TestFiles.age(localFile("f" + i, bytes));
      batch.add(path(name(i)), file, bytes.length, MAKING.withCreateOnly(i % 2 == 0));
    }
    carrier().transferAll(batch);
    assertThat(batch.results()).hasSize(files);
    FileStore store = store();
    for (int i = 0; i < files; i++) {
      Transfer transfer = (Transfer) Objects.requireNonNull(batch.results().get(name(i)));
      assertThat(transfer.facts().crc32c()).isEqualTo(crc(content(i)));
      FileFacts stored = store.stat(path(name(i)), Digest.Algorithm.CRC32C);
      assertThat(stored.crc32c()).isEqualTo(crc(content(i)));
      assertThat(stored.lastModified()).isEqualTo(transfer.facts().lastModified());
    }
  }

  @Test
  void transferAll_manyDownloads_writesEach() throws Exception {
    int files = batchFiles();
    TestBatch batch = TestBatch.ofDownloads();
    for (int i = 0; i < files; i++) {
      storeFile(name(i), content(i));
      Path file = local().resolve("back/f" + i);
      batch.add(path(name(i)), file, content(i).length, MAKING.withCreateOnly(true));
    }
    carrier().transferAll(batch);
    assertThat(batch.results()).hasSize(files);
    for (int i = 0; i < files; i++) {
      assertThat(batch.results().get(name(i))).isInstanceOf(Transfer.class);
      assertThat(Files.readAllBytes(local().resolve("back/f" + i))).isEqualTo(content(i));
    }
  }

  @Test
  void transferAll_downloadsThatFail_leavesTheOthersAlone() throws Exception {
    List<String> failing = new ArrayList<>();
    TestBatch batch = TestBatch.ofDownloads();
    for (int i = 0; i < 100; i++) {
      Path file = local().resolve("f" + i);
      if (i % 3 == 0) {
        failing.add(name(i));
      }
      if (i % 6 == 3) {
        localFile("f" + i, new byte[] {1});
      }
      if (i % 6 != 0) {
        storeFile(name(i), content(i));
      }
      batch.add(path(name(i)), file, content(i).length, MAKING.withCreateOnly(true));
    }
    carrier().transferAll(batch);
    assertThat(batch.results()).hasSize(100);
    for (int i = 0; i < 100; i++) {
      FerryException failure = batch.failure(name(i));
      assertThat(failure != null).as(name(i)).isEqualTo(failing.contains(name(i)));
      if (failure != null) {
        ErrorKind kind = i % 6 == 3 ? ErrorKind.ALREADY_EXISTS : ErrorKind.NOT_FOUND;
        assertKind(List.of(kind), failure);
      } else {
        assertThat(Files.readAllBytes(local().resolve("f" + i))).isEqualTo(content(i));
      }
    }
    assertStillServes();
  }

  @Test
  void transferAll_uploadsThatFail_leavesTheOthersAlone() throws Exception {
    TestBatch batch = TestBatch.ofUploads();
    for (int i = 0; i < 100; i++) {
      byte[] bytes = content(i);
      Path file = i % 6 == 0 ? local().resolve("none" + i) : localFile("f" + i, bytes);
      if (i % 6 == 3) {
        storeFile(name(i), new byte[] {1});
      }
      batch.add(path(name(i)), file, bytes.length, MAKING.withCreateOnly(true));
    }
    carrier().transferAll(batch);
    assertThat(batch.results()).hasSize(100);
    FileStore store = store();
    for (int i = 0; i < 100; i++) {
      FerryException failure = batch.failure(name(i));
      assertThat(failure != null).as(name(i)).isEqualTo(i % 3 == 0);
      if (failure != null) {
        ErrorKind kind = i % 6 == 3 ? ErrorKind.ALREADY_EXISTS : ErrorKind.NOT_FOUND;
        assertKind(List.of(kind), failure);
      } else {
        FileFacts stored = store.stat(path(name(i)), Digest.Algorithm.CRC32C);
        assertThat(stored.crc32c()).isEqualTo(crc(content(i)));
      }
    }
    assertStillServes();
  }

  @Test
  void batch_thatEnds_endsTheCall() throws Exception {
    storeFile("a", new byte[10]);
    FerryException end = new FerryException(ErrorKind.OUT_OF_SPACE, "no space");
    TestBatch batch =
        TestBatch.ofDownloads().add(path("a"), local().resolve("a"), 10, MAKING).endingWith(end);
    assertThatThrownBy(() -> carrier().transferAll(batch)).isSameAs(end);
    assertThat(batch.results()).hasSize(1);
    assertStillServes();
  }
}
