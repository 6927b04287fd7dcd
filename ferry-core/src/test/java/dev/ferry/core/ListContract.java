package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.internal.ForwardingStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lists do that are longer than anybody holds, and that somebody ends. */
abstract class ListContract extends FailureContract {
  /** Ways a call may end whose other end went away. */
  static final List<ErrorKind> CUT = List.of(ErrorKind.UNAVAILABLE, ErrorKind.INCOMPLETE);

  private static final int SECONDS = 30;

  /** More than any buffers between a store and a reader hold: some 100 bytes each on the wire. */
  private static final long ENDLESS = 1_000_000_000;

  /** More than are ever read for a reader who waits. */
  private static final long AHEAD = 1_000_000;

  private CountedStore counted(long entries, @Nullable FerryException failure) throws Exception {
    return new CountedStore(
        store(),
        entries,
        failure,
        number -> new FileFacts(name(number), 1, Instant.EPOCH, false, null));
  }

  private CountedStore useEntries(long entries, @Nullable FerryException failure) throws Exception {
    CountedStore store = counted(entries, failure);
    use(store);
    return store;
  }

  private static String name(long number) {
    return "an entry of some directory %012d".formatted(number);
  }

  private static List<String> names(long count) {
    return LongStream.range(0, count).mapToObj(ListContract::name).toList();
  }

  /** A list that takes its time with an entry once it has begun, and goes on as it is told. */
  private final class SlowList {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Background<Long> call;
    private long seen;

    SlowList(Carrier carrier, LongPredicate more) {
      call =
          Background.start(
              () -> {
                carrier.list(StorePath.ROOT, false, entry -> take(entry, more), CallLimits.DEFAULT);
                return seen;
              });
    }

