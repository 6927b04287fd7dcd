package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.SpooledInput;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.sync.TreeCopy;
import dev.ferry.cli.tree.RecursiveFlag;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.LocalNames;
import java.nio.file.Files;
import java.nio.file.Path;
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
          + " compressed. If FILE changes meanwhile, the upload begins anew. If the command is killed,"
          + " or cannot reach the server any more, the same command goes on later."
    })
public final class PutCommand implements Callable<Integer>, StopsOnInterrupt {
  private static final String STANDARD_INPUT = "-";

  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private RecursiveFlag recursive;
  @Mixin private TreeFlags tree;
  @Mixin private OutputFlags output;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The local file; '-' is standard input. With -r, a folder.")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "PATH",
      arity = "0..1",
      description =
          "Its path on the server; one that ends with '/' is a folder to put it in (default: the"
              + " file's own name). With -r, the folder for what is in FILE (default: its own name).")
  private @Nullable String path;

  @Option(
      names = "--create-only",
      description = "Fail if the server has a file of that name, even an equal one.")
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
    server.reportTo(output);
    server.limitTo(flags.rateLimit());
    boolean force = overwrite.force();
    if (createOnly && force) {
      throw server.wrongUse("--create-only and --force: give one", null);
    }
    boolean standardInput = file.toString().equals(STANDARD_INPUT);
    if (recursive.given(tree)) {
      return putTree(standardInput);
    }
    StorePath target = target(standardInput);
    if (!standardInput) {
      requireFile();
      put(file, target, true);
      return 0;
    }
    try (SpooledInput input = SpooledInput.read()) {
      put(input.file(), target, false);
    }
    return 0;
  }

  private int putTree(boolean standardInput) throws FerryException {
    if (standardInput || !Files.isDirectory(file)) {
      throw server.wrongUse(file + ": is no folder; leave out -r", null);
    }
    String name = ownName(file.toAbsolutePath().normalize());
    StorePath target = server.directoryPath(path == null ? name : path);
    TransferOptions options =
        flags.options(TransferOptions.Progress.NONE).withCreateOnly(createOnly);
    TreeTransfers transfers =
        new TreeTransfers(server, overwrite, tree, output, options, target.value());
    return new TreeCopy(transfers, tree, output).put(file, target);
  }

  private StorePath target(boolean standardInput) {
    String given = path == null ? "" : server.path(path);
    boolean folder = given.isEmpty() || given.endsWith("/");
    if (folder && standardInput) {
      throw server.wrongUse("FILE '-': standard input has no name; give PATH one", null);
    }
    return server.filePath(folder ? given + ownName(file) : given);
  }

  /** Returns the last name of a local file, which the one of the server gets. */
  private String ownName(Path local) {
    try {
      return LocalNames.segment(local);
    } catch (FerryException e) {
      throw server.wrongUse(LocalNames.shown(local) + ": " + e.getMessage() + "; give PATH", e);
    }
  }

  private void put(Path source, StorePath target, boolean remembers) throws FerryException {
    TransferReport report = new TransferReport(output, file.toString(), target.value());
    try (ProgressDisplay progress = output.progress(target.value())) {
      var options = flags.options(progress).withCreateOnly(createOnly).withMakeParents(parents);
      PutFile put = new PutFile(server, overwrite, source, target, options, progress, report);
      (remembers ? put : put.withoutMemory()).run();
    }
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
