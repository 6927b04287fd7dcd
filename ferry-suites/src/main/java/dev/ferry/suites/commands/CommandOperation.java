package dev.ferry.suites.commands;

import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.ferry.lab.run.server.Folders;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs a program from its start to its end, and looks at what it has left. */
final class CommandOperation implements Operation {
  private final Function<Path, List<String>> command;
  private final String protocol;
  private final Path folder;
  private final @Nullable TreeContent expected;
  private final boolean keeps;
  private int count;
  private Path target;

  /**
   * Prepares a command.
   *
   * @param command the program and its arguments for a target below the folder
   * @param folder where the target is, on this machine, whoever writes it
   * @param expected what is in the target afterwards; null if nothing is written
   * @param keeps whether each run finds the target of the one before; the first runs here
   */
  CommandOperation(
      Function<Path, List<String>> command,
      String protocol,
      Path folder,
      @Nullable TreeContent expected,
      boolean keeps)
      throws IOException {
    this.command = command;
    this.protocol = protocol;
    this.folder = folder;
    this.expected = expected;
    this.keeps = keeps;
    this.target = nextTarget();
    if (keeps) {
      run(0, 0);
    }
  }

  private Path nextTarget() {
    // A fork that was killed may have left its last target: never meet it again.
    return folder.resolve("target-" + ProcessHandle.current().pid() + "-" + ++count);
  }

  @Override
  public void prepare() {
    if (!keeps) {
      target = nextTarget();
    }
  }

  @Override
  public void run(int worker, int operation) throws IOException {
    List<String> line = command.apply(target);
    ProgramOutput ended = ProgramOutput.of(line, "");
    if (ended.exitCode() != 0) {
      throw new IOException(
          "%s: exit code %d: %s"
              .formatted(
                  String.join(" ", line),
                  ended.exitCode(),
                  ended.text().strip().replace('\n', ' ')));
    }
  }

  @Override
  public Outcome outcome() {
    return Outcome.identity(expected == null ? 0 : expected.bytes(), protocol);
  }

  @Override
  public void check(int operation) throws IOException {
    if (expected != null) {
      TreeContent left = TreeContent.of(target);
      if (!left.equals(expected)) {
        throw new IOException("the command left " + left + ", not " + expected);
      }
    }
    discard(operation);
  }

  @Override
  public void discard(int operation) throws IOException {
    if (!keeps) {
      forget();
    }
  }

  @Override
  public void close() throws IOException {
    forget();
  }

  /**
   * Frees the space of the target. The files of a tree stay until the end of the run, with its
   * folder: ext4 does not use the inodes of deleted files for a minute, and looks at each of them
   * whenever it creates a file, which would be most of the next sample's time. A round of all
   * tables needs about a million inodes.
   */
  private void forget() throws IOException {
    if (!Files.isDirectory(target)) {
      Folders.delete(target);
      return;
    }
    try (Stream<Path> all = Files.walk(target)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Files.newByteChannel(file, WRITE, TRUNCATE_EXISTING).close();
      }
    }
  }
}