    private boolean take(FileFacts entry, LongPredicate more) {
      assertThat(entry.name()).isEqualTo(name(seen));
      seen++;
      if (seen == 5) {
        begun.countDown();
        try {
          assertThat(goOn.await(2 * SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      return more.test(seen);
    }

    void awaitBegun() throws Exception {
      assertThat(begun.await(SECONDS, TimeUnit.SECONDS)).as("the list began").isTrue();
    }
  }

  private static void awaitClosed(CountedStore store) throws Exception {
    for (int i = 0; store.open() > 0 && i < 200 * SECONDS; i++) {
      Thread.sleep(5);
    }
    assertThat(store.open()).as("listings left open").isZero();
  }

  /** Waits until no more entries are requested from the store, or too many have been. */
  private static void awaitStill(CountedStore store) throws Exception {
    for (long before = -1; store.given() != before; Thread.sleep(100)) {
      before = store.given();
      assertThat(before).as("entries that were read for a reader who waits").isLessThan(AHEAD);
    }
  }

  @Test
  void list_ofMoreThanOneMessage_isWholeAndInOrder() throws Exception {
    CountedStore store = useEntries(20_000, null);
    assertThat(carrier().list(StorePath.ROOT)).extracting(FileFacts::name).isEqualTo(names(20_000));
    awaitClosed(store);
  }

  @Test
  void list_ofTheLongestNames_isWholeAndExact() throws Exception {
    String directory = ("d".repeat(255) + "/").repeat(15);
    Sha256 digest = Sha256.of(TestFiles.random(32, 1));
    List<FileFacts> entries = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      String name = directory + "日\"é".repeat(40) + "%05d".formatted(i);
      entries.add(new FileFacts(name, Long.MAX_VALUE - i, Instant.ofEpochMilli(i), false, digest));
    }
    use(new CountedStore(store(), 1500, null, i -> entries.get((int) i)));
    assertThat(carrier().list(StorePath.ROOT)).isEqualTo(entries);
  }

  @Test
  void list_ofEntriesOfEachKind_isExact() throws Exception {
    List<FileFacts> entries = new ArrayList<>();
    for (LeftOut reason : LeftOut.values()) {
      entries.add(FileFacts.leftOut("a\\xe9\n" + reason, reason));
    }
    Instant early = Instant.parse("1931-01-01T00:00:00.001Z");
    entries.add(new FileFacts("early", 1, early, false, null));
    entries.add(new FileFacts("unknown", 1, FileFacts.UNKNOWN_TIME, true, null));
    entries.add(new FileFacts("program", 1, early, false, null).withMode(0755));
    entries.add(new FileFacts("link", 1, early, false, null).withLink("../ü"));
    entries.add(FileFacts.leftOut("loop", LeftOut.LOOP).withLink(""));
    entries.add(new FileFacts("text", 1, early, false, null).withMode(0604));
    use(new CountedStore(store(), entries.size(), null, i -> entries.get((int) i)));
    assertThat(carrier().list(StorePath.ROOT)).isEqualTo(entries);
  }

  @Test
  void list_ofNamesInSeveralScripts_isInTheOrderOfCodePoints() throws Exception {
    List<String> inOrder = List.of("1", "A", "a", "é", "日", "\uff21", "😀");
    List<String> mixed = new ArrayList<>(inOrder);
    Collections.shuffle(mixed, new Random(1));
    for (String name : mixed) {
      files().write(name, new byte[0]);
    }
    assertThat(carrier().list(StorePath.ROOT))
        .extracting(FileFacts::name)
        .containsExactlyElementsOf(inOrder);
  }

  private List<String> treeOf(StorePath directory) throws Exception {
    List<String> names = new ArrayList<>();
    assertThat(
            carrier().list(directory, true, entry -> names.add(shown(entry)), CallLimits.DEFAULT))
        .isTrue();
    return names;
  }

  private static String shown(FileFacts entry) {
    return entry.name()
        + (entry.directory() ? "/" : "")
        + (entry.leftOut() == null ? "" : " " + entry.leftOut());
  }

  @Test
  void listTree_ofFolders_hasWhatIsInAFolderBehindIt() throws Exception {
    for (String name : List.of("t/b", "t/a/c", "t/a/d/e", "t/a-b", "t/a.b/f", "t/ü +/g", "u")) {
      files().write(name, new byte[1]);
    }
    List<String> all =
        List.of(
            "t/a/", "t/a/c", "t/a/d/", "t/a/d/e", "t/a-b", "t/a.b/", "t/a.b/f", "t/b", "t/ü +/",
            "t/ü +/g");
    assertThat(treeOf(new StorePath("t"))).isEqualTo(all);
    assertThat(treeOf(StorePath.ROOT)).containsSubsequence(all).startsWith("t/").endsWith("u");
    assertThat(treeOf(new StorePath("t/a/d"))).containsExactly("t/a/d/e");
  }

  @Test
  void listTree_ofNoFolder_failsAsAList() throws Exception {
    files().write("file", new byte[1]);
    for (String name : List.of("none", "file")) {
      assertFails(
          List.of(ErrorKind.NOT_FOUND),
          () -> carrier().list(new StorePath(name), true, entry -> true, CallLimits.DEFAULT));
    }
    assertStillServes();
  }

  /** A store with one folder in another, each of which may be unreadable. */
  private static final class DeepStore extends ForwardingStore {
    private final String unreadable;

    DeepStore(FileStore store, String unreadable) {
      super(store);
      this.unreadable = unreadable;
    }

    @Override
    public Listing list(StorePath directory) throws FerryException {
      if (directory.name().equals(unreadable)) {
        throw new FerryException(ErrorKind.PERMISSION_DENIED, directory + ": cannot be read");
      }
      List<FileFacts> left = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        String path = directory.child(name).value();
        left.add(new FileFacts(path, 0, FileFacts.UNKNOWN_TIME, name.equals("a"), null));
      }
      return new Listing() {
        @Override
        public @Nullable FileFacts next() {
          return left.isEmpty() ? null : left.remove(0);
        }

        @Override
        public void close() {}
      };
    }
  }

  @Test
  void listTree_ofAFolderThatCannotBeRead_saysSoAndGoesOn() throws Exception {
    use(new DeepStore(store(), "a"));
    assertThat(treeOf(StorePath.ROOT)).containsExactly("a/ UNREADABLE", "b");
  }

  @Test
  void listTree_ofATreeWithoutEnd_ends() throws Exception {
    use(new DeepStore(store(), "none"));
    List<String> names = treeOf(StorePath.ROOT);
    int levels = TreeListing.DEEPEST;
    assertThat(names).hasSize(2 * levels);
    assertThat(names.get(levels - 1)).isEqualTo("a/".repeat(levels) + " UNREADABLE");
    assertThat(names.get(levels)).isEqualTo("a/".repeat(levels - 1) + "b");
  }

  @Test
  void listTree_thatItsReaderEnds_isClosed() throws Exception {
    CountedStore store = useEntries(ENDLESS, null);
    assertThat(carrier().list(StorePath.ROOT, true, entry -> false, CallLimits.DEFAULT)).isTrue();
    awaitClosed(store);
    assertStillServes();
  }

  @Test
  void list_ofASlowReader_waitsForIt() throws Exception {
    CountedStore store = useEntries(ENDLESS, null);
    SlowList list = new SlowList(carrier(), seen -> seen < 2000);
    list.awaitBegun();
    awaitStill(store);
    assertThat(store.given()).isGreaterThan(4);
    list.goOn.countDown();
    assertThat(list.call.result()).isEqualTo(2000);
    awaitClosed(store);
    assertStillServes();
  }

  @Test
  void list_thatItsReaderEnds_isClosed() throws Exception {
    CountedStore store = useEntries(ENDLESS, null);
    for (int most : new int[] {1, 100}) {
      List<FileFacts> seen = new ArrayList<>();
      carrier()
          .list(
              StorePath.ROOT,
              false,
              entry -> {
                seen.add(entry);
                return seen.size() < most;
              },
              CallLimits.DEFAULT);
      assertThat(seen).hasSize(most);
      awaitClosed(store);
    }
    assertThatThrownBy(
            () ->
                carrier()
                    .list(
                        StorePath.ROOT,
                        false,
                        entry -> {
                          throw new IllegalStateException("the reader's own");
                        },
                        CallLimits.DEFAULT))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the reader's own");
    awaitClosed(store);
    assertStillServes();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 5000})
  void list_thatFailsInTheMiddle_fails(int entries) throws Exception {
    CountedStore store =
        useEntries(entries, new FerryException(ErrorKind.PERMISSION_DENIED, "the disk is gone"));
    List<String> seen = new ArrayList<>();
    assertFails(
        List.of(ErrorKind.PERMISSION_DENIED, ErrorKind.UNAVAILABLE, ErrorKind.INCOMPLETE),
        () ->
            carrier()
                .list(StorePath.ROOT, false, entry -> seen.add(entry.name()), CallLimits.DEFAULT));
    assertThat(seen).isEqualTo(names(seen.size())).hasSizeLessThanOrEqualTo(entries);
    awaitClosed(store);
    assertStillServes();
  }

