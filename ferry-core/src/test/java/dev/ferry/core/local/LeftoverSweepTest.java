package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileSink;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.TestFiles;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoverSweepTest {
  private static final long NO_PROCESS = 999_999_999L;

  @TempDir private Path root;

  private static String name(long pid, long startMillis) {
    return ".ferry-" + pid + "-" + startMillis + "-0123456789abcdef.part";
  }

  private static long startMillis(ProcessHandle process) {
    return process.info().startInstant().orElseThrow().toEpochMilli();
  }

  @Test
  void sweep_ofADeadProcess_deletesItsFilesEverywhere() throws Exception {
    write(root.resolve(name(NO_PROCESS, 1)), random(10, 1));
    write(root.resolve("a/b").resolve(name(NO_PROCESS, 2)), random(10, 1));
    write(root.resolve("a/kept"), random(10, 1));
    assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isEqualTo(2);
    assertThat(TestFiles.tree(root)).containsExactly("a/", "a/b/", "a/kept");
  }

  @Test
  void sweep_ofADeadProcess_deletesTheTreesThatItMade() throws Exception {
    String tree = name(NO_PROCESS, 1).replace(".part", ".tree");
    write(root.resolve("a").resolve(tree).resolve("new/a/b/c"), random(10, 1));
    write(root.resolve("a/kept"), random(10, 1));
    assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isEqualTo(1);
    assertThat(TestFiles.tree(root)).containsExactly("a/", "a/kept");
  }

  @Test
  void sweep_ofAKilledProcess_deletesItsFilesOnlyThen() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      String own = name(process.pid(), startMillis(process.toHandle()));
      write(root.resolve(own), random(10, 1));
      assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isZero();
      assertThat(TestFiles.tree(root)).containsExactly(own);
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isEqualTo(1);
    assertThat(TestFiles.tree(root)).isEmpty();
  }

  @Test
  void sweep_ofAProcessNumberUsedAgain_deletesTheOldOnesFile() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    write(root.resolve(name(self.pid(), startMillis(self) - 60_000)), random(10, 1));
    assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isEqualTo(1);
  }

  @Test
  void sweep_ofThisProcess_leavesItsUploads() throws Exception {
    try (FileSink sink = LocalFileSink.create(root.resolve("file"), SinkOptions.DEFAULT)) {
      sink.write(ByteBuffer.wrap(random(10, 1)));
      assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isZero();
      assertThat(LeftoverSweep.in(root)).isZero();
      sink.commit(10, null);
    }
    assertThat(TestFiles.tree(root)).containsExactly("file");
  }

  @Test
  void sweep_ofOtherThings_leavesThem() throws Exception {
    Path outside = Files.createDirectory(root.resolve("outside"));
    Path store = Files.createDirectory(root.resolve("store"));
    write(outside.resolve(name(NO_PROCESS, 1)), random(10, 1));
    Files.createSymbolicLink(store.resolve("out"), outside);
    Files.createSymbolicLink(
        store.resolve(name(NO_PROCESS, 1)), outside.resolve(name(NO_PROCESS, 1)));
    Files.createDirectory(store.resolve(name(NO_PROCESS, 2)));
    write(store.resolve("x" + name(NO_PROCESS, 1)), random(1, 1));
    write(store.resolve(name(NO_PROCESS, 1) + "x"), random(1, 1));
    write(store.resolve(".ferry-1.part"), random(1, 1));
    write(store.resolve(".ferry-" + "9".repeat(30) + "-1-0123456789abcdef.part"), random(1, 1));
    var before = TestFiles.tree(root);
    assertThat(LeftoverSweep.below(new PathsBelowRoot(store))).isZero();
    assertThat(TestFiles.tree(root)).isEqualTo(before);
  }

  @Test
  void sweep_ofWhatALaterProcessMayUse_deletesItAfterAWeek() throws Exception {
    String fresh = kept(NO_PROCESS, 1);
    String old = kept(NO_PROCESS, 2);
    String running = kept(ProcessHandle.current().pid(), startMillis(ProcessHandle.current()));
    for (String name : new String[] {fresh, old, running}) {
      write(root.resolve(name), random(10, 1));
    }
    FileTime lastWeek = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
    Files.setLastModifiedTime(root.resolve(old), lastWeek);
    Files.setLastModifiedTime(root.resolve(running), lastWeek);
    assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isEqualTo(1);
    assertThat(LeftoverSweep.in(root)).isZero();
    assertThat(TestFiles.tree(root)).containsExactlyInAnyOrder(fresh, running);
  }

  @Test
  void beforeDeletion_sweepsOnlyIfNothingElseIsThere() throws Exception {
    String fresh = kept(NO_PROCESS, 1);
    String running = kept(ProcessHandle.current().pid(), startMillis(ProcessHandle.current()));
    write(root.resolve(fresh), random(10, 1));
    write(root.resolve(name(NO_PROCESS, 1)), random(10, 1));
    for (String other : new String[] {"file", running}) {
      Path file = write(root.resolve(other), random(10, 1));
      assertThat(LeftoverSweep.beforeDeletion(root)).isZero();
      assertThat(root.resolve(fresh)).exists();
      Files.delete(file);
    }
    assertThat(LeftoverSweep.beforeDeletion(root)).isEqualTo(2);
    assertThat(root).isEmptyDirectory();
  }

  private static String kept(long pid, long startMillis) {
    return name(pid, startMillis).replace(".part", ".kept");
  }

  @Test
  void sweep_ofOneDirectory_leavesWhatIsBelowIt() throws Exception {
    ProcessHandle self = ProcessHandle.current();
    String own = name(self.pid(), startMillis(self));
    write(root.resolve(name(NO_PROCESS, 1)), random(10, 1));
    write(root.resolve(own), random(10, 1));
    write(root.resolve("kept"), random(10, 1));
    write(root.resolve("a").resolve(name(NO_PROCESS, 2)), random(10, 1));
    Files.createDirectory(root.resolve(name(NO_PROCESS, 3)));
    LocalFileSink.sweep(root);
    assertThat(TestFiles.tree(root))
        .containsExactlyInAnyOrder(
            own, "a/", "a/" + name(NO_PROCESS, 2), "kept", name(NO_PROCESS, 3) + "/");
  }

  @Test
  void sweep_ofADirectoryThatIsMissing_doesNothing() {
    assertThat(LeftoverSweep.in(root.resolve("missing"))).isZero();
  }

  @Test
  void sweep_byAnInterruptedThread_endsAtOnceAndStaysInterrupted() throws Exception {
    write(root.resolve("a").resolve(name(NO_PROCESS, 1)), random(10, 1));
    Thread.currentThread().interrupt();
    try {
      assertThat(LeftoverSweep.below(new PathsBelowRoot(root))).isZero();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void open_ofAStore_readsNothingBelowIt() throws Exception {
    String leftover = "dir/" + name(NO_PROCESS, 1);
    write(root.resolve(leftover), random(10, 1));
    LocalFileStore store = LocalFileStore.open(root);
    assertThat(TestFiles.tree(root)).containsExactly("dir/", leftover);
    store.sweep();
    assertThat(TestFiles.tree(root)).containsExactly("dir/");
  }
}
