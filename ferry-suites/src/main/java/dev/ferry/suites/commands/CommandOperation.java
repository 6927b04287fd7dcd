package dev.ferry.suites.commands;

import dev.ferry.lab.run.server.Folders;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.ProgramOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs a program from its start to its end, and looks at what it has left. */
final class CommandOperation implements Operation {
  private final Function<Path, List<String>> command;
  private final String protocol;
  private final Path folder;
  private final @Nullable TreeContent expected;
  private final boolean keeps;
  private final List<Path> sources;
  private int count;
  private Path target;

  /**
   * Prepares a command.
   *
   * @param command the program and its arguments for a target below the folder
   * @param folder where the target is, on this machine, whoever writes it
   * @param expected what is in the target afterwards; null if nothing is written
   * @param keeps whether each run finds the target of the one before; the first runs here
   * @param sources what is deleted at the end
   */
  CommandOperation(
      Function<Path, List<String>> command,
      String protocol,
      Path folder,
      @Nullable TreeContent expected,
      boolean keeps,
      List<Path> sources)
      throws IOException {
    this.command = command;
    this.protocol = protocol;
    this.folder = folder;
    this.expected = expected;
    this.keeps = keeps;
    this.sources = List.copyOf(sources);
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
      Folders.delete(target);
    }
  }

  @Override
  public void close() throws IOException {
    Folders.delete(target);
    for (Path source : sources) {
      Folders.delete(source);
    }
  }
}
