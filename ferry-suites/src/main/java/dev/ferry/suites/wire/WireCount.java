package dev.ferry.suites.wire;

import dev.ferry.lab.model.Part;
import dev.ferry.lab.suite.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Adds the part {@code Wire} to an operation: the bytes that pass over the loopback interface while
 * it runs, in both directions, by the kernel's counter. They include payload, framing, TLS, and the
 * headers of TCP and IP, which are few since the loopback has large segments. What other programs
 * send over the loopback at the same time counts as well. Without the counter there is no such
 * part.
 */
public final class WireCount implements Operation {
  /** Kibibytes for one operation. */
  public static final String PART = "Wire";

  private static final Path COUNTERS = Path.of("/proc/self/net/dev");
  private static final String LOOPBACK = "lo:";
  private static final double KIB = 1024;

  private final Operation operation;
  private long before;
  private long bytes;

  /** Takes over an operation. */
  public WireCount(Operation operation) {
    this.operation = operation;
  }

  /** The bytes that were ever sent over the loopback; negative if nobody counts them. */
  private static long sent() {
    try (Stream<String> lines = Files.lines(COUNTERS)) {
      return lines
          .map(String::strip)
          .filter(line -> line.startsWith(LOOPBACK))
          .map(line -> line.substring(LOOPBACK.length()).strip().split("\\s+", 2)[0])
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(-1);
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  @Override
  public void prepare() throws IOException {
    operation.prepare();
    bytes = -1;
    before = sent();
  }

  /** Called after the meters have stopped, since it allocates. Checks may send more. */
  private synchronized void stop() {
    if (bytes < 0) {
      bytes = sent() - before;
    }
  }

  @Override
  public Outcome outcome() throws IOException {
    return operation.outcome();
  }

  @Override
  public List<Part> parts(int operations, long nanos) {
    List<Part> parts = new ArrayList<>(operation.parts(operations, nanos));
    if (before >= 0 && bytes >= 0) {
      parts.add(new Part(PART, "KB", bytes / KIB / operations));
    }
    return parts;
  }

  @Override
  public void settle() {
    operation.settle();
  }

  @Override
  public void run(int worker, int number) throws IOException {
    operation.run(worker, number);
  }

  @Override
  public @Nullable CompletableFuture<Void> start(int worker, int number) {
    return operation.start(worker, number);
  }

  @Override
  public OptionalLong ownNanos() {
    return operation.ownNanos();
  }

  @Override
  public void check(int number) throws IOException {
    stop();
    operation.check(number);
  }

  @Override
  public void checkAll(int operations) throws IOException {
    stop();
    operation.checkAll(operations);
  }

  @Override
  public void discard(int number) throws IOException {
    operation.discard(number);
  }

  @Override
  public void close() throws IOException {
    operation.close();
  }
}
