package dev.ferry.cli;

import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists a directory of a server. */
@Command(
    name = "ls",
    description = {
      "Lists a directory of a server, sorted by name.",
      "A line is the size in bytes, the time of the last change (UTC) and the path; that of a"
          + " directory ends with '/'."
    })
final class ListCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "",
      description = "The directory (default: the root).")
  private String directory;

  @SuppressWarnings("NullAway.Init") // picocli injects all three
  ListCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    StorePath path = server.directoryPath(directory);
    List<FileFacts> entries = server.call(carrier -> carrier.list(path));
    int width = entries.stream().mapToInt(e -> Long.toString(e.size()).length()).max().orElse(1);
    PrintWriter out = spec.commandLine().getOut();
    for (FileFacts entry : entries) {
      out.println(
          String.format(
              Locale.ROOT,
              "%" + width + "s  %s  %s",
              entry.directory() ? "-" : Long.toString(entry.size()),
              Times.utc(entry.lastModified()),
              PlainText.oneLine(entry.name()) + (entry.directory() ? "/" : "")));
    }
    return 0;
  }
}
