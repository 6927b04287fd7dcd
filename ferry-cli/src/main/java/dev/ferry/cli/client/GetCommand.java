package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.sync.TreeCopy;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.RecursiveFlag;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.library.internal.FileAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Downloads a file of a server. */
@Command(
    name = "get",
    description = {
      "Copies files of a server to this machine.",
      "The local file appears under its name when it is complete and checked. A different file of"
          + " that name is replaced only if you confirm it (or by --force), and an equal one is not"
          + " transferred again. After a lost connection the download resumes where it stopped"
          + " (--retries). After Ctrl-C, or if the server stays away, the received part of a file"
          + " of 8 MiB or more is kept under a hidden name for a week, and the same command resumes"
          + " from there, unless --discard is given."
    },
    footer = {
      "",
      "Examples:",
      "  ferry get 2026/taxi.csv",
      "  ferry get -r ferry://files.example.org/2026 copy --include '*.csv'"
    })
public final class GetCommand extends ServerCommand {
  private static final String STANDARD_OUTPUT = "-";

  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private RecursiveFlag recursive;
  @Mixin private TreeFlags tree;

  @Parameters(
      index = "0",
      paramLabel = "PATH",
      description =
          "The file's path on the server; with -r, that of a folder. A quoted pattern such as"
              + " '2026/*.csv' selects all files that match it.")
  private String path;

  @Parameters(
      index = "1..*",
      paramLabel = "[PATH...] [FILE]",
      hideParamSyntax = true,
      description =
          "FILE is the local file, or a folder to put it in under its own name; one that ends with"
              + " '/' is a folder (default: the current one). '-' is standard output, as with cat."
              + " With -r, the folder for what is in PATH (default: its last name). After several"
              + " paths, or a pattern, it is the folder for all of them.")
  private List<String> others = List.of();

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
      names = "--discard",
      description =
          "Keep nothing of an incomplete file, and start from its first byte, even if an earlier"
              + " command kept a part of it.")
  private boolean discard;

  @Option(
      names = "--verify-disk",
      description =
          "Before the local file gets its name, force it to the disk, read it again and compare its"
              + " checksum. The system may read it from its cache.")
  private boolean verifyDisk;

  @Override
  public Integer call() throws Exception {
    server.fitTo(flags);
    boolean trees = recursive.given(tree);
    String file = others.isEmpty() ? null : others.get(others.size() - 1);
    if (file != null && FileAddress.isAddress(file)) {
      throw arguments.wrongUse(
          file + ": is an address, and FILE is local; add '.' for the current folder");
    }
    RemoteNames names = new RemoteNames(server);
    StorePath source = others.size() > 1 ? null : names.name(path);
    if (source == null) {
      return getSeveral(names, file, trees);
    }
    if (trees) {
      return getTree(source, file);
    }
    if (path.endsWith("/") && !source.equals(StorePath.ROOT)) {
      throw arguments.wrongUse(path + ": is a folder; add -r to copy what is in it");
    }
    StorePath unused = arguments.filePath(path); // Refuses the root.
    if (STANDARD_OUTPUT.equals(file)) {
      return print(source);
    }
    return getFile(source, target(source, file));
  }

  private int getSeveral(RemoteNames names, @Nullable String file, boolean trees)
      throws FerryException {
    if (STANDARD_OUTPUT.equals(file)) {
      throw arguments.wrongUse("FILE '-': takes only one file; 'ferry cat' takes several");
    }
    List<String> sources = new ArrayList<>(List.of(path));
    sources.addAll(others.subList(0, Math.max(0, others.size() - 1)));
    sources.forEach(arguments::nonRootPath);
    try (CarrierPool.Kept unused = server.keepConnections()) {
      List<RemoteNames.Named> all = names.of(sources);
      Path folder = localPath(file);
      names.requireOwnNames(all);
      requireFolder(folder);
      return MissingNames.each(
          output,
          all,
          named -> {
            named.require();
            Path target = folder.resolve(named.path().name());
            return trees && named.isFolder(server)
                ? getTree(named.path(), target)
                : getFile(named.path(), target);
          });
    }
  }

  /** Checks that there is a folder for several files, or that it is to be made. */
  private void requireFolder(Path folder) {
    if (Files.isDirectory(folder) || parents) {
      return;
    }
    throw Files.exists(folder)
        ? new Refusal(
            ErrorKind.ALREADY_EXISTS,
            folder + ": is a file, and the last argument is the folder for several files")
        : new Refusal(ErrorKind.NOT_FOUND, folder + ": no such folder; --parents makes it");
  }

  private int getFile(StorePath source, Path target) throws FerryException {
    try (ProgressDisplay progress = output.progress(source.value())) {
      var options = flags.options(progress).withMakeParents(parents).withVerifyDisk(verifyDisk);
      requireStreams(options);
      TransferReport report = new TransferReport(output, source.value(), target.toString());
      new GetFile(
              server, overwrite, true, streams, discard, source, target, options, progress, report)
          .run();
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_PATH
          && new RemoteNames.Named(source, null).isFolder(server)) {
        throw new Refusal(e.kind(), source + ": is a folder; add -r to copy what is in it");
      }
      throw e;
    }
    return 0;
  }

  private int getTree(StorePath source, @Nullable String file) throws FerryException {
    if (STANDARD_OUTPUT.equals(file) || streams > 1) {
      throw arguments.wrongUse("-r: not with --streams, and not to standard output");
    }
    boolean root = source.equals(StorePath.ROOT);
    return getTree(source, localPath(file == null && !root ? source.name() : file));
  }

  private int getTree(StorePath source, Path target) throws FerryException {
    TransferOptions options =
        flags.options(TransferOptions.Progress.NONE).withVerifyDisk(verifyDisk);
    TreeTransfers transfers =
        new TreeTransfers(server, overwrite, tree.jobs(), output, options, target.toString());
    if (discard) {
      transfers.discardArrived();
    }
    return new TreeCopy(transfers, tree, output).get(source, target);
  }

  private int print(StorePath source) throws FerryException {
    if (parents || verifyDisk || streams > 1 || output.json()) {
      throw arguments.wrongUse(
          "FILE '-': --parents, --verify-disk, --streams and --json are not for standard output");
    }
    return new OutputStreaming(server, flags, output).write(source);
  }

  private void requireStreams(TransferOptions options) {
    if (streams < 1 || streams > Download.MAX_STREAMS) {
      throw arguments.wrongUse(
          "--streams: %d is not from 1 to %d".formatted(streams, Download.MAX_STREAMS));
    }
    if (streams > 1 && options.compression() != null) {
      throw arguments.wrongUse(
          "--streams: parts of a file are not compressed; leave out --gzip and --zstd");
    }
  }

  private Path target(StorePath source, @Nullable String given) {
    Path path = localPath(given);
    boolean folder = (given != null && given.endsWith("/")) || Files.isDirectory(path);
    return folder ? path.resolve(source.name()) : path;
  }

  /**
   * @param given null for the current folder
   */
  private Path localPath(@Nullable String given) {
    return given == null ? Path.of("") : arguments.localPath(given);
  }
}
