package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LostResponse;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes directories on a server. */
@Command(
    name = "mkdir",
    description = {
      "Makes folders on a server, in the order given.",
      "A folder that cannot be made does not stop the others."
    },
    footer = {"", "Examples:", "  ferry mkdir 2026", "  ferry mkdir -p 2026/07/raw"})
public final class MakeDirectoryCommand extends ServerCommand {

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "The paths on the server.")
  private List<String> paths;

  @Option(
      names = {"-p", "--parents"},
      description =
          "Make the folders above that are missing; a folder that exists is not a failure.")
  private boolean parents;

  @Override
  public Integer call() throws Exception {
    List<StorePath> folders = paths.stream().map(arguments::nonRootPath).toList();
    try (CarrierPool.Kept unused = server.keepConnections()) {
      return MissingNames.each(output, folders, this::make);
    }
  }

  private int make(StorePath path) throws FerryException {
    LostResponse lost = new LostResponse();
    return server.call(
        carrier -> {
          try {
            lost.change(
                carrier,
                new Change.MakeDirectory(path, parents),
                ErrorKind.ALREADY_EXISTS,
                () -> carrier.stat(path, null, CallLimits.DEFAULT).directory());
          } catch (FerryException e) {
            if (e.kind() == ErrorKind.NOT_FOUND && !parents) {
              throw new Refusal(
                  e.kind(), e.getMessage() + server.orHidden() + "; --parents makes it");
            }
            throw e;
          }
          output.change(() -> path + ": made", () -> JsonLines.change("made", path.value()));
          return 0;
        });
  }
}
