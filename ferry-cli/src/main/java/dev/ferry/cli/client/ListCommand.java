package dev.ferry.cli.client;

import dev.ferry.cli.client.RemoteNames.Named;
import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.Times;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.ListPosition;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.ByteSize;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists a directory of a server. */
@Command(
    name = "ls",
    description = {
      "Lists files and folders of a server.",
      "A line has the size in bytes, the time of the last change (UTC) and the path, which ends with"
          + " '/' for a folder. The order is that of the names' Unicode code points."
    },
    footer = {
      "",
      "Examples:",
      "  ferry ls -l 2026",
      "  ferry ls -R http://files.example.org/files/2026"
    })
public final class ListCommand extends ServerCommand {
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

  @Parameters(
      paramLabel = "PATH",
      arity = "0..*",
      description =
          "Folders, files, or quoted patterns such as '2026/*.csv' (default: the root folder).")
  private List<String> paths = List.of("/");

  @Option(
      names = {"-R", "--recursive"},
      description = "List the folders below, too.")
  private boolean recursive;

  @Option(
      names = {"-l", "--human-readable"},
      description = "Print human-readable sizes, such as 33.8 MB (default: bytes).")
  private boolean humanReadable;

  /** What people type for {@code -l}, although {@code -h} alone is help. */
  @Option(
      names = {"-lh", "-hl"},
      hidden = true)
  private boolean typedForPeople;

  @Option(
      names = {"-lhR", "-lRh", "-Rlh", "-hlR", "-hRl", "-Rhl"},
      hidden = true)
  private boolean typedForPeopleBelow;

  @Override
  public Integer call() throws Exception {
    try (CarrierPool.Kept unused = server.keepConnections()) {
      return MissingNames.each(output, new RemoteNames(server).of(paths), this::list);
    } finally {
      print();
    }
  }

  private boolean isForPeople() {
    return humanReadable || typedForPeople || typedForPeopleBelow;
  }

  private int list(Named named) throws FerryException {
    named.require();
    FileFacts facts = named.facts();
    MissingNames missing = new MissingNames(output);
    if (facts != null && !facts.directory()) {
      boolean unused = add(facts);
    } else if (recursive || typedForPeopleBelow) {
      try (RemoteTree tree = server.tree(named.path())) {
        listTree(tree, named.path(), 0, missing);
      }
    } else {
      listFolder(named.path());
    }
    return missing.all() == 0 ? 0 : FailureCode.NOT_ALL.code();
  }

  private void listFolder(StorePath path) throws FerryException {
    AtomicReference<ListPosition> position = new AtomicReference<>(new ListPosition());
    try {
      server.list(
          path,
          () -> {
            // After a failure, the list is requested again.
            ListPosition attempt = position.updateAndGet(ListPosition::again);
            return entry -> !attempt.moveTo(entry) || add(entry);
          });
    } catch (FerryException e) {
      listFile(path, e);
    }
  }

  /**
   * @param missing receives the folders below that cannot be listed
   */
  private void listTree(RemoteTree tree, StorePath folder, int depth, MissingNames missing)
      throws FerryException {
    RemoteTree.requireDepth(folder, depth);
    RemoteTree.Folder entries;
    try {
      entries = tree.list(folder);
    } catch (FerryException e) {
      listFile(folder, e);
      return;
    }
    for (FileFacts entry = entries.next(); entry != null; entry = entries.next()) {
      if (!add(entry)) {
        return;
      }
      if (entry.directory() && entry.leftOut() == null) {
        StorePath below = new StorePath(entry.name());
        missing.attempt(() -> listTree(tree, below, depth + 1, missing));
      }
    }
  }

  /**
   * Lists what is no folder.
   *
   * @param failure of the list; thrown if there is no file either
   */
  private void listFile(StorePath path, FerryException failure) throws FerryException {
    FileFacts file =
        failure.kind() == ErrorKind.NOT_FOUND && !path.equals(StorePath.ROOT)
            ? server.facts(path)
            : null;
    if (file == null || file.directory()) {
      throw failure;
    }
    boolean unused = add(file);
  }

  /** Adds an entry. Returns false if the output was closed, as by {@code head}. */
  private boolean add(FileFacts entry) {
    if (output.json()) {
      lines.append(JsonLines.facts(entry)).append(System.lineSeparator());
    } else {
      addLine(entry);
    }
    return lines.length() < PRINTED_CHARS || print();
  }

  private void addLine(FileFacts entry) {
    LeftOut leftOut = entry.leftOut();
    String size =
        !entry.isFile()
            ? "-"
            : isForPeople() ? ByteSize.readable(entry.size()) : Long.toString(entry.size());
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
