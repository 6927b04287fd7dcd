package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.sync.TreeCopy;
import dev.ferry.cli.tree.RecursiveFlag;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Downloads a file of a server. */
@Command(
    name = "get",
    description = {
      "Copies a file of a server to a local one.",
      "The local file appears under its name when it is complete and checked; after a failure or"
          + " Ctrl-C nothing is left of it. A different file of that name is replaced only by"
          + " permission (--force), and an equal one is not transferred again. After a lost connection the"
          + " download goes on where it was (--retries), if the file has not changed; this rest is not"
          + " compressed. If the server stays away, or the command is killed, the same command goes on"
          + " with what has arrived of a file of 8 MiB or more."
    })
public final class GetCommand implements Callable<Integer>, StopsOnInterrupt {
  private static final String STANDARD_OUTPUT = "-";

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private RecursiveFlag recursive;
  @Mixin private TreeFlags tree;
  @Mixin private OutputFlags output;

  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description = "The file's path on the server; with -r, that of a folder.")
  private String path;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "The local file, or a folder to put it in under its own name; one that ends with '/' is a"
              + " folder (default: the current one). '-' is standard output, as with cat. With -r,"
              + " the folder for what is in PATH (default: its last name).")
  private @Nullable String file;

  @Option(names = "--parents", description = "Make the folders of FILE that are missing.")
  private boolean parents;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description =
          "Connections that transfer a part of the file each, 1 to "
              + Download.MAX_STREAMS
              + " (default: ${DEFAULT-VALUE}). One fills a network without losses; 4 are faster on"
              + " one with losses. There are fewer if the file has less than 1 MiB for each. Not with"
              + " --gzip or --zstd.")
  private int streams = 1;

  @Option(
      names = "--verify-disk",
      description =
          "Force the local file to the disk, read it again and compare its checksum, before it gets"
              + " its name. The system may answer from its memory.")
  private boolean verifyDisk;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  GetCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    server.limitTo(flags.rateLimit());
    if (recursive.given(tree)) {
      return getTree();
    }
    StorePath source = server.filePath(path);
    if (STANDARD_OUTPUT.equals(file)) {
      return print(source);
    }
    Path target = target(source, file == null ? "" : file);
    try (ProgressDisplay progress = output.progress(source.value())) {
      var options = flags.options(progress).withMakeParents(parents).withVerifyDisk(verifyDisk);
      requireStreams(options);
      TransferReport report = new TransferReport(output, source.value(), target.toString());
      new GetFile(server, overwrite, true, streams, source, target, null, options, progress, report)
          .run();
    }
    return 0;
  }

  private int getTree() throws FerryException {
    if (STANDARD_OUTPUT.equals(file) || streams > 1) {
      throw server.wrongUse("-r: not with --streams, and not to standard output", null);
    }
    StorePath source = server.directoryPath(path);
    Path target = localPath(file == null ? source.name() : file);
    TransferOptions options =
        flags.options(TransferOptions.Progress.NONE).withVerifyDisk(verifyDisk);
    TreeTransfers transfers =
        new TreeTransfers(server, overwrite, tree, output, options, target.toString());
    return new TreeCopy(transfers, tree, output).get(source, target);
  }

  private Integer print(StorePath source) throws FerryException {
    if (parents || verifyDisk || streams > 1 || output.json()) {
      throw new ParameterException(
          spec.commandLine(),
          "FILE '-': --parents, --verify-disk, --streams and --json are not for standard output");
    }
    return new OutputStreaming(server, flags, output).write(source);
  }

  private void requireStreams(TransferOptions options) {
    if (streams < 1 || streams > Download.MAX_STREAMS) {
      throw new ParameterException(
          spec.commandLine(),
          "--streams: %d is not from 1 to %d".formatted(streams, Download.MAX_STREAMS));
    }
    if (streams > 1 && options.compression() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--streams: parts of a file are not compressed; leave out --gzip and --zstd");
    }
  }

  private Path target(StorePath source, String given) {
    Path path = localPath(given);
    return given.endsWith("/") || Files.isDirectory(path) ? path.resolve(source.name()) : path;
  }

  private Path localPath(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          spec.commandLine(), "FILE: " + e.getMessage() + "; try LC_ALL=C.UTF-8", e);
    }
  }
}
