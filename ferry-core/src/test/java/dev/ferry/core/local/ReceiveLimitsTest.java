package dev.ferry.core.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of a store for one file, and for all that it receives at once. */
class ReceiveLimitsTest {
  private static final CreateOptions MAKING = CreateOptions.DEFAULT.withMakeParents(true);

  private static final int MIB = 1024 * 1024;
  private static final ReceiveLimits ANY = ReceiveLimits.OWN;
  private static final ReceiveLimits KEEPING = ANY.withKeepFree(10L * MIB);

  @TempDir Path root;
  private final List<FileSink> sinks = new ArrayList<>();

  /** What others leave of the disk; what sinks write is taken from it. */
  private final AtomicLong usable = new AtomicLong(100L * MIB);

  @AfterEach
  void close() throws Exception {
    for (FileSink sink : sinks) {
      sink.close();
    }
  }

  private Disk.Space look(Path folder) {
    long written = sinks.stream().mapToLong(FileSink::written).sum();
    return new Disk.Space("disk", 1000L * MIB, usable.get() - written);
  }

  private LocalFileStore store(ReceiveLimits limits) throws Exception {
    return LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(limits), this::look);
  }

  private FileSink begin(LocalFileStore store) throws Exception {
    FileSink sink = store.create(StorePath.parse("f" + sinks.size()), CreateOptions.DEFAULT);
    sinks.add(sink);
    return sink;
  }

  private FileSink begin(LocalFileStore store, long size) throws Exception {
    FileSink sink = begin(store);
    sink.expect(size);
    return sink;
  }

  private static void write(FileSink sink, int bytes) throws FerryException {
    sink.write(ByteBuffer.allocate(bytes));
  }

  private static void assertRefused(ErrorKind kind, String why, ThrowingCallable step) {
    FerryException failure = catchThrowableOfType(FerryException.class, step);
    assertThat(failure).hasMessageContaining(why);
    assertThat(failure.kind()).isEqualTo(kind);
  }

  @Test
  void maxFileSize_announcedOrWritten_isKept() throws Exception {
    LocalFileStore store = store(ANY.withMaxFileSize(10));
    begin(store, 10);
    assertRefused(ErrorKind.TOO_LARGE, "f1: over the limit of 10 bytes", () -> begin(store, 11));
    FileSink sink = begin(store);
    write(sink, 10);
    assertRefused(ErrorKind.TOO_LARGE, "f2: over the limit of 10 bytes", () -> write(sink, 1));
    assertThat(sink.written()).isEqualTo(10);
  }

  @Test
  void expect_moreBytesCome_areRefusedBeforeTheyAreWritten() throws Exception {
    FileSink sink = begin(store(ANY), 5);
    write(sink, 5);
    assertRefused(
        ErrorKind.INCOMPLETE, "f0: more than the 5 announced bytes", () -> write(sink, 1));
    assertThat(sink.written()).isEqualTo(5);
    assertThat(sink.commit(5, null).size()).isEqualTo(5);
  }

  @Test
  void maxReceiving_announcedSizes_countWholeUntilTheyEnd() throws Exception {
    LocalFileStore store = store(ANY.withMaxReceiving(100));
    FileSink first = begin(store, 60);
    assertRefused(
        ErrorKind.OVERLOADED,
        "over the limit of 100 bytes that are received at once; try again",
        () -> begin(store, 41));
    assertRefused(ErrorKind.TOO_LARGE, "over the limit of 100 bytes", () -> begin(store, 101));
    FileSink second = begin(store, 40);
    second.close();
    begin(store, 40);
    write(first, 60);
    first.commit(60, null);
    begin(store, 60);
  }

  @Test
  void maxReceiving_sizesNotAnnounced_countAsTheyCome() throws Exception {
    LocalFileStore store = store(ANY.withMaxReceiving(100));
    FileSink first = begin(store);
    FileSink second = begin(store);
    write(first, 50);
    write(second, 40);
    assertRefused(
        ErrorKind.OVERLOADED, "f1: would be over the limit of 100", () -> write(second, 11));
    second.close();
    write(first, 50);
    assertRefused(ErrorKind.TOO_LARGE, "f0: over the limit of 100", () -> write(first, 1));
  }

  @Test
  void keepFree_announcedSizes_mustFitTogether() throws Exception {
    LocalFileStore store = store(KEEPING);
    FileSink first = begin(store, 60L * MIB);
    assertRefused(
        ErrorKind.OUT_OF_SPACE,
        "f1: no space left on the disk: 62914560 more bytes are needed, 31457280 can be had",
        () -> begin(store, 60L * MIB));
    begin(store, 30L * MIB);
    write(first, 20 * MIB);
    // The written bytes are gone from the disk and from the budget.
    assertRefused(ErrorKind.OUT_OF_SPACE, "no space left", () -> begin(store, 1));
    first.close();
    sinks.remove(first);
    begin(store, 60L * MIB);
  }

  @Test
  void keepFree_sizeNotAnnounced_stopsBeforeTheDiskIsFull() throws Exception {
    FileSink sink = begin(store(KEEPING));
    assertRefused(
        ErrorKind.OUT_OF_SPACE,
        "f0: no space left on the disk",
        () -> {
          while (true) {
            write(sink, MIB / 2);
          }
        });
    assertThat(sink.written()).isEqualTo(90L * MIB);
  }

  @Test
  void keepFree_othersFillTheDiskMeanwhile_announcedFileIsRefusedBeforeItIsFull() throws Exception {
    FileSink sink = begin(store(KEEPING), 80L * MIB);
    write(sink, 10 * MIB);
    usable.addAndGet(-20L * MIB);
    assertRefused(
        ErrorKind.OUT_OF_SPACE,
        "no space left",
        () -> {
          while (true) {
            write(sink, MIB);
          }
        });
    assertThat(sink.written()).isBetween(10L * MIB, 20L * MIB);
  }

  @Test
  void keepFree_fileThatTheDiskCanHold_isTakenToTheLastByte() throws Exception {
    LocalFileStore store = store(KEEPING);
    FileSink sink = begin(store, 90L * MIB);
    for (int i = 0; i < 90; i++) {
      write(sink, MIB);
    }
    assertThat(sink.commit(90L * MIB, null).size()).isEqualTo(90L * MIB);
    // An empty file takes nothing.
    begin(store, 0).commit(0, null);
  }

  @Test
  void keepFree_oneCallerAnnouncesAll_leavesHalfToOthers() throws Exception {
    LocalFileStore store = store(KEEPING);
    for (int i = 0; i < 20; i++) {
      begin(store.heldBy("greedy"), 45L * MIB);
    }
    begin(store.heldBy("other"), 45L * MIB);
    assertRefused(
        ErrorKind.OUT_OF_SPACE, "no space left", () -> begin(store.heldBy("greedy"), 45L * MIB));
  }

  @Test
  void keepFree_whatWasReserved_staysSoWhenOthersReserve() throws Exception {
    LocalFileStore store = store(KEEPING);
    FileSink first = begin(store.heldBy("a"), 45L * MIB);
    begin(store.heldBy("b"), 22L * MIB);
    write(first, MIB);
    for (int i = 0; i < 20; i++) {
      String holder = "c" + i;
      Throwable unused = catchThrowable(() -> begin(store.heldBy(holder), 11L * MIB));
    }
    for (int i = 1; i < 45; i++) {
      write(first, MIB);
    }
    assertThat(first.commit(45L * MIB, null).size()).isEqualTo(45L * MIB);
  }

  @Test
  void keepFree_largerThanTheShareOfItsCaller_isTakenToTheLastByte() throws Exception {
    LocalFileStore store = store(KEEPING).heldBy("caller");
    FileSink sink = begin(store, 89L * MIB);
    begin(store, 1024);
    for (int i = 0; i < 89; i++) {
      write(sink, MIB);
    }
    assertThat(sink.commit(89L * MIB, null).size()).isEqualTo(89L * MIB);
  }

  @Test
  void maxReceiving_oneCallerAnnouncesAll_leavesHalfToOthers() throws Exception {
    LocalFileStore store = store(ANY.withMaxReceiving(100));
    for (int i = 0; i < 20; i++) {
      begin(store.heldBy("greedy"), 50);
    }
    begin(store.heldBy("other"), 50);
  }

  @Test
  void keepFree_filesOnOtherDisks_areNotInTheWay() throws Exception {
    Disk disks =
        folder -> new Disk.Space(String.valueOf(folder), 1000, folder.endsWith("a") ? 600 : 500);
    LocalFileStore store =
        LocalFileStore.open(
            root, SinkOptions.DEFAULT.withLimits(KEEPING.withKeepFree(100L)), disks);
    try (FileSink a = store.create(StorePath.parse("a/f"), MAKING);
        FileSink b = store.create(StorePath.parse("b/f"), MAKING)) {
      a.expect(500);
      b.expect(400);
      assertThat(List.of(a.written(), b.written())).containsOnly(0L);
    }
  }

  @Test
  void keepFree_byDefault_isOnePercentAndSixtyFourMebibytesAtMost() {
    assertThat(ReceiveLimits.STORE.keptFreeOf(100L * MIB)).isEqualTo(MIB);
    assertThat(ReceiveLimits.STORE.keptFreeOf(1_000_000L * MIB)).isEqualTo(64L * MIB);
    assertThat(ReceiveLimits.STORE.withKeepFree(5L).keptFreeOf(1_000_000L * MIB)).isEqualTo(5);
  }

  @Test
  void keepFree_realDisk_isChecked() throws Exception {
    ReceiveLimits all = ANY.withKeepFree(Long.MAX_VALUE);
    LocalFileStore none = LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(all));
    assertRefused(ErrorKind.OUT_OF_SPACE, "f0: no space left", () -> begin(none, 1));
    assertRefused(ErrorKind.OUT_OF_SPACE, "no space left", () -> write(begin(none), 1));
    FileSink sink = begin(LocalFileStore.open(root), 5);
    write(sink, 5);
    assertThat(sink.commit(5, null).size()).isEqualTo(5);
  }

  @Test
  void checkExpansion_sizeNotAnnounced_refusesWhatDecompressesToTooMuch() throws Exception {
    FileSink sink = begin(store(ANY.withMaxExpansion(100)));
    write(sink, 10 * MIB);
    sink.checkExpansion(1);
    write(sink, MIB);
    sink.checkExpansion(11L * MIB / 100 + 1);
    // Nobody knows what arrived.
    sink.checkExpansion(0);
    assertRefused(
        ErrorKind.TOO_LARGE,
        "f0: decompresses to more than 100 times what was sent, and its size was not announced",
        () -> sink.checkExpansion(11L * MIB / 100));
  }

  @Test
  void checkExpansion_sizeAnnouncedOrNoLimit_takesAnything() throws Exception {
    FileSink announced = begin(store(ANY), 20L * MIB);
    write(announced, 20 * MIB);
    announced.checkExpansion(1);
    FileSink any = begin(store(ANY.withMaxExpansion(0)));
    write(any, 20 * MIB);
    any.checkExpansion(1);
  }

  @Test
  void refusedFile_closed_leavesNothing() throws Exception {
    LocalFileStore store = store(ANY.withMaxFileSize(10));
    FileSink sink = store.create(StorePath.parse("made/f"), MAKING);
    assertRefused(ErrorKind.TOO_LARGE, "over the limit", () -> sink.expect(11));
    sink.close();
    try (var files = Files.list(root)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void limits_thatMakeNoSense_areRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> ANY.withMaxFileSize(0));
    assertThatIllegalArgumentException().isThrownBy(() -> ANY.withMaxReceiving(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> ANY.withKeepFree(-1L));
    assertThatIllegalArgumentException().isThrownBy(() -> ANY.withMaxExpansion(-1));
  }
}
