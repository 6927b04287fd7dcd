package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileSink;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
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
          + " compressed."
    })
public final class GetCommand implements Callable<Integer>, StopsOnInterrupt {
  private static final String STANDARD_OUTPUT = "-";

  @Spec private CommandSpec spec;
  @Mixin private ServerOptions server;
  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private OutputFlags output;

  @Parameters(index = "0", paramLabel = "PATH", description = "The file's path on the server.")
  private String path;

  @Parameters(
      index = "1",
      paramLabel = "FILE",
      arity = "0..1",
      description =
          "The local file, or a folder to put it in under its own name; one that ends with '/' is a"
              + " folder (default: the current one). '-' is standard output, as with cat.")
  private @Nullable String file;

  @Option(names = "--parents", description = "Make the folders of FILE that are missing.")
  private boolean parents;

  @Option(
      names = "--streams",
      paramLabel = "N",
      description =
          "Connections that transfer a part of the file each, 1 to "
              + Download.MAX_STREAMS
              + " (default: ${DEFAULT-VALUE}). More than one helps on networks with long round trips"
              + " or losses. There are fewer if the file has less than 1 MiB for each. Not with"
              + " --gzip or --zstd.")
  private int streams = 1;

  @Option(
      names = "--verify-disk",
      description =
          "Force the local file to the disk, read it again and compare its checksum, before it gets"
              + " its name. The system may answer from its memory.")
  private boolean verifyDisk;

  /** Whether a file of that name is replaced. */
  private boolean replaces;

  @SuppressWarnings("NullAway.Init") // picocli injects all that is not nullable
  GetCommand() {}

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public Integer call() throws Exception {
    server.reportTo(output);
    StorePath source = server.filePath(path);
    if (STANDARD_OUTPUT.equals(file)) {
      return print(source);
    }
    Path target = target(source, file == null ? "" : file);
    try (ProgressDisplay progress = output.progress(source.value())) {
      var options = flags.options(progress).withMakeParents(parents).withVerifyDisk(verifyDisk);
      requireStreams(options);
      if (mayWrite(source, target, options, progress)) {
        download(source, target, options, progress);
      }
    }
    return 0;
  }

  private Integer print(StorePath source) throws FerryException {
    if (parents || verifyDisk || streams > 1 || output.json()) {
      throw new ParameterException(
          spec.commandLine(),
          "FILE '-': --parents, --verify-disk, --streams and --json are not for standard output");
    }
    return new OutputStreaming(server, flags, output).write(source);
  }

  /** Decides what is done if there is a file of that name. */
  private boolean mayWrite(
      StorePath source, Path target, TransferOptions options, ProgressDisplay progress)
      throws FerryException {
    replaces = overwrite.force();
    if (replaces || !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return true;
    }
    if (overwrite.noClobber()) {
      report(source, target).skipped();
      return false;
    }
    Optional<FileFacts> same =
        server.call(
            progress,
            options.timeout(),
            carrier -> {
              carrier.limitCalls(options);
              return Optional.ofNullable(
                  EqualFiles.facts(carrier, source, target, options.digest()));
            });
    if (same.isPresent()) {
      report(source, target).unchanged(same.get());
      return false;
    }
    replaces = overwrite.replaces(target.toString());
    if (!replaces) {
      report(source, target).skipped();
    }
    return replaces;
  }

  private TransferReport report(StorePath source, Path target) {
    return new TransferReport(output, source.value(), target.toString());
  }

  private void download(
      StorePath source, Path target, TransferOptions transfer, ProgressDisplay progress)
      throws FerryException {
    TransferOptions options = transfer.withCreateOnly(!replaces);
    requirePlace(target, options);
    Stopwatch stopwatch = Stopwatch.start();
    Retries retries = server.retries(progress, () -> kept(progress));
    Transfer done =
        server.callOnce(
            carrier ->
                Download.run(carrier, server::connect, streams, source, target, options, retries));
    progress.close();
    report(source, target).transferred(done, stopwatch, server.carrier());
  }

  private static String kept(ProgressDisplay progress) {
    String percent = progress.percent();
    return percent.isEmpty() ? "" : ", " + percent + " is there";
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
    String name = source.value().substring(source.value().lastIndexOf('/') + 1);
    Path path = localPath(given);
    return given.endsWith("/") || Files.isDirectory(path) ? path.resolve(name) : path;
  }

  private Path localPath(String given) {
    try {
      return Path.of(given);
    } catch (InvalidPathException e) {
      throw new ParameterException(
          spec.commandLine(), "FILE: " + e.getMessage() + "; try LC_ALL=C.UTF-8", e);
    }
  }

  /**
   * Checks that the target can be created before sending a request. Deletes temporary files that
   * killed processes left in its folder.
   */
  private static void requirePlace(Path target, TransferOptions options) throws FerryException {
    try {
      LocalFileSink.create(target, options.sink()).close();
    } catch (FerryException e) {
      String remedy =
          switch (e.kind()) {
            case NOT_FOUND -> "--parents makes it";
            case PERMISSION_DENIED -> "check the permissions of its folder";
            case OUT_OF_SPACE -> "free some space there";
            default -> "choose another name";
          };
      throw new FerryException(e.kind(), e.getMessage() + "; " + remedy, e);
    }
    Path folder = target.toAbsolutePath().getParent();
    if (folder != null) {
      LocalFileSink.sweep(folder);
    }
  }
}
