package dev.ferry.cli;

import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.local.Upload;
import java.nio.file.Path;
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
          + " nothing is left of it. After a lost connection the upload goes on where the server is"
          + " (--retries), if it can; this rest is not compressed. If FILE changes meanwhile, the"
          + " upload begins anew."
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
      Retries retries = server.retries(progress, () -> sent(progress));
      Transfer transfer =
          server.callOnce(
              carrier ->
                  Upload.run(
                      carrier,
                      server::connect,
                      file,
                      target,
                      options,
                      retries,
                      checked -> new UploadCheck(checked, options.create()).require(target)));
      progress.close();
      spec.commandLine()
          .getOut()
          .println(Summary.of(file + " -> " + target, transfer, stopwatch, server.carrier()));
    }
    return 0;
  }

  /** What was sent may not have arrived: only the next connection shows how much is there. */
  private static String sent(ProgressDisplay progress) {
    String percent = progress.percent();
    return percent.isEmpty() ? "" : ", " + percent + " was sent";
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
