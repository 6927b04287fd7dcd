package dev.ferry.core;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of half-received files: {@code .ferry-PID-START-RANDOM.part}. The process and the time it
 * started (milliseconds since the epoch) stand in the name, so that a later process can tell what a
 * killed one left behind from what a living one is writing.
 */
final class TemporaryNames {
  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(StorePath.RESERVED_PREFIX) + "(\\d{1,18})-(\\d{1,18})-[0-9a-f]{16}\\.part");

  private static final String PREFIX =
      StorePath.RESERVED_PREFIX
          + ProcessHandle.current().pid()
          + "-"
          + start(ProcessHandle.current()).map(Instant::toEpochMilli).orElse(0L)
          + "-";

  private TemporaryNames() {}

  static Path fresh(Path directory) {
    long random = ThreadLocalRandom.current().nextLong();
    return directory.resolve(PREFIX + HexFormat.of().toHexDigits(random) + ".part");
  }

  /** Deletes what killed processes left anywhere below a directory; gives how many files. */
  static int sweep(Path root) throws IOException {
    int[] swept = {0};
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()
                && isLeftover(String.valueOf(file.getFileName()))
                && delete(file)) {
              swept[0]++;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            // What cannot be read cannot be a half-received file of ours.
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
            // Nor does a directory that goes away meanwhile keep a server from starting.
            return FileVisitResult.CONTINUE;
          }
        });
    return swept[0];
  }

  /** A leftover on a disk that is mounted read-only is in nobody's way. */
  private static boolean delete(Path file) {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isLeftover(String fileName) {
    Matcher matcher = NAME.matcher(fileName);
    if (!matcher.matches()) {
      return false;
    }
    long startMillis = Long.parseLong(matcher.group(2));
    Optional<ProcessHandle> writer =
        ProcessHandle.of(Long.parseLong(matcher.group(1))).filter(ProcessHandle::isAlive);
    if (writer.isEmpty()) {
      return true;
    }
    return writer
        .flatMap(TemporaryNames::start)
        // Linux derives the start from the boot time, which may shift by a clock tick between
        // reads.
        .map(start -> Math.abs(start.toEpochMilli() - startMillis) > 2_000)
        .orElse(false);
  }

  private static Optional<Instant> start(ProcessHandle process) {
    return process.info().startInstant();
  }
}
