package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.NameMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Folders that do not fit into the memory of a listing, and what happens to them meanwhile. */
class DirectoryListingTest {
  private static final int MEMORY_KIB = 32;

  /** Names of the tests take some 40 bytes each. */
  private static final long FEW = 1000;

  private final NameMemory memory = new NameMemory(MEMORY_KIB);

  @TempDir private Path folder;

  private DirectoryListing open(long mostBytes) throws FerryException {
    return DirectoryListing.open(
        folder, StorePath.ROOT, this::facts, memory, CallerShares.NOBODY, mostBytes);
  }

  private @Nullable FileFacts facts(StorePath path) {
    return Files.exists(folder.resolve(path.value()))
        ? new FileFacts(path.value(), 0, Instant.EPOCH, false, null)
        : null;
  }

  private List<String> makeFiles(int count) throws IOException {
    List<String> names =
        new ArrayList<>(IntStream.range(0, count).mapToObj("%05d"::formatted).toList());
    List<String> mixed = new ArrayList<>(names);
    Collections.shuffle(mixed, new Random(1));
    for (String name : mixed) {
      Files.createFile(folder.resolve(name));
    }
    return names;
  }

  private static List<String> rest(Listing listing) throws FerryException {
    List<String> names = new ArrayList<>();
    for (FileFacts entry = listing.next(); entry != null; entry = listing.next()) {
      names.add(entry.name());
    }
    return names;
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call) {
    FerryException failure = catchThrowableOfType(FerryException.class, call);
    assertThat(failure.kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({"50, 0", "50, 1", "500, 1000", "500, 100000"})
  void next_ofMoreNamesThanFit_givesEachOnceInOrder(int files, long mostBytes) throws Exception {
    List<String> names = makeFiles(files);
    try (Listing listing = open(mostBytes)) {
      assertThat(rest(listing)).isEqualTo(names);
      assertThat(listing.next()).isNull();
    }
  }

  @Test
  void next_ofNamesInSeveralScripts_isInTheOrderOfCodePoints() throws Exception {
    List<String> inOrder = List.of("10", "9", "A", "Z", "a", "ab", "z", "é", "日", "\uff21", "😀");
    for (String name : inOrder) {
      Files.createFile(folder.resolve(name));
    }
    for (long mostBytes : new long[] {1, FEW}) {
      try (Listing listing = open(mostBytes)) {
        assertThat(rest(listing)).isEqualTo(inOrder);
      }
    }
  }

  @Test
  void next_ofNamesThatAreNoText_namesEachOnceWithEscapes() throws Exception {
    for (String bytes : List.of("a\u00e9", "a\u00e8", "b", "z\u00ff\n")) {
      Files.createFile(TestFiles.ofBytes(folder, bytes));
    }
    Files.createFile(folder.resolve("a\ufffd"));
    for (long mostBytes : new long[] {1, FEW}) {
      try (Listing listing = open(mostBytes)) {
        assertThat(rest(listing)).containsExactly("a\\xe8", "a\\xe9", "a\ufffd", "b", "z\\xff\\n");
      }
    }
  }

  @Test
  void memory_ofManyNames_isBounded() throws Exception {
    List<String> names = makeFiles(900);
    try (Listing listing = open((MEMORY_KIB - 16) * 1024)) {
      assertThat(rest(listing)).isEqualTo(names);
    }
    assertThat(memory.freeKib()).isEqualTo(MEMORY_KIB);
  }

  @Test
  void open_withoutRoom_isRefusedAndTakesNone() throws Exception {
    makeFiles(900);
    assertFails(ErrorKind.TOO_LARGE, () -> open(1 << 20));
    assertThat(memory.freeKib()).isEqualTo(MEMORY_KIB);
    try (NameMemory.Share other = memory.share(CallerShares.NOBODY, "other")) {
      other.growTo(1);
      long left = memory.freeKib();
      assertFails(ErrorKind.OVERLOADED, () -> open(1 << 20));
      assertThat(memory.freeKib()).isEqualTo(left);
    }
    TestFiles.awaitNothingOpen(folder);
  }

  @Test
  void entries_deletedMeanwhile_areLeftOut() throws Exception {
    List<String> names = makeFiles(60);
    for (long mostBytes : new long[] {FEW, 100 * FEW}) {
      try (Listing listing = open(mostBytes)) {
        assertThat(listing.next()).isNotNull();
        for (String name : List.copyOf(names.subList(1, 20))) {
          Files.delete(folder.resolve(name));
        }
        names.subList(1, 20).clear();
        assertThat(rest(listing)).isEqualTo(names.subList(1, names.size()));
      }
    }
  }

  @Test
  void next_ofAFolderDeletedMeanwhile_isNotFound() throws Exception {
    List<String> names = makeFiles(60);
    try (Listing listing = open(FEW)) {
      for (String name : names) {
        Files.delete(folder.resolve(name));
      }
      Files.delete(folder);
      assertFails(ErrorKind.NOT_FOUND, () -> rest(listing));
    } finally {
      Files.createDirectory(folder);
    }
  }

  @Test
  void folder_betweenTwoEntries_isNotOpen() throws Exception {
    makeFiles(60);
    try (Listing listing = open(FEW)) {
      assertThat(listing.next()).isNotNull();
      TestFiles.awaitNothingOpen(folder);
      assertThat(listing.next()).isNotNull();
    }
  }

  @Test
  void close_inTheMiddle_givesTheRoomBack() throws Exception {
    makeFiles(60);
    Listing listing = open(FEW);
    assertThat(listing.next()).isNotNull();
    assertThat(memory.freeKib()).isLessThan(MEMORY_KIB);
    listing.close();
    listing.close();
    assertThat(memory.freeKib()).isEqualTo(MEMORY_KIB);
    assertFails(ErrorKind.CANCELLED, listing::next);
  }
}
