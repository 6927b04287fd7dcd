package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.program.FailureCode;
import dev.ferry.cli.program.Question;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.LostResponse;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deletes files and directories of a server. */
@Command(
    name = "rm",
    description = {
      "Deletes files and folders of a server.",
      "Paths are deleted in the order given; one that cannot be deleted does not stop the others. A"
          + " folder that is not empty needs -r. If a path is a link, only the link is deleted."
    },
    footer = {"", "Examples:", "  ferry rm 2026/taxi.csv", "  ferry rm -r '2025/*'"})
public final class RemoveCommand extends ServerCommand {
  /** As many as the commands have that copy trees. */
  private static final int JOBS = 4;

  @Parameters(
      paramLabel = "PATH",
      arity = "1..*",
      description = "The paths on the server, or quoted patterns such as '2026/*.csv'.")
  private List<String> paths;

  @Option(
      names = {"-r", "--recursive"},
      description =
          "Delete folders with everything in them. On a terminal, the command first shows the"
              + " number of files and asks for confirmation.")
  private boolean recursive;

  @Option(
      names = {"-f", "--force", "-y", "--yes"},
      description = "Do not ask for confirmation. A path that does not exist is not a failure.")
  private boolean force;

  @Override
  public Integer call() throws Exception {
    paths.forEach(arguments::nonRootPath);
    try (CarrierPool.Kept unused = server.keepConnections()) {
      return MissingNames.each(output, new RemoteNames(server).of(paths), this::delete);
    }
  }

  private int delete(RemoteNames.Named named) throws FerryException {
    if (named.failure() != null && named.failure().kind() == ErrorKind.NOT_FOUND && force) {
      return 0;
    }
    named.require();
    StorePath path = named.path();
    LostResponse lost = new LostResponse();
    boolean full = server.call(carrier -> !isDeleted(carrier, path, lost));
    return full && mayDelete(path) ? deleteTree(path) : 0;
  }

  /** Deletes a file or an empty folder. Returns false if it is a folder that is not empty. */
  private boolean isDeleted(Carrier carrier, StorePath path, LostResponse lost)
      throws FerryException {
    try {
      lost.change(carrier, new Change.Delete(path, null), ErrorKind.NOT_FOUND, () -> true);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_EMPTY && recursive) {
        return false;
      }
      if (e.kind() == ErrorKind.NOT_EMPTY) {
        throw new Refusal(e.kind(), e.getMessage() + "; add -r to delete what is in it");
      }
      if (e.kind() == ErrorKind.NOT_FOUND && force) {
        return true;
      }
      throw e;
    }
    output.change(() -> path + ": deleted", () -> JsonLines.change("deleted", path.value()));
    return true;
  }

  private int deleteTree(StorePath folder) throws FerryException {
    try (TreeTransfers transfers =
        TreeTransfers.replacing(server, JOBS, output, TransferOptions.DEFAULT, folder.value())) {
      new TreeRemoval(server, transfers, output).delete(folder);
      return transfers.missing().all() == 0 ? 0 : FailureCode.NOT_ALL.code();
    }
  }

  private boolean mayDelete(StorePath folder) throws FerryException {
    if (force || !Question.isPossible()) {
      return true;
    }
    TreeRemoval.Count count = TreeRemoval.count(server, folder, 0);
    String question =
        "Delete %s/ with its %d file%s and %d folder%s?"
            .formatted(
                folder,
                count.files(),
                count.files() == 1 ? "" : "s",
                count.folders(),
                count.folders() == 1 ? "" : "s");
    try {
      return Question.yes(question, spec.commandLine().getErr());
    } catch (InterruptedException e) {
      throw FerryException.interrupted(folder + ": cancelled", e);
    }
  }
}
