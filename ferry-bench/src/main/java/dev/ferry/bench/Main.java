package dev.ferry.bench;

import dev.ferry.cli.program.FerryProgram;
import dev.ferry.cli.program.HelpCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The commands of the bench. */
@Command(
    description = "Benchmarks file transfers and small calls over gRPC and HTTP.",
    subcommands = {BenchCommand.class, ServeBenchCommand.class, HelpCommand.class})
public final class Main extends FerryProgram {
  /** Adds the commands of {@code bench} under the names that they had before, without help. */
  @Override
  protected void addCommands(CommandLine line, String first) {
    for (Class<?> command :
        List.of(
            ReportCommand.class, AdviseCommand.class, CompareCommand.class, JudgeCommand.class)) {
      CommandSpec former = CommandSpec.forAnnotatedObject(command);
      former.usageMessage().hidden(true);
      line.addSubcommand(former.name(), former);
    }
  }

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    new Main().run(args);
  }
}
