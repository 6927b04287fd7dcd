package dev.ferry.bench;

import dev.ferry.cli.program.FerryProgram;
import dev.ferry.cli.program.HelpCommand;
import picocli.CommandLine.Command;

/** The commands of the bench. */
@Command(
    description = "Measures ways to move files, rows and small calls.",
    subcommands = {
      BenchCommand.class,
      ReportCommand.class,
      AdviseCommand.class,
      CompareCommand.class,
      JudgeCommand.class,
      ServeBenchCommand.class,
      HelpCommand.class
    })
public final class Main extends FerryProgram {
  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    new Main().run(args);
  }
}
