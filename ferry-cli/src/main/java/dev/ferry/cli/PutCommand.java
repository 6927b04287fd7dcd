package dev.ferry.cli;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Copies a local file to a server. */
@Command(
    name = "put",
    description = {
      "Copies a local file to a server.",
      "It appears there under its name when it is complete and checked; after a failure or Ctrl-C"
          + " nothing is left of it."
    })
final class PutCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;

  @Parameters(index = "0", paramLabel = "FILE", description = "The local file.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "PATH",
      arity = "0..1",
      description =
          "Its path on the server; one that ends with '/' is a directory to put it in (default: the"
              + " file's own name).")
  private @Nullable String path;

  @Option(
      names = "--create-only",
      description = "Fail where the server has a file of that name, instead of replacing it.")
  private boolean createOnly;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  PutCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    requireFile();
    String given = path == null ? "" : path;
    StorePath target =
        server.filePath(
            given.isEmpty() || given.endsWith("/") ? given + file.getFileName() : given);
    try (ProgressDisplay progress = ProgressDisplay.open(spec, target.value())) {
      var options = flags.options(progress).withCreateOnly(createOnly);
      Stopwatch stopwatch = Stopwatch.start();
      Transfer transfer = server.call(carrier -> carrier.upload(file, target, options));
      progress.close();
      spec.commandLine()
          .getOut()
          .println(Summary.of(file + " -> " + target, transfer, stopwatch, server.carrier()));
    }
    return 0;
  }

  private void requireFile() throws FerryException {
    if (Files.isDirectory(file)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH, file + ": is a directory; name a file to send");
    }
    if (!Files.exists(file)) {
      throw new FerryException(ErrorKind.NOT_FOUND, file + ": no such file; name one to send");
    }
    if (!Files.isReadable(file)) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED, file + ": cannot be read; check its permissions");
    }
  }
}
