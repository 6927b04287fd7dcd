package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * The folder with the results of a run.
 *
 * @param root the path of the folder
 */
public record RunFolder(Path root) {
  /** The name of the file with the output of the forks and their servers. */
  static final String LOG = "forks.log";

  /**
   * Prepares the folder for a new run.
   *
   * @throws LabException if it is not writable or not empty
   */
  public static RunFolder create(Path root) throws LabException {
    try {
      if (Files.exists(root) && !Files.isDirectory(root)) {
        throw LabException.failure(
            "output folder " + root + " is a file; give --out a folder that is new or empty");
      }
      if (Files.isDirectory(root)) {
        try (Stream<Path> entries = Files.list(root)) {
          if (entries.findAny().isPresent()) {
            throw LabException.failure(
                "output folder "
                    + root
                    + (Files.exists(new RunFolder(root).json())
                        ? " already holds a run"
                        : " is not empty")
                    + "; give --out a folder that is new or empty");
          }
        }
      }
      RunFolder folder = new RunFolder(root);
      Files.createDirectories(folder.samples());
      return folder;
    } catch (IOException e) {
      throw LabException.failure(
          "output folder " + root + " cannot be written; give --out another one", e);
    }
  }

  /**
   * Locks the folder, so that no other run writes to it. The lock ends when the channel is closed,
   * or with the process. Its file remains, because deleting it would let two others lock a file of
   * that name each.
   *
   * @throws LabException if another run uses the folder, or if it cannot be locked
   */
  FileChannel lock() throws LabException {
    try {
      FileChannel channel =
          FileChannel.open(
              root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return channel;
      }
      channel.close();
    } catch (IOException e) {
      throw LabException.failure(
          "run folder " + root + " cannot be locked; give --out another one", e);
    }
    throw LabException.failure(
        "another ferry bench writes to " + root + "; wait for its end, or give another folder");
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another run of this process has it.
      return false;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Returns the path of the run document. */
  public Path json() {
    return root.resolve("run.json");
  }

  /** Returns the path of the report with charts. */
  public Path page() {
    return root.resolve("report.html");
  }

  /** Returns the folder of raw samples. */
  public Path samples() {
    return root.resolve("samples");
  }

  /** Returns the file with the output of the forks and their servers. */
  public Path log() {
    return root.resolve(LOG);
  }

  /** Returns the file of a profiler for a row in a round. */
  Path profile(RowKey row, int round, Profiler profiler) {
    return root.resolve("profiles")
        .resolve(row.fileName() + "-r" + (round + 1) + "." + profiler.extension());
  }

  /** Returns the file to which the samples of a fork are moved when another one replaces it. */
  static Path replaced(Path samples, int number) {
    return aside(samples, "-replaced-" + number);
  }

  /** Returns the file to which samples of a fork are moved when it takes them again. */
  static Path repeated(Path samples, int number) {
    return aside(samples, "-warm-up-" + number);
  }

  private static Path aside(Path samples, String suffix) {
    String name = String.valueOf(samples.getFileName());
    return samples.resolveSibling(name.substring(0, name.lastIndexOf('.')) + suffix + ".jsonl");
  }

  /** Returns the file of the raw samples of a row. */
  Path samples(RowKey row, int round) {
    return samples().resolve(row.fileName() + "-round-" + (round + 1) + ".jsonl");
  }
}
