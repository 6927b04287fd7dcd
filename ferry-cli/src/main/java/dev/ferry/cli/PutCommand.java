package dev.ferry.cli;

import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Uploads a local file to a server. */
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
          "Its path on the server; one that ends with '/' is a folder to put it in (default: the"
              + " file's own name).")
  private @Nullable String path;

  @Option(
      names = "--create-only",
      description = "Fail where the server has a file of that name, instead of replacing it.")
  private boolean createOnly;

  @Option(
      names = "--parents",
      description = "Make the folders of PATH that the server does not have.")
  private boolean parents;

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
      var options = flags.options(progress).withCreateOnly(createOnly).withMakeParents(parents);
      Stopwatch stopwatch = Stopwatch.start();
      Transfer transfer = server.call(carrier -> send(carrier, target, options));
      progress.close();
      spec.commandLine()
          .getOut()
          .println(Summary.of(file + " -> " + target, transfer, stopwatch, server.carrier()));
    }
    return 0;
  }

  private Transfer send(Carrier carrier, StorePath target, TransferOptions options)
      throws FerryException {
    Stopwatch checking = Stopwatch.start();
    carrier.limitCalls(options);
    new UploadCheck(carrier, options.create()).require(target);
    Duration timeout = options.timeout();
    Duration left =
        timeout == null ? null : timeout.minusMillis((long) (1000 * checking.seconds()));
    return carrier.upload(file, target, options.withTimeout(left));
  }

  private void requireFile() throws FerryException {
    try {
      FileSource.open(file).close();
    } catch (FerryException e) {
      String remedy =
          e.kind() == ErrorKind.PERMISSION_DENIED ? "check its permissions" : "name a file to send";
      throw new FerryException(e.kind(), e.getMessage() + "; " + remedy, e);
    }
  }
}
