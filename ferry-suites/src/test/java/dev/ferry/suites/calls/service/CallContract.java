package dev.ferry.suites.calls.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What small calls mean, on every carrier. */
public abstract class CallContract {
  private static final int SECONDS = 60;
  private static final LogRecord RECORD =
      new LogRecord("It \"works\"\n\u00e4\u65e5", LogLevel.WARN, "a.b", 1_700_000_000_123L);

  /** Bytes of long responses that the server has room for: a few of the longest. */
  private static final long ROOM_BYTES = 64L << 20;

  /** Bytes of the longest list of rows, at least. */
  private static final long LIST_BYTES = 3_500_000;

  private final MemoryLogs logs = new MemoryLogs(20_000);
  private final ConcurrencyLimiter room =
      new ConcurrencyLimiter(ConcurrencyLimiter.CALLS, ROOM_BYTES);
  private final DataRows rows = new DataRows(Backend.SEED);
  private final Users users = new Users(Backend.SEED, Backend.USERS);
  private Fixture fixture;

  /** A server and a client of it. */
  protected interface Fixture extends AutoCloseable {
    /** The client. */
    CallClient client();

    /** Requests the first rows in one response, and does not read it until told to. */
    SlowReader readSlowly(int rows);

    /** Ends the server as a crash would. */
    void killServer();

    @Override
    void close();
  }

  /** A client that does not read. */
  public interface SlowReader {
    /**
     * Waits until the response begins.
     *
     * @throws FerryException if the call is refused
     */
    void awaitHead() throws Exception;

    /**
     * Reads to the end.
     *
     * @return how many rows there were
     * @throws IOException where there is no end
     */
    int readOn() throws Exception;

    /** Cuts the call. */
    void cut();
  }

  /** Starts a server of a backend with this much room, and a client. */
  protected abstract Fixture open(Backend backend, ConcurrencyLimiter room) throws Exception;

  /** Chooses the client of the test that is about to run. To be overridden if there are several. */
  protected void configure(TestInfo test) {}

