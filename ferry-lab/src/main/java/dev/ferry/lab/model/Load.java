package dev.ferry.lab.model;

import dev.ferry.lab.model.RunDocument.Settings;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a sample of a row or a ceiling does if it does not transfer the run's file once.
 *
 * @param fileBytes the size of each file in bytes; 0 for calls, which transfer no file
 * @param operations the number of operations of a sample, at least 1; figures of a sample are
 *     divided by it
 * @param atOnce the number of files that are transferred concurrently and together are one
 *     operation; if it exceeds 1, a sample has one operation
 * @param workers the number of threads that share the operations; with 1 they run sequentially
 * @param percent if above 0, operations arrive at a constant rate (open loop), which is this part
 *     of the rate at which the workers can run them, in percent; if 0, an operation begins when
 *     another one has ended (closed loop)
 */
public record Load(long fileBytes, int operations, int atOnce, int workers, int percent) {
  /**
   * At this size the number of samples is halved, because each takes most of a second with its
   * check.
   */
  private static final long LARGE_BYTES = 1L << 28;

  /** At this size the number of samples is a third, because each takes seconds. */
  private static final long HUGE_BYTES = 1L << 30;

  public Load {
    if (fileBytes < 0
        || operations < 1
        || atOnce < 1
        || workers < 1
        || (atOnce > 1 && (operations > 1 || workers > 1 || fileBytes == 0))
        || workers > operations
        || percent < 0
        || percent > 100
        || (percent > 0 && workers == 1)) {
      throw new IllegalArgumentException(
          "no load: %d bytes, %d operations, %d at once, %d workers, %d %%"
              .formatted(fileBytes, operations, atOnce, workers, percent));
    }
  }

  /** Creates a load of a closed loop. */
  public Load(long fileBytes, int operations, int atOnce, int workers) {
    this(fileBytes, operations, atOnce, workers, 0);
  }

  /** Returns a copy whose operations arrive at a constant rate, in percent of the possible one. */
  public Load openLoop(int part) {
    return new Load(fileBytes, operations, atOnce, workers, part);
  }

  /** Returns all numbers as text, as {@link #parse} reads them. */
  String numbers() {
    return Stream.of(fileBytes, operations, atOnce, workers, percent)
        .map(String::valueOf)
        .collect(Collectors.joining(" "));
  }

  /**
   * Reads a load.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Load parse(String numbers) {
    long[] n = Stream.of(numbers.split(" ", -1)).mapToLong(Long::parseLong).toArray();
    if (n.length != 5) {
      throw new IllegalArgumentException("'" + numbers + "' is not a load");
    }
    return new Load(n[0], (int) n[1], (int) n[2], (int) n[3], (int) n[4]);
  }

  /** Returns whether operations arrive at a constant rate. */
  public boolean isOpenLoop() {
    return percent > 0;
  }

  /**
   * Creates a load of files without workers, sequential or concurrent.
   *
   * @param fileBytes the size of each file in bytes, at least 1
   */
  public static Load files(long fileBytes, int inTurn, int atOnce) {
    if (fileBytes < 1) {
      throw new IllegalArgumentException("files of " + fileBytes + " bytes");
    }
    return new Load(fileBytes, inTurn, atOnce, 1);
  }

  /** Creates a load of calls, either sequential or shared by several workers. */
  public static Load calls(int operations, int workers) {
    return new Load(0, operations, 1, workers);
  }

  /** Returns whether the load transfers files and does not make calls. */
  public boolean movesFiles() {
    return fileBytes > 0;
  }

  /** Returns the number of files of a sample. */
  public int files() {
    return movesFiles() ? operations * atOnce : 0;
  }

  /** Returns the total size of the files of a sample in bytes. */
  public long bytes() {
    return fileBytes * files();
  }

  /** Returns the total size of the files of an operation in bytes. */
  public long operationBytes() {
    return fileBytes * atOnce;
  }

  /**
   * Returns the settings of a profile for this load. A large load has fewer samples and a shorter
   * warm-up.
   */
  public Settings of(Settings settings) {
    if (bytes() < LARGE_BYTES) {
      return settings;
    }
    return settings.share(bytes() < HUGE_BYTES ? 2 : 3).withWarmupOperations(1);
  }

  /** Returns a description, for instance {@code 64 files of 25,060,966 bytes at once}. */
  @Override
  public String toString() {
    int count = movesFiles() ? files() : operations;
    return RootText.format(
        "%,d %s%s%s%s%s",
        count,
        movesFiles() ? "file" : "call",
        count == 1 ? "" : "s",
        movesFiles() ? RootText.format(" of %,d bytes", fileBytes) : "",
        workers > 1
            ? " by " + workers + " workers"
            : operations > 1 ? " in turn" : atOnce > 1 ? " at once" : "",
        isOpenLoop() ? " at " + percent + " % of their capacity" : "");
  }
}
