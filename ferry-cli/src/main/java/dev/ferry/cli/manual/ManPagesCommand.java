package dev.ferry.cli.manual;

import dev.ferry.cli.program.HelpModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a manual page for the program and each of its commands. Packages install them. */
@Command(
    name = "man-pages",
    hidden = true,
    description = "Writes a manual page for each command, such as ferry-get.1.")
public final class ManPagesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      description = "The folder for the pages, which is made if it is missing.")
  private Path folder;

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(folder);
    write(spec.root());
    return ExitCode.OK;
  }

  private void write(CommandSpec command) throws IOException {
    Files.writeString(folder.resolve(ManPage.name(command) + ".1"), ManPage.of(command));
    for (CommandSpec child : HelpModel.commands(command).values()) {
      write(child);
    }
  }
}
