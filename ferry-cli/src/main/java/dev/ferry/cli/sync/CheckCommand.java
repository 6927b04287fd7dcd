package dev.ferry.cli.sync;

import dev.ferry.cli.client.SecondServer;
import dev.ferry.cli.client.ServerCalls;
import dev.ferry.cli.client.ServerCommand;
import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.TransferOptions;
import dev.ferry.library.internal.FileAddress;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two folders, each of a server or local, and changes neither. */
@Command(
    name = "check",
    description = {
      "Compares two folders, and changes neither.",
      "Each is a local folder, or the address of one on a server, such as ferry://HOST/PATH or"
          + " http://HOST/files/PATH. The names, sizes and checksums of their files are compared."
          + " Each difference is printed as a line, and the exit code is then 11."
    },
    footer = {
      "",
      "Examples:",
      "  ferry check photos ferry://files.example.org/photos",
      "  ferry check --size-only ferry://a.example.org/ ferry://b.example.org/"
    })
public final class CheckCommand extends ServerCommand {
  @Mixin private SecondServer secondServer;
  @Mixin private TreeFlags tree;

  @Parameters(index = "0", paramLabel = "A", description = "A folder, or the address of one.")
  private String first;

  @Parameters(index = "1", paramLabel = "B", description = "Another folder, or its address.")
  private String second;

  @Option(
      names = "--size-only",
      description = "Compare only names and sizes, so that no file is read.")
  private boolean sizeOnly;

  private boolean used;
  private final List<TreeTransfers> opened = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    CheckReport report;
    try (ParallelTasks tasks = new ParallelTasks(tree.jobs())) {
      Side a = side(first);
      Side b = side(second);
      boolean alike = a.name("").equals(b.name(""));
      report =
          alike
              ? new CheckReport(output, first, second)
              : new CheckReport(output, a.name("") + "/", b.name("") + "/");
      new CheckPass(a, b, tree.filter(), sizeOnly, tasks, report).run();
      tasks.await();
    } finally {
      opened.forEach(TreeTransfers::close);
    }
    report.summary();
    if (report.differences() > 0) {
      return FailureCode.DIFFERENT.code();
    }
    return report.missing().all() == 0 ? 0 : FailureCode.NOT_ALL.code();
  }

  private Side side(String argument) {
    if (!FileAddress.isAddress(argument)) {
      return new LocalSide(arguments.localPath(argument), tree.links());
    }
    ServerCalls of = used ? other(secondServer, argument) : server;
    used = true;
    TreeTransfers transfers =
        TreeTransfers.replacing(of, tree.jobs(), output, TransferOptions.DEFAULT, argument);
    opened.add(transfers);
    return new RemoteSide(transfers, of.arguments().directoryPath(argument), tree.links());
  }
}
