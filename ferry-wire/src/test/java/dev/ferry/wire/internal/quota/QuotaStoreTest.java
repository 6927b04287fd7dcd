package dev.ferry.wire.internal.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.wire.Quota;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas over a local store. Their clock stands still. */
final class QuotaStoreTest {
  @TempDir Path root;

  private FileStore store(@Nullable String files, @Nullable String total) throws FerryException {
    return new QuotaStore(
        LocalFileStore.open(root),
        new UploadQuotas(
            files == null ? null : Quota.parse(files),
            new LeakyBucket(0),
            total == null ? null : Quota.parse(total),
            new LeakyBucket(0),
            new ConcurrentHashMap<>(),
            () -> 0));
  }

  private static StorePath path(String text) {
    return new StorePath(text);
  }

  private static FileSink create(FileStore store, String path) throws FerryException {
    return store.create(path(path), new CreateOptions(false, true));
  }

  private static FileSink create(FileStore store, String path, UploadPart part)
      throws FerryException {
    return store.create(path(path), CreateOptions.DEFAULT.withUpload(part));
  }

  private static void write(FileSink sink, int bytes) throws FerryException {
    sink.write(ByteBuffer.allocate(bytes));
  }

  private List<String> tree() throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      return paths
          .filter(path -> !path.equals(root))
          .map(path -> root.relativize(path).toString())
          .sorted()
          .toList();
    }
  }

  private interface Call {
    void run() throws FerryException;
  }

  private static ErrorKind failure(Call call) {
    return catchThrowableOfType(FerryException.class, call::run).kind();
  }

  @Test
  void folders_madeAsParents_countEach() throws Exception {
    FileStore store = store("files:6/h", null);
    assertThat(failure(() -> create(store, "1/2/3/4/5/6/f"))).isEqualTo(ErrorKind.TOO_LARGE);
    store.makeDirectory(path("a/b/c"), true, null);
    store.makeDirectory(path("a/b/c"), true, null);
    assertThat(failure(() -> store.makeDirectory(path("1/2/3/4"), true, null)))
        .isEqualTo(ErrorKind.OVERLOADED);
    assertThat(failure(() -> create(store, "1/2/3/f"))).isEqualTo(ErrorKind.OVERLOADED);
    assertThat(failure(() -> store.makeDirectory(path("1/2/3/4/5/6/7"), true, null)))
        .isEqualTo(ErrorKind.TOO_LARGE);
    create(store, "x/y/f").close();
    try (FileSink sink = create(store, "a/d/f")) {
      sink.commit(0, null);
    }
    store.makeDirectory(path("e"), false, null);
    assertThat(failure(() -> store.makeDirectory(path("g"), false, null)))
        .isEqualTo(ErrorKind.OVERLOADED);
    assertThat(tree()).containsExactly("a", "a/b", "a/b/c", "a/d", "a/d/f", "e");
  }

  @Test
  void links_andTheirFolders_count() throws Exception {
    FileStore store = store("files:3/h", null);
    store.makeLink(path("a/b/l"), "..", false);
    store.makeLink(path("a/b/l"), "..", false);
    assertThat(failure(() -> store.makeLink(path("l"), "a", false)))
        .isEqualTo(ErrorKind.OVERLOADED);
  }

  @Test
  void folders_thatStayWithoutTheirFile_count() throws Exception {
    FileStore store = store("files:3/h", null);
    try (FileSink first = create(store, "a/b/f")) {
      assertThat(failure(() -> create(store, "a/b/g"))).isEqualTo(ErrorKind.OVERLOADED);
      Files.write(root.resolve("a/b/other"), new byte[1]);
      write(first, 1);
    }
    store.makeDirectory(path("c"), false, null);
    assertThat(failure(() -> store.makeDirectory(path("d"), false, null)))
        .isEqualTo(ErrorKind.OVERLOADED);
  }

  @Test
  void uploads_atATime_reserveWhatTheyNeed() throws Exception {
    FileStore store = store("files:2/h", "total:10/d");
    Files.write(root.resolve("old"), new byte[1]);
    try (FileSink first = create(store, "f");
        FileSink second = create(store, "g")) {
      first.expect(6);
      assertThat(failure(() -> second.expect(6))).isEqualTo(ErrorKind.OVERLOADED);
      assertThat(failure(() -> create(store, "h"))).isEqualTo(ErrorKind.OVERLOADED);
      assertThat(failure(() -> store.create(path("old"), new CreateOptions(true, false))))
          .isEqualTo(ErrorKind.ALREADY_EXISTS);
      write(first, 4);
    }
    try (FileSink first = create(store, "f");
        FileSink second = create(store, "g")) {
      first.expect(4);
      write(first, 4);
      assertThat(failure(() -> write(second, 3))).isEqualTo(ErrorKind.OVERLOADED);
      write(second, 2);
      first.commit(4, null);
      second.commit(2, null);
    }
    assertThat(failure(() -> create(store, "h"))).isEqualTo(ErrorKind.OVERLOADED);
    assertThat(tree()).containsExactly("f", "g", "old");
  }

  @Test
  void continuedUpload_thatIsRefused_keepsWhatHadArrived() throws Exception {
    FileStore store = store("files:1/h", "total:10/d");
    UploadId id = UploadId.random();
    FileSink lost = create(store, "f", new UploadPart(id, 0, 10, false, null));
    lost.expect(10);
    write(lost, 4);
    FileSink first = create(store, "f", new UploadPart(id, 4, 10, false, null));
    lost.close();
    first.expect(10);
    write(first, 2);
    assertThat(failure(() -> create(store, "g"))).isEqualTo(ErrorKind.OVERLOADED);
    first.close();
    try (FileSink other = create(store, "g")) {
      write(other, 1);
    }
    try (FileSink next = create(store, "f", new UploadPart(id, 6, 10))) {
      assertThat(failure(() -> next.expect(10))).isEqualTo(ErrorKind.OVERLOADED);
    }
    try (FileSink next = create(store, "f", new UploadPart(id, 6, 10))) {
      write(next, 1);
      assertThat(failure(() -> write(next, 3))).isEqualTo(ErrorKind.OVERLOADED);
    }
    assertThat(store.upload(id).status().received()).isEqualTo(7);
  }
}
