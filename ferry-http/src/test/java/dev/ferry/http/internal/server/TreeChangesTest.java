package dev.ferry.http.internal.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.internal.contract.BasePath;
import io.netty.handler.codec.http.FullHttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Trees that are deleted: as deep as a system permits, and with entries that stay. */
@Timeout(300)
class TreeChangesTest {
  private static final StorePath TREE = new StorePath("d");
  private static final int DEPTH = 300;
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
}
