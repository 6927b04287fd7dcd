package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.core.ErrorKind;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes files and empty directories of a server. */
@Command(
    name = "rm",
    description = {
      "Deletes files and empty folders of a server, in the order given.",
      "It ends at the first that cannot be deleted. A link is deleted, and not what it leads to."
    })
public final class RemoveCommand implements Callable<Integer>, StopsOnInterrupt {
  @Mixin private ServerOptions server;
  @Mixin private OutputFlags output;

  @Parameters(paramLabel = "PATH", arity = "1..*", description = "The paths on the server.")
  private List<String> paths;

  @SuppressWarnings("NullAway.Init") // picocli injects all fields
  RemoveCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    ChangeRetry.each(
        server,
        paths,
        (carrier, path, retry) -> {
          retry.send(() -> carrier.delete(path, null), ErrorKind.NOT_FOUND, () -> true);
          output.change(() -> path + ": deleted", () -> JsonLines.change("deleted", path.value()));
        });
    return 0;
  }
}
