package dev.ferry.cli;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.ErrorKind;
import java.util.concurrent.Callable;

/**
 * A placeholder for a command of the bench in the list of commands. The launcher {@code ferry}
 * starts the bench directly. If a user runs this program directly, this command tells how to start
 * the bench.
 *
 * @param name name of the command
 * @param description one line
 * @param listed whether the list of commands has it
 */
record BenchPointer(String name, String description, boolean listed) implements Callable<Integer> {
  @Override
  public Integer call() {
    throw refusal(name);
  }

  /** The end of its help. */
  String footer() {
    return "The bench is a separate program, which runs from Ferry's sources: './ferry "
        + name
        + " --help' there shows the options.";
  }

  /** Returns the failure of this program for a command of the bench. */
  static Refusal refusal(String command) {
    return new Refusal(
        ErrorKind.INVALID_REQUEST,
        "the bench is a separate program: run './ferry "
            + command
            + "' or 'java -jar ferry-bench.jar "
            + command
            + "'");
  }
}
