package dev.ferry.cli.client;

import dev.ferry.core.StorePath;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes files of a server to standard output. */
@Command(
    name = "cat",
    description = {
      "Writes files of a server to standard output, and nothing else.",
      "Data is written as it arrives. The checksum is compared at the end: if it differs, the exit"
          + " code is 8. After a lost connection the transfer resumes where it stopped (--retries),"
          + " if the file has not changed."
    },
    footer = {
      "",
      "Examples:",
      "  ferry cat 2026/taxi.csv | head",
      "  ferry cat 2026/a.csv 2026/b.csv > all.csv"
    })
public final class CatCommand extends ServerCommand {
  @Mixin private TransferFlags flags;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "The paths on the server.")
  private List<String> paths;

  @Override
  public Integer call() throws Exception {
    server.fitTo(flags);
    if (output.json()) {
      throw arguments.wrongUse("--json: standard output has the files; leave it out");
    }
    List<StorePath> files = new ArrayList<>();
    for (String path : paths) {
      files.add(arguments.filePath(path));
    }
    int exitCode = 0;
    for (int i = 0; i < files.size() && exitCode == 0; i++) {
      exitCode = new OutputStreaming(server, flags, output).write(files.get(i));
    }
    return exitCode;
  }
}