  @BeforeEach
  void start(TestInfo test) throws Exception {
    configure(test);
    fixture = open(Backend.of(logs), room);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  private CallClient client() {
    return fixture.client();
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable call, String... words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(FerryException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .satisfies(e -> List.of(words).forEach(w -> assertThat(e).hasMessageContaining(w)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 10_000})
  void rows_ofACount_areTheFirst(int count) throws Exception {
    List<DataRow> got = client().rows(count);
    assertThat(got).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(got.get(i)).isEqualTo(rows.at(i));
    }
  }

  @Test
  void rows_asManyAsFit_come() throws Exception {
    List<DataRow> got = client().rows(Backend.MAX_ROWS_IN_LIST);
    assertThat(got).hasSize(Backend.MAX_ROWS_IN_LIST);
    assertThat(got.get(got.size() - 1)).isEqualTo(rows.at(got.size() - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 200_001, 1L << 31, Long.MIN_VALUE})
  void rows_countOutOfRange_isRefused(long count) {
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().rows(count), "request 0 to 200,000");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 799, 800, 801, 300_000})
  void eachRow_ofACount_comesInOrder(long count) throws Exception {
    AtomicLong next = new AtomicLong();
    client()
        .eachRow(
            count,
            (number, name) -> {
              long place = next.getAndIncrement();
              if (number != rows.number(place) || !name.equals(rows.name(place))) {
                throw new IllegalStateException("row " + place + " is " + number + " " + name);
              }
            });
    assertThat(next).hasValue(count);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 1_000_000_001, 1L << 31})
  void eachRow_countOutOfRange_isRefused(long count) {
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> client().eachRow(count, (number, name) -> {}),
        "request 0 to 1,000,000,000");
  }

  @Test
  void eachRow_visitorThrows_endsTheCallAndThrowsOn() throws Exception {
    AtomicLong seen = new AtomicLong();
    assertThatThrownBy(
            () ->
                client()
                    .eachRow(
                        Backend.MAX_ROWS,
                        (number, name) -> {
                          if (seen.incrementAndGet() == 1_000) {
                            throw new IllegalStateException("enough");
                          }
                        }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("enough");
    assertThat(seen).hasValue(1_000);
    assertStillServes();
  }

  @Test
  void eachRow_ofAllThereAre_keepsFewOfThem() throws Exception {
    // Two million rows are 38 MB at the least, wherever they are; the largest window is OkHttp's,
    // of 16 MiB.
    MemoryWatch.assertFlat(client()::eachRow, 100_000, 2_100_000, 24 << 20);
    awaitEmptyRoom();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 500, 10_000})
  void items_ofACount_areTheFirst(int count) throws Exception {
    List<Item> got = client().items(count);
    Items items = new Items(Backend.SEED);
    assertThat(got).hasSize(count);
    for (int i = 0; i < count; i++) {
      assertThat(got.get(i)).isEqualTo(items.at(i));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 10_001, 1L << 31})
  void items_countOutOfRange_isRefused(long count) {
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().items(count), "request 0 to 10,000");
  }

  @Test
  void users_ofAPage_areThose() throws Exception {
    assertThat(client().users(7, 3)).containsExactly(users.at(21), users.at(22), users.at(23));
    List<User> last = client().users(999, 1_000);
    assertThat(last).hasSize(1_000).last().isEqualTo(users.at(999_999));
    assertThat(client().users(142_857, 7)).containsExactly(users.at(999_999));
  }

  @Test
  void users_pageThatDoesNotExist_isRefused() {
    assertFails(ErrorKind.NOT_FOUND, () -> client().users(1_000, 1_000), "last one is 999");
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().users(-1, 10), "page -1");
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().users(0, 0), "1 to 10000");
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().users(0, 10_001), "1 to 10000");
    assertFails(ErrorKind.NOT_FOUND, () -> client().users(Long.MAX_VALUE / 2, 10_000), "page");
  }

  @Test
  void log_ofARecord_isInTheLog() throws Exception {
    assertThat(client().log(RECORD)).isZero();
    assertThat(client().logAsync(RECORD).get(SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(logs.count()).isEqualTo(2);
    assertThat(logs.record(0)).isEqualTo(RECORD);
    assertThat(client().logRecord(1)).isEqualTo(RECORD);
  }

  @Test
  void logRecord_thatIsNotThere_isRefused() throws Exception {
    client().log(RECORD);
    assertFails(ErrorKind.NOT_FOUND, () -> client().logRecord(1), "log record 1");
    assertFails(ErrorKind.INVALID_REQUEST, () -> client().logRecord(-1), "log record -1");
  }

  @Test
  void log_thatLacksSomething_isRefusedAndNotKept() {
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> client().log(new LogRecord("", LogLevel.INFO, "c", 1)),
        "message");
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> client().log(new LogRecord("m", LogLevel.INFO, "x".repeat(257), 1)),
        "category");
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> client().log(new LogRecord("m", LogLevel.INFO, "c", -1)),
        "timestamp");
    assertThat(logs.count()).isZero();
  }

  @Test
  void thousandsAtOnce_endInSuccessOrOverload() throws Exception {
    int calls = Round.times(3 * ConcurrencyLimiter.CALLS, 10_000);
    List<CompletableFuture<Long>> responses = new ArrayList<>(calls);
    for (int i = 0; i < calls; i++) {
      responses.add(client().logAsync(RECORD));
    }
    long kept = 0;
    for (CompletableFuture<Long> response : responses) {
      try {
        response.get(SECONDS, TimeUnit.SECONDS);
        kept++;
      } catch (ExecutionException e) {
        assertThat(e.getCause())
            .isInstanceOfSatisfying(
                FerryException.class,
                f -> assertThat(f.kind()).as("%s", f).isEqualTo(ErrorKind.OVERLOADED));
      }
    }
    assertThat(kept).isPositive();
    assertThat(logs.count()).isEqualTo(kept);
    assertStillServes();
  }

  @Test
  void listsThatNobodyReads_takeBoundedRoomAndGiveItBack() throws Exception {
    int calls = 24;
    List<SlowReader> readers = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      readers.add(fixture.readSlowly(Backend.MAX_ROWS_IN_LIST));
    }
    List<SlowReader> begun = new ArrayList<>();
    for (SlowReader reader : readers) {
      try {
        reader.awaitHead();
        begun.add(reader);
      } catch (FerryException e) {
        assertThat(e.kind()).isEqualTo(ErrorKind.OVERLOADED);
      }
    }
    assertThat(begun).hasSizeBetween(2, calls - 1);
    // A call that has ended at the client may end a moment later at the server.
    await(() -> room.calls() <= begun.size());
    assertThat(room.calls()).isEqualTo(begun.size());
    assertThat(room.bytes()).isBetween(room.calls() * LIST_BYTES, ROOM_BYTES);
    assertStillServes();
    int half = begun.size() / 2;
    for (SlowReader reader : begun.subList(0, half)) {
      assertThat(reader.readOn()).isEqualTo(Backend.MAX_ROWS_IN_LIST);
    }
    begun.subList(half, begun.size()).forEach(SlowReader::cut);
    awaitEmptyRoom();
    assertThat(client().rows(Backend.MAX_ROWS_IN_LIST)).hasSize(Backend.MAX_ROWS_IN_LIST);
    awaitEmptyRoom();
  }

  @Test
  void connectionsCut_giveTheirRoomBack() throws Exception {
    List<SlowReader> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SlowReader reader = fixture.readSlowly(Backend.MAX_ROWS_IN_LIST);
      reader.awaitHead();
      readers.add(reader);
    }
    assertThat(room.bytes()).isGreaterThanOrEqualTo(2 * LIST_BYTES);
    fixture.killServer();
    awaitEmptyRoom();
    for (SlowReader reader : readers) {
      assertThatThrownBy(reader::readOn).isInstanceOf(IOException.class);
    }
  }

  private void awaitEmptyRoom() throws InterruptedException {
    await(() -> room.calls() == 0 && room.bytes() == 0);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still not so").isLessThan(deadline);
      Thread.sleep(10);
    }
  }

  @Test
  void serverKilled_callsFailSoon() throws Exception {
    assertStillServes();
    fixture.killServer();
    assertFails(ErrorKind.UNAVAILABLE, () -> client().rows(1));
    assertThatThrownBy(() -> client().logAsync(RECORD).get(SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            FerryException.class, f -> assertThat(f.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
  }

  private void assertStillServes() throws Exception {
    assertThat(client().rows(6).get(5)).isEqualTo(rows.at(5));
  }
}
