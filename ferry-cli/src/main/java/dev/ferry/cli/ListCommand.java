package dev.ferry.cli;

import dev.ferry.cli.program.PlainText;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.io.PrintWriter;
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
      "Lists a folder of a server, in the order of the names' Unicode code points.",
      "A line is the size in bytes, the time of the last change (UTC) and the path; that of a"
          + " folder ends with '/'."
    })
final class ListCommand implements Callable<Integer>, StopsOnInterrupt {
  /** Room for a size below a terabyte: nobody knows the largest before the last entry came. */
  private static final int SIZE_WIDTH = 12;

  /** Printed at once: line by line, printing would cost more than everything else. */
  private static final int PRINTED_CHARS = 8 * 1024;

  private final StringBuilder lines = new StringBuilder();

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "",
      description = "The folder (default: the root).")
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
    try {
      return server.call(
          carrier -> {
            carrier.list(path, this::add);
            return 0;
          });
    } finally {
      print();
    }
  }

  /** Takes an entry; false where nobody reads what is printed, as behind {@code head}. */
  private boolean add(FileFacts entry) {
    String size = entry.directory() ? "-" : Long.toString(entry.size());
    lines
        .append(" ".repeat(Math.max(0, SIZE_WIDTH - size.length())))
        .append(size)
        .append("  ")
        .append(Times.utc(entry.lastModified()))
        .append("  ")
        .append(PlainText.oneLine(entry.name()))
        .append(entry.directory() ? "/" : "")
        .append(System.lineSeparator());
    return lines.length() < PRINTED_CHARS || print();
  }

  /** Prints what was gathered; whether it could be printed. */
  private boolean print() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(lines);
    lines.setLength(0);
    // Standard output keeps its failures to itself.
    return !out.checkError() && !System.out.checkError();
  }
}
