package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Times;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.tree.ListPosition;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
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
public final class ListCommand implements Callable<Integer>, StopsOnInterrupt {
  /**
   * Fits sizes below a terabyte. The largest size is not known before the last entry has arrived.
   */
  private static final int SIZE_WIDTH = 12;

  /**
   * Characters that are printed at once. Printing line by line would take longer than everything
   * else.
   */
  private static final int PRINTED_CHARS = 8 * 1024;

  private final StringBuilder lines = new StringBuilder();
  private ListPosition position = new ListPosition();

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private OutputFlags output;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = "",
      description = "The folder (default: the root).")
  private String directory;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  ListCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    StorePath path = server.directoryPath(directory);
    try {
      return server.call(
          carrier -> {
            // After a failure, the list is requested again.
            position = position.again();
            carrier.list(path, this::add);
            return 0;
          });
    } finally {
      print();
    }
  }

  /** Adds an entry. Returns false if the output was closed, as by {@code head}. */
  private boolean add(FileFacts entry) {
    if (!position.moveTo(entry)) {
      return true;
    }
    if (output.json()) {
      lines.append(JsonLines.facts(entry)).append(System.lineSeparator());
    } else {
      addLine(entry);
    }
    return lines.length() < PRINTED_CHARS || print();
  }

  private void addLine(FileFacts entry) {
    LeftOut leftOut = entry.leftOut();
    String size = entry.isFile() ? Long.toString(entry.size()) : "-";
    lines
        .append(" ".repeat(Math.max(0, SIZE_WIDTH - size.length())))
        .append(size)
        .append("  ")
        .append(Times.utc(entry.lastModified()))
        .append("  ")
        .append(PlainText.of(entry.name()))
        .append(entry.directory() ? "/" : "")
        .append(leftOut == null ? "" : "  (" + leftOut.reason() + ")")
        .append(System.lineSeparator());
  }

  /** Prints the collected lines. Returns whether this succeeded. */
  private boolean print() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(lines);
    lines.setLength(0);
    return !out.checkError();
  }
}
