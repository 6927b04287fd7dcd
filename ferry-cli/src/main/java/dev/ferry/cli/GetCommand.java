package dev.ferry.cli;

import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a file of a server to a local one. */
@Command(
    name = "get",
    description = {
      "Copies a file of a server to a local one.",
      "The local file appears under its name when it is complete and checked, and replaces what was"
          + " there; after a failure or Ctrl-C nothing is left of it."
    })
final class GetCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;

  @Parameters(index = "0", paramLabel = "PATH", description = "The file's path on the server.")
  private String path;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "The local file, or a directory to put it in under its own name (default: the current"
              + " directory).")
  private @Nullable Path file;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  GetCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    StorePath source = server.filePath(path);
    Path target = target(source, file == null ? Path.of("") : file);
    try (ProgressDisplay progress = ProgressDisplay.open(spec, source.value())) {
      var options = flags.options(progress);
      Stopwatch stopwatch = Stopwatch.start();
      Transfer transfer = server.call(carrier -> carrier.download(source, target, options));
      progress.close();
      spec.commandLine()
          .getOut()
          .println(Summary.of(source + " -> " + target, transfer, stopwatch, server.carrier()));
    }
    return 0;
  }

  private Path target(StorePath source, Path given) {
    if (given.toString().equals("-")) {
      throw new ParameterException(
          spec.commandLine(), "FILE '-': cannot write to standard output, name a file");
    }
    String name = source.value().substring(source.value().lastIndexOf('/') + 1);
    return Files.isDirectory(given) ? given.resolve(name) : given;
  }
}
