package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.program.SpooledInput;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.sync.TreeCopy;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.RecursiveFlag;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.LocalNames;
import dev.ferry.library.internal.FileAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Uploads a local file to a server. */
@Command(
    name = "put",
    description = {
      "Copies files of this machine to a server.",
      "It appears there under its name when it is complete and checked; after a failure or Ctrl-C"
          + " nothing is left of it. A different file of that name is replaced only if you confirm"
          + " it (or by --force), and an equal one is not transferred again. After a lost"
          + " connection the upload resumes where the server stopped (--retries), if possible; the"
          + " rest is not compressed. If FILE changes during the upload, the upload starts again."
          + " If the command is killed, or can no longer reach the server, the same command resumes"
          + " later."
    },
    footer = {
      "",
      "Examples:",
      "  ferry put taxi.csv 2026/",
      "  ferry put -r photos ferrys://files.example.org/photos"
    })
public final class PutCommand extends ServerCommand {
  private static final String STANDARD_INPUT = "-";

  /** An address from which a path has dropped a slash. */
  private static final String ADDRESS_AS_PATH = "^(ferrys?|https?):/(?!/)";

  /** The temporary file of standard input is private, which its copy need not be. */
  private static final int MODE_OF_STANDARD_INPUT = 0666;

  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private RecursiveFlag recursive;
  @Mixin private TreeFlags tree;

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The local file; '-' is standard input. With -r, a folder.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "[FILE...] [PATH]",
      hideParamSyntax = true,
      description =
          "PATH is its path on the server (default: the file's own name). If it is a folder, or ends"
              + " with '/', the file goes in there. With -r, it is the folder for what is in FILE"
              + " (default: its own name). After several files, it is the folder for all of"
              + " them.")
  private List<String> others = List.of();

  @Option(
      names = "--create-only",
      description = "Fail if the server has a file of that name, even an equal one.")
  private boolean createOnly;

  @Option(
      names = "--parents",
      description = "Make the folders of PATH that the server does not have.")
  private boolean parents;

  @Override
  public Integer call() throws Exception {
    server.fitTo(flags);
    boolean force = overwrite.force();
    if (createOnly && force) {
      throw arguments.wrongUse("--create-only and --force: give only one");
    }
    String address = address(file);
    if (address != null) {
      throw arguments.wrongUse(
          address + ": is an address, and FILE is local; name the file before it");
    }
    boolean standardInput = file.toString().equals(STANDARD_INPUT);
    boolean trees = recursive.given(tree);
    if (others.size() > 1) {
      return putSeveral(trees);
    }
    String path = others.isEmpty() ? null : others.get(0);
    if (trees) {
      if (standardInput || !Files.isDirectory(file)) {
        throw arguments.wrongUse(file + ": is not a folder; leave out -r");
      }
      String name = path == null ? ownName(file.toAbsolutePath().normalize()) : path;
      return putTree(file, arguments.directoryPath(name));
    }
    StorePath target = target(path, standardInput);
    if (!standardInput) {
      requireFile(file);
      try {
        put(file, file.toString(), target, true);
      } catch (FolderThere e) {
        if (path == null || path.endsWith("/")) {
          throw e;
        }
        put(file, file.toString(), arguments.filePath(target.child(ownName(file)).value()), true);
      }
      return 0;
    }
    try (SpooledInput input = SpooledInput.read()) {
      put(input.file(), file.toString(), target, false);
    }
    return 0;
  }

  /** Returns the address that a path is meant as, which has dropped a slash; null if it is none. */
  private static @Nullable String address(Path path) {
    String text = path.toString().replaceFirst(ADDRESS_AS_PATH, "$1://");
    return FileAddress.isAddress(text) ? text : null;
  }

  private int putSeveral(boolean trees) throws FerryException {
    String path = others.get(others.size() - 1);
    if (!path.isEmpty() && !path.endsWith("/") && Files.isRegularFile(arguments.localPath(path))) {
      throw arguments.wrongUse(
          path + ": is a local file, and the last argument is the folder on the server; add '/'");
    }
    StorePath folder = arguments.directoryPath(path);
    Map<StorePath, Path> sources = new LinkedHashMap<>();
    List<Path> files = new ArrayList<>(List.of(file));
    others.subList(0, others.size() - 1).forEach(other -> files.add(arguments.localPath(other)));
    for (Path each : files) {
      if (each.toString().equals(STANDARD_INPUT)) {
        throw arguments.wrongUse("FILE '-': takes only one file; leave out the others");
      }
      Path whole = each.toAbsolutePath().normalize();
      Path same = sources.put(arguments.filePath(folder.child(ownName(whole)).value()), each);
      if (same != null) {
        throw arguments.wrongUse(
            same + " and " + each + ": have the same name; copy them one by one");
      }
    }
    boolean made =
        parents || sources.values().stream().allMatch(each -> trees && Files.isDirectory(each));
    try (CarrierPool.Kept unused = server.keepConnections()) {
      if (!made) {
        requireFolder(folder, sources.keySet().iterator().next());
      }
      return MissingNames.each(
          output,
          List.copyOf(sources.entrySet()),
          each ->
              trees && Files.isDirectory(each.getValue())
                  ? putTree(each.getValue(), each.getKey())
                  : putFile(each.getValue(), each.getKey()));
    }
  }

  /**
   * Checks that there is a folder for several files, so that its lack is said once. A server that
   * knows no folders may have the first of the files.
   */
  private void requireFolder(StorePath folder, StorePath first) throws FerryException {
    TransferOptions options = flags.options(TransferOptions.Progress.NONE);
    server.run(
        carrier -> {
          try {
            new UploadCheck(carrier, options.create(), options.limits(), server.orHidden())
                .requireFolder(folder);
          } catch (Refusal e) {
            if (e.kind() != ErrorKind.NOT_FOUND || RemoteNames.facts(carrier, first) == null) {
              throw e;
            }
          }
        });
  }

  private int putFile(Path source, StorePath target) throws FerryException {
    requireFile(source);
    put(source, source.toString(), target, true);
    return 0;
  }

  private int putTree(Path source, StorePath target) throws FerryException {
    TransferOptions options =
        flags.options(TransferOptions.Progress.NONE).withCreateOnly(createOnly);
    TreeTransfers transfers =
        new TreeTransfers(server, overwrite, tree.jobs(), output, options, target.value());
    return new TreeCopy(transfers, tree, output).put(source, target);
  }

  private StorePath target(@Nullable String path, boolean standardInput) {
    String given = path == null ? "" : arguments.path(path);
    boolean folder = given.isEmpty() || given.endsWith("/");
    if (folder && standardInput) {
      throw arguments.wrongUse("FILE '-': standard input has no name; give PATH one");
    }
    return arguments.filePath(folder ? given + ownName(file) : given);
  }

  /** Returns the last name of a local file, which the one of the server gets. */
  private String ownName(Path local) {
    try {
      return LocalNames.segment(local);
    } catch (FerryException e) {
      throw arguments.wrongUse(LocalNames.shown(local) + ": " + e.getMessage() + "; give PATH", e);
    }
  }

  private void put(Path source, String name, StorePath target, boolean remembers)
      throws FerryException {
    TransferReport report = new TransferReport(output, name, target.value());
    try (ProgressDisplay progress = output.progress(target.value())) {
      CreateOptions create =
          new CreateOptions(createOnly, parents)
              .withMode(remembers ? null : (Integer) MODE_OF_STANDARD_INPUT);
      TransferOptions options = flags.options(progress).withCreate(create);
      PutFile put = new PutFile(server, overwrite, source, target, options, progress, report);
      (remembers ? put : put.withoutMemory()).run();
    }
  }

  private static void requireFile(Path file) throws FerryException {
    if (Files.isDirectory(file)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH, file + ": is a folder; add -r to send what is in it");
    }
    try {
      FileSource.open(file).close();
    } catch (FerryException e) {
      String remedy =
          e.kind() == ErrorKind.PERMISSION_DENIED ? "check its permissions" : "name a file to send";
      throw new FerryException(e.kind(), e.getMessage() + "; " + remedy, e);
    }
  }
}