  @Test
  void interrupt_inAList_cancelsItOnBothEnds() throws Exception {
    CountedStore store = useEntries(ENDLESS, null);
    SlowList list = new SlowList(carrier(), seen -> true);
    list.awaitBegun();
    list.call.interrupt();
    list.goOn.countDown();
    assertKind(List.of(ErrorKind.CANCELLED), list.call.failure());
    awaitClosed(store);
    assertStillServes();
  }

  @Test
  void serverKilled_inAList_failsSoon() throws Exception {
    CountedStore store = counted(ENDLESS, null);
    try (Fixture fixture = open(store)) {
      SlowList list = new SlowList(fixture.carrier(), seen -> true);
      list.awaitBegun();
      fixture.killServer();
      list.goOn.countDown();
      assertKind(CUT, list.call.failure());
      awaitClosed(store);
    }
  }

  @Test
  void clientClosed_inAList_closesIt() throws Exception {
    CountedStore store = counted(ENDLESS, null);
    try (Fixture fixture = open(store)) {
      SlowList list = new SlowList(fixture.carrier(), seen -> true);
      list.awaitBegun();
      fixture.carrier().close();
      list.goOn.countDown();
      assertKind(List.of(ErrorKind.CANCELLED, ErrorKind.UNAVAILABLE), list.call.failure());
      awaitClosed(store);
    }
  }
}
