package dev.ferry.core;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSourceTest {
  @TempDir private Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void writeFile() throws IOException {
    file = TestFiles.age(write(directory.resolve("file"), random(1000, 1)));
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(call)
        .matches(e -> e.kind() == kind, "is " + kind)
        .withMessageContaining(kind == ErrorKind.FILE_CHANGED ? "file: changed" : "");
  }

  private static byte[] readAll(FileSource source) throws FerryException {
    ByteBuffer bytes = ByteBuffer.allocate((int) source.facts().size());
    source.readFully(bytes, 0);
    return bytes.array();
  }

  @Test
  void open_ofAFile_givesItsFactsAndBytes() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      FileFacts facts = source.facts();
      assertThat(facts.name()).isEqualTo("file");
      assertThat(facts.size()).isEqualTo(1000);
      assertThat(facts.sha256()).isNull();
      assertThat(facts.lastModified().toEpochMilli())
          .isEqualTo(Files.getLastModifiedTime(file).toMillis());
      assertThat(readAll(source)).isEqualTo(random(1000, 1));
      for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
        assertThat(source.digest(algorithm)).isEqualTo(algorithm.ofFile(file));
      }
      source.verifyUnchanged();
    }
    TestFiles.awaitNothingOpen(directory);
  }

  @Test
  void open_ofWhatIsNoFile_fails() throws Exception {
    assertFails(ErrorKind.NOT_FOUND, () -> FileSource.open(directory.resolve("none")));
    assertFails(ErrorKind.INVALID_PATH, () -> FileSource.open(directory));
    assertFails(ErrorKind.INVALID_PATH, () -> FileSource.open(Path.of("/dev/null")));
    assertFails(ErrorKind.NOT_FOUND, () -> FileSource.open(file.resolve("below")));
    TestFiles.awaitNothingOpen(directory);
  }

  @Test
  void readFully_fromTheMiddle_fillsTheBuffer() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(100);
      source.readFully(bytes, 900);
      byte[] tail = new byte[100];
      bytes.flip().get(tail);
      assertThat(random(1000, 1)).endsWith(tail);
      assertFails(ErrorKind.FILE_CHANGED, () -> source.readFully(ByteBuffer.allocate(101), 900));
    }
  }

  @Test
  void read_ofAFileThatShrank_isFileChanged() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(500);
      }
      assertFails(ErrorKind.FILE_CHANGED, () -> readAll(source));
      assertFails(ErrorKind.FILE_CHANGED, source::verifyUnchanged);
    }
  }

  @Test
  void verify_ofAFileThatGrew_isFileChanged() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
      assertThat(readAll(source)).isEqualTo(random(1000, 1));
      assertFails(ErrorKind.FILE_CHANGED, source::verifyUnchanged);
    }
  }

  @Test
  void verify_ofAFileRewrittenInTheMiddle_isFileChanged() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(1), 500);
      }
      assertFails(ErrorKind.FILE_CHANGED, source::verifyUnchanged);
    }
  }

  @Test
  void read_ofAFileThatWasReplacedOrDeleted_givesTheOldOneWhole() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      Path other = write(directory.resolve("other"), random(700, 2));
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
      assertThat(readAll(source)).isEqualTo(random(1000, 1));
      source.verifyUnchanged();
      Files.delete(file);
      source.verifyUnchanged();
    }
  }

  /** As snapshots by {@code cp -al} do. */
  @Test
  void verify_ofAFileThatGotAnotherName_isUnchanged() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      Path unused = Files.createLink(directory.resolve("link"), file);
      source.verifyUnchanged();
    }
  }

  @Test
  void open_whileTheNameChangesHands_givesFactsOfTheOpenFile() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    Background<Boolean> replacer =
        Background.start(
            () -> {
              for (int n = 0; !stop.get(); n++) {
                Path next = write(directory.resolve("next"), new byte[1 + n % 7]);
                Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
              }
              return true;
            });
    try {
      for (int i = 0; i < 2000; i++) {
        try (LocalFileSource source = FileSource.open(file)) {
          assertThat(source.facts().size()).isEqualTo(source.channel().size());
          source.verifyUnchanged();
        }
      }
    } finally {
      stop.set(true);
    }
    assertThat(replacer.result()).isTrue();
  }

  @Test
  void knownDigest_isAmongTheFacts() throws Exception {
    Sha256 digest = Sha256.ofFile(file);
    try (FileSource source = FileSource.open(file).withDigests(List.of(digest), unheard -> {})) {
      assertThat(source.facts().sha256()).isEqualTo(digest);
    }
    TestFiles.awaitNothingOpen(directory);
  }

  @Test
  void computeWhileReading_sha256InOrder_isPassedOnWithoutReadingAgain() throws Exception {
    List<Digest> kept = new ArrayList<>();
    Digest right = Digest.Algorithm.SHA256.ofFile(file);
    try (FileSource source = FileSource.open(file).withDigests(List.of(), kept::add)) {
      source.computeWhileReading(Digest.Algorithm.SHA256);
      source.readFully(new ByteBuffer[] {ByteBuffer.allocate(399), ByteBuffer.allocate(1)}, 0);
      ByteBuffer rest = ByteBuffer.allocateDirect(700).position(100);
      source.readFully(rest, 400);
      assertThat(rest.position()).isEqualTo(700);
      source.verifyUnchanged();
      assertThat(kept).containsExactly(right);
      // Another content of the file would have another digest.
      Files.write(file, random(1000, 2));
      assertThat(source.digest(Digest.Algorithm.SHA256)).isEqualTo(right);
    }
  }

  @Test
  void computeWhileReading_sha256OutOfOrder_readsTheFileAgain() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      source.computeWhileReading(Digest.Algorithm.SHA256);
      ByteBuffer end = ByteBuffer.allocate(100);
      source.readFully(end, 900);
      assertThat(end.hasRemaining()).isFalse();
      source.readFully(ByteBuffer.allocate(900), 0);
      assertThat(source.digest(Digest.Algorithm.SHA256))
          .isEqualTo(Digest.Algorithm.SHA256.ofFile(file));
    }
  }

  @Test
  void computeWhileReading_ofTheWholeFile_isPassedOnIfTheFileIsUnchanged() throws Exception {
    List<Digest> kept = new ArrayList<>();
    try (FileSource source = FileSource.open(file).withDigests(List.of(), kept::add)) {
      source.computeWhileReading(Digest.Algorithm.CRC32C);
      source.readFully(ByteBuffer.allocateDirect(100), 900);
      source.readFully(new ByteBuffer[] {ByteBuffer.allocate(399), ByteBuffer.allocate(1)}, 0);
      ByteBuffer middle = ByteBuffer.allocate(600).position(100);
      source.readFully(middle, 400);
      assertThat(middle.position()).isEqualTo(600);
      assertThat(source.digest(Digest.Algorithm.CRC32C))
          .isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(kept).isEmpty();
      source.verifyUnchanged();
    }
    assertThat(kept).containsExactly(Digest.Algorithm.CRC32C.ofFile(file));
  }

  @Test
  void digest_ofAFileThatWasReadInPart_readsTheRest() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      source.computeWhileReading(Digest.Algorithm.CRC32C);
      source.readFully(ByteBuffer.allocate(500), 0);
      assertThat(source.digest(Digest.Algorithm.CRC32C))
          .isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
    }
  }

  @Test
  void read_byAnInterruptedThread_isCancelled() throws Exception {
    try (FileSource source = FileSource.open(file)) {
      Thread.currentThread().interrupt();
      assertFails(ErrorKind.CANCELLED, () -> readAll(source));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void open_fileOfTheKernelWithoutASize_isRefused() {
    Path made = Path.of("/proc/self/status");
    assumeThat(made).exists();
    // Unlike a file that changes, it is not tried again.
    assertFails(ErrorKind.INVALID_PATH, () -> FileSource.open(made));
    assertThatThrownBy(() -> FileSource.open(made))
        .hasMessage(made + ": has bytes, though its size is 0, so only a copy of it can be sent");
  }

  @Test
  void read_fileOfTheKernelWithAnotherSize_isRefused() throws Exception {
    Path made = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    assumeThat(made).exists();
    try (FileSource source = FileSource.open(made)) {
      assertThatThrownBy(() -> readAll(source)).hasMessageMatching(".*: ends at byte \\d+, .*");
      assertFails(ErrorKind.INVALID_PATH, () -> readAll(source));
    }
  }
}
