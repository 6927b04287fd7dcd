package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.Carrier;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Upload;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Uploads a local file to a server. */
@Command(
    name = "put",
    description = {
      "Copies a local file to a server.",
      "It appears there under its name when it is complete and checked; after a failure or Ctrl-C"
          + " nothing is left of it. A different file of that name is replaced only by permission"
          + " (--force), and an equal one is not transferred again. After a lost connection the"
          + " upload goes on where the server is (--retries), if it can; this rest is not"
          + " compressed. If FILE changes meanwhile, the upload begins anew."
    })
public final class PutCommand implements Callable<Integer>, StopsOnInterrupt {
  private static final String STANDARD_INPUT = "-";

  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private OutputFlags output;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The local file; '-' is standard input.")
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
      description = "Fail if the server has a file of that name, even an equal one.")
  private boolean createOnly;

  @Option(
      names = "--parents",
      description = "Make the folders of PATH that the server does not have.")
  private boolean parents;

  /** Whether the user permits to replace the server's file. */
  private boolean replaces;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  PutCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    replaces = overwrite.force();
    if (createOnly && replaces) {
      throw server.wrongUse("--create-only and --force: give one", null);
    }
    boolean standardInput = file.toString().equals(STANDARD_INPUT);
    StorePath target = target(standardInput);
    if (!standardInput) {
      requireFile();
      put(file, target);
      return 0;
    }
    try (SpooledInput input = SpooledInput.read()) {
      put(input.file(), target);
    }
    return 0;
  }

  private StorePath target(boolean standardInput) {
    String given = path == null ? "" : server.path(path);
    boolean folder = given.isEmpty() || given.endsWith("/");
    if (folder && standardInput) {
      throw server.wrongUse("FILE '-': standard input has no name; give PATH one", null);
    }
    return server.filePath(folder ? given + file.getFileName() : given);
  }

  private void put(Path source, StorePath target) throws FerryException {
    TransferReport report = new TransferReport(output, file.toString(), target.value());
    try (ProgressDisplay progress = output.progress(target.value())) {
      var options = flags.options(progress).withCreateOnly(createOnly).withMakeParents(parents);
      Stopwatch stopwatch = Stopwatch.start();
      Retries retries = server.retries(progress, () -> sent(progress));
      Optional<Transfer> transfer =
          server.callOnce(
              carrier ->
                  Optional.ofNullable(send(carrier, source, target, options, retries, report)));
      progress.close();
      transfer.ifPresent(done -> report.transferred(done, stopwatch, server.carrier()));
    }
  }

  /** What was sent may not have arrived: only the next connection shows how much is there. */
  private static String sent(ProgressDisplay progress) {
    String percent = progress.percent();
    return percent.isEmpty() ? "" : ", " + percent + " was sent";
  }

  /** Returns null if the file was reported as not transferred. */
  private @Nullable Transfer send(
      Carrier carrier,
      Path source,
      StorePath target,
      TransferOptions options,
      Retries retries,
      TransferReport report)
      throws FerryException {
    try {
      return Upload.run(
          carrier,
          server::connect,
          source,
          target,
          options,
          retries,
          checked -> decide(checked, source, target, options, report));
    } catch (Refusal e) {
      throw e;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.ALREADY_EXISTS && !replaces && !createOnly) {
        return created(target, report);
      }
      throw e;
    }
  }

  private @Nullable CreateOptions decide(
      Carrier carrier,
      Path source,
      StorePath target,
      TransferOptions options,
      TransferReport report)
      throws FerryException {
    FileFacts there = new UploadCheck(carrier, options.create()).require(target);
    if (there != null && !replaces && !mayReplace(carrier, source, target, options, report)) {
      return null;
    }
    return options.create().withCreateOnly(!replaces);
  }

  /** Another client has created the file meanwhile, or this one may not read it. */
  private @Nullable Transfer created(StorePath target, TransferReport report) {
    if (!overwrite.noClobber()) {
      throw OverwriteFlags.exists(target.value(), "exists");
    }
    report.skipped();
    return null;
  }

  private boolean mayReplace(
      Carrier carrier,
      Path source,
      StorePath target,
      TransferOptions options,
      TransferReport report)
      throws FerryException {
    if (!overwrite.noClobber()) {
      FileFacts same = EqualFiles.facts(carrier, target, source, options.digest());
      if (same != null) {
        report.unchanged(same);
        return false;
      }
    }
    replaces = overwrite.replaces(target.value());
    if (!replaces) {
      report.skipped();
    }
    return replaces;
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
