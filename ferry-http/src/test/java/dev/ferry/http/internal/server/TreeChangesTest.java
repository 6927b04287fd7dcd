package dev.ferry.http.internal.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.internal.contract.BasePath;
import io.netty.handler.codec.http.FullHttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees that are changed: as deep as a system permits, and while others write to them. */
@Timeout(300)
class TreeChangesTest {
  private static final StorePath TREE = new StorePath("d");
  private static final int DEPTH = 300;
  private static final int ROUNDS = Round.times(100, 1000);
  private static final int STACK_BYTES = 144 * 1024;

  @TempDir Path root;

  private static <T> T onASmallStack(Callable<T> call) throws Exception {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(null, task, "small stack", STACK_BYTES).start();
    return task.get();
  }

  @Test
  void delete_deepTree_needsNoDeepStack() throws Exception {
    Files.createDirectories(root.resolve("d" + "/d".repeat(DEPTH - 1)));
    TreeChanges changes = new TreeChanges(LocalFileStore.open(root), () -> true);
    assertThat(
            onASmallStack(
                () -> {
                  changes.delete(TREE, null);
                  return changes.failure(BasePath.NONE) == null;
                }))
        .isTrue();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void delete_entryThatStays_leavesItsFoldersAloneAndIsNamedOnce() throws Exception {
    for (String folder : new String[] {"d/a/b", "d/a/c/c", "d/e"}) {
      Files.createDirectories(root.resolve(folder));
      Files.writeString(root.resolve(folder).resolve("f"), "f");
    }
    Files.writeString(root.resolve("d/a/b/kept"), "f");
    FileStore store =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public void delete(StorePath path, @Nullable String version) throws FerryException {
            if (path.name().equals("kept")) {
              throw new FerryException(ErrorKind.PERMISSION_DENIED, path + ": is kept");
            }
            super.delete(path, version);
          }
        };
    TreeChanges changes = new TreeChanges(store, () -> true);

    changes.delete(TREE, null);

    assertThat(TestFiles.names(root)).containsExactly("d", "d/a", "d/a/b", "d/a/b/kept");
    FullHttpResponse failure = requireNonNull(changes.failure(BasePath.NONE));
    assertThat(failure.content().toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("<D:href>")
        .contains("/files/d/a/b/kept");
    failure.release();
  }

  /** A writer that stores file after file in a folder, until it is told to stop. */
  private static final class Writer {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final FutureTask<Boolean> task;

    Writer(FileStore store, String folder, String name) {
      task =
          new FutureTask<>(
              () -> {
                for (int i = 0; !stopped.get(); i++) {
                  write(store, folder + "/" + name + i);
                }
                return true;
              });
      new Thread(task, "writer " + name).start();
    }

    private void write(FileStore store, String path) throws FerryException {
      try (FileSink sink = store.create(new StorePath(path), CreateOptions.DEFAULT)) {
        FileFacts unused = sink.commit(0, null);
        acknowledged.add(path);
      } catch (FerryException e) {
        // The folder was replaced meanwhile. This file is not promised to anybody.
        assertThat(e.kind()).isIn(ErrorKind.NOT_FOUND, ErrorKind.OVERLOADED);
      }
    }

    List<String> end() throws Exception {
      stopped.set(true);
      task.get();
      return List.copyOf(acknowledged);
    }
  }

  private static StorePath named(FileStore store, String name) throws FerryException {
    StorePath path = new StorePath(name);
    store.makeDirectory(path, true, null);
    for (int i = 0; i < 5; i++) {
      try (FileSink sink =
          store.create(new StorePath(name + "/of-" + name + i), CreateOptions.DEFAULT)) {
        FileFacts unused = sink.commit(0, null);
      }
    }
    return path;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void copy_cutBesideWriters_deletesNothingOfTheirs(boolean replaces) throws Exception {
    FileStore store = LocalFileStore.open(root);
    FileFacts source = store.stat(named(store, "from"), false);
    StorePath target = new StorePath("to");
    if (replaces) {
      named(store, "to");
    }
    Writer[] writers = {new Writer(store, "to", "a"), new Writer(store, "to", "b")};
    for (int i = 0; i < ROUNDS; i++) {
      AtomicInteger steps = new AtomicInteger(i % 4);
      TreeChanges changes = new TreeChanges(store, () -> steps.getAndDecrement() > 0);
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(() -> changes.copy(source, target, true, replaces, replaces))
          .satisfies(e -> assertThat(e.kind()).isIn(ErrorKind.CANCELLED, ErrorKind.ALREADY_EXISTS));
    }
    for (Writer writer : writers) {
      assertThat(writer.end()).allSatisfy(name -> assertThat(root.resolve(name)).exists());
    }
    if (replaces) {
      assertThat(root.resolve("to/of-to4")).exists();
    }
    assertThat(TestFiles.names(root))
        .noneMatch(name -> name.contains("/.") || name.startsWith("."));
  }

  @Test
  void replace_besideWriters_keepsWhatIsAcknowledgedLater() throws Exception {
    FileStore store = LocalFileStore.open(root);
    FileFacts source = store.stat(named(store, "from"), false);
    StorePath target = named(store, "to");
    for (int i = 0; i < ROUNDS; i++) {
      Writer writer = new Writer(store, "to", "r" + i + "-");
      TreeChanges changes = new TreeChanges(store, () -> true);
      if (i % 2 == 0) {
        changes.copy(source, target, true, true, true);
      } else {
        changes.moveOver(named(store, "other" + i), target);
      }
      assertThat(changes.failure(BasePath.NONE)).isNull();
      int before = writer.acknowledged.size();
      List<String> all = writer.end();
      assertThat(all.subList(Math.min(before + 1, all.size()), all.size()))
          .allSatisfy(name -> assertThat(root.resolve(name)).exists());
    }
    assertThat(TestFiles.names(root))
        .noneMatch(name -> name.contains("/.") || name.startsWith("."));
  }

  @Test
  void delete_besideWriters_leavesWhatItDidNotFind() throws Exception {
    FileStore store = LocalFileStore.open(root);
    for (int i = 0; i < ROUNDS; i++) {
      named(store, "d");
      Writer writer = new Writer(store, "d", "r" + i + "-");
      TreeChanges changes = new TreeChanges(store, () -> true);
      try {
        changes.delete(TREE, null);
      } catch (FerryException e) {
        assertThat(e.kind()).isEqualTo(ErrorKind.NOT_EMPTY);
      }
      int before = writer.acknowledged.size();
      List<String> all = writer.end();
      assertThat(all.subList(Math.min(before + 1, all.size()), all.size()))
          .allSatisfy(name -> assertThat(root.resolve(name)).exists());
    }
  }

  @Test
  void stage_inAStoreThatHidesNone_replacesAndRestores() throws Exception {
    FileStore store = new ForwardingStore(LocalFileStore.open(root)) {};
    FileFacts source = store.stat(named(store, "from"), false);
    StorePath target = named(store, "to");
    TreeChanges cut = new TreeChanges(store, () -> false);
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(() -> cut.copy(source, target, true, true, true));
    assertThat(root.resolve("to/of-to4")).exists();
    new TreeChanges(store, () -> true).copy(source, target, true, true, true);
    assertThat(root.resolve("to/of-from4")).exists();
    assertThat(root.resolve("to/of-to4")).doesNotExist();
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("from", "to");
  }
}
