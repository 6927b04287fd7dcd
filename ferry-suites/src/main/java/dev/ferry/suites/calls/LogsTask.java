package dev.ferry.suites.calls;

import dev.ferry.lab.suite.Operation;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.LogLevel;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.Users;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Writes log records; afterwards they, or some of them, are read back by their numbers. */
final class LogsTask implements Operation {
  private static final long MILLIS = 1_700_000_000_000L;
  private static final LogLevel[] LEVELS = LogLevel.values();

  private final LogCaller caller;
  private final boolean waits;
  private final int readBack;
  private final String protocol;
  private final List<LogRecord> records = new ArrayList<>();
  private final long[] numbers;

  /**
   * Takes over the caller, and closes it.
   *
   * @param waits whether a thread waits for each call, or the next call begins when one ends
   * @param count records of a sample
   * @param readBack how many of them are read back, the last ones; each takes a round trip
   */
  LogsTask(LogCaller caller, boolean waits, int count, int readBack, String protocol) {
    this.caller = caller;
    this.waits = waits;
    this.readBack = readBack;
    this.protocol = protocol;
    this.numbers = new long[count];
    Users users = new Users(Backend.SEED, Backend.USERS);
    for (int i = 0; i < count; i++) {
      records.add(
          new LogRecord(
              users.at(i).userName() + " has signed in from " + users.at(i).address(),
              LEVELS[i % LEVELS.length],
              "sessions",
              MILLIS + i));
    }
  }

  @Override
  public void prepare() {
    Arrays.fill(numbers, -1);
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    numbers[operation] = caller.writer().call(records.get(operation));
  }

  @Override
  public @Nullable CompletableFuture<Void> start(int worker, int operation) {
    return waits
        ? null
        : caller
            .asyncWriter()
            .apply(records.get(operation))
            .thenAccept(number -> numbers[operation] = number);
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(0, protocol);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    long kept = Arrays.stream(numbers).filter(n -> n >= 0).distinct().count();
    if (kept != operations) {
      throw new IOException("%,d of %,d records have their own number".formatted(kept, operations));
    }
    for (int i = Math.max(0, operations - readBack); i < operations; i++) {
      LogRecord read = caller.reader().call(numbers[i]);
      if (!read.equals(records.get(i))) {
        throw new IOException("the log has " + read + ", not " + records.get(i));
      }
    }
  }

  @Override
  public void close() {
    caller.close();
  }
}
