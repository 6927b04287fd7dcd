package dev.ferry.cli.client;

import dev.ferry.cli.client.RemoteNames.Named;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.sync.TreeCopy;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.RecursiveFlag;
import dev.ferry.cli.tree.TreeFlags;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.LostResponse;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.library.internal.FileAddress;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies files from one server to another. */
@Command(
    name = "cp",
    description = {
      "Copies files from one server to another.",
      "Both are addresses, such as ferry://HOST/PATH or http://HOST/files/PATH. Data from one"
          + " server is sent on to the other at once, and nothing is stored here. The second server"
          + " verifies the checksum that the first one reports. A different file of that name is"
          + " replaced only if you confirm it (or by --force), and an equal one is not transferred"
          + " again. After a lost connection the file starts again from its first byte (--retries)."
    },
    footer = {
      "",
      "Examples:",
      "  ferry cp ferry://a.example.org/taxi.csv ferry://b.example.org/",
      "  ferry cp -r ferry://a.example.org/2026 http://b.example.org/files/2026"
    })
public final class CopyCommand extends ServerCommand {
  @Mixin private SecondServer second;
  @Mixin private TransferFlags flags;
  @Mixin private OverwriteFlags overwrite;
  @Mixin private RecursiveFlag recursive;
  @Mixin private TreeFlags tree;

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description =
          "The address of a file; with -r, that of a folder. A quoted pattern such as"
              + " 'ferry://HOST/2026/*.csv' selects all files that match it.")
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description =
          "Its new address, or that of a folder to put it in; with -r, it is the"
              + " folder for what is in SOURCE. After a pattern, it is the folder for all files.")
  private String target;

  @Option(names = "--parents", description = "Make the folders of TARGET that are missing.")
  private boolean parents;

  @Override
  public Integer call() throws Exception {
    server.fitTo(flags);
    if (!FileAddress.isAddress(source) || !FileAddress.isAddress(target)) {
      throw arguments.wrongUse(
          "SOURCE and TARGET are addresses such as ferry://HOST/PATH; get and put are for local"
              + " files, and mv for names of one server");
    }
    boolean trees = recursive.given(tree);
    StorePath unusedPath = arguments.directoryPath(source);
    ServerCalls other = other(second, target);
    other.fitTo(flags);
    StorePath into = other.arguments().directoryPath(target);
    try (CarrierPool.Kept unused = server.keepConnections();
        CarrierPool.Kept unusedToo = other.keepConnections()) {
      RemoteNames names = new RemoteNames(server);
      StorePath from = names.name(source);
      if (from != null) {
        boolean inside = !trees && (target.endsWith("/") || into.equals(StorePath.ROOT));
        if (trees || inside) {
          return copy(other, from, inside ? into.child(from.name()) : into, trees);
        }
        try {
          return copy(other, from, into, false);
        } catch (FolderThere e) {
          return copy(other, from, into.child(from.name()), false);
        }
      }
      List<Named> all = names.of(List.of(source));
      names.requireOwnNames(all);
      return MissingNames.each(
          output,
          all,
          named -> {
            named.require();
            return copy(
                other,
                named.path(),
                into.child(named.path().name()),
                trees && named.isFolder(server));
          });
    }
  }

  private int copy(ServerCalls other, StorePath from, StorePath into, boolean trees)
      throws FerryException {
    if (trees) {
      return copyTree(other, from, into);
    }
    copyFile(other, from, into);
    return 0;
  }

  private void copyFile(ServerCalls other, StorePath from, StorePath into) throws FerryException {
    try (ProgressDisplay progress = output.progress(into.value())) {
      TransferOptions options = flags.options(progress).withMakeParents(parents);
      copyFile(
          other, from, into, options, progress, new TransferReport(output, from + "", into + ""));
    }
  }

  private int copyTree(ServerCalls other, StorePath from, StorePath into) throws FerryException {
    if (into.isWithin(from) && !into.equals(from) && arguments.isSameServer(other.arguments())) {
      // What is copied would be listed, and copied again, deeper and deeper.
      throw new Refusal(
          ErrorKind.INVALID_PATH,
          "%s/: is in %s/, which cannot be copied into itself; choose a folder outside it"
              .formatted(into, from));
    }
    TransferOptions options = flags.options(TransferOptions.Progress.NONE).withMakeParents(true);
    TreeTransfers written =
        new TreeTransfers(other, overwrite, tree.jobs(), output, options, into.value());
    try (TreeTransfers read =
        new TreeTransfers(server, overwrite, tree.jobs(), output, options, from.value())) {
      return new TreeCopy(written, tree, output)
          .across(
              read,
              from,
              into,
              (stored, copy, folderMode) -> {
                try (ProgressDisplay shown = written.shown(copy)) {
                  TransferReport report =
                      new TransferReport(output, stored.value(), copy.value(), written.totals());
                  TransferOptions each =
                      options
                          .withProgress(shown)
                          .withCreate(options.create().withFolderMode(folderMode));
                  copyFile(other, stored, copy, each, shown, report);
                }
              });
    }
  }

  private void copyFile(
      ServerCalls other,
      StorePath from,
      StorePath into,
      TransferOptions options,
      ProgressDisplay shown,
      TransferReport report)
      throws FerryException {
    Digest.Algorithm algorithm = options.digest();
    FileFacts there = other.facts(into);
    boolean compares = there != null && !overwrite.force() && !overwrite.noClobber();
    // To compare the files, both servers read theirs in any case.
    FileFacts found = stat(from, compares ? null : algorithm);
    if (found.directory()) {
      throw new Refusal(
          ErrorKind.INVALID_PATH, from + ": is a folder; add -r to copy what is in it");
    }
    if (there != null && there.directory()) {
      throw new FolderThere(into);
    }
    if (there != null && compares && there.size() == found.size()) {
      FileFacts same = same(other, from, into, found.size(), algorithm);
      if (same != null) {
        report.unchanged(same);
        return;
      }
    }
    if (there != null && !overwrite.replaces(into.value())) {
      report.skipped();
      return;
    }
    FileFacts facts = compares ? stat(from, algorithm) : found;
    if (algorithm != null) {
      Digest unused = algorithm.requireGiven(facts.digest(algorithm), from.value());
    }
    // One that may not be seen, or that appears meanwhile, is replaced by force, too.
    boolean replaces = overwrite.force() || there != null;
    Stopwatch stopwatch = Stopwatch.start();
    TransferOptions upload = options.withCreateOnly(!replaces);
    Transfer done;
    try {
      done = send(other, from, into, facts, upload, shown);
    } catch (FerryException e) {
      FileFacts now =
          e.kind() != ErrorKind.DIGEST_MISMATCH || algorithm == null
              ? facts
              : readNow(server, from, facts.size(), algorithm);
      if (algorithm == null || Objects.equals(now.digest(algorithm), facts.digest(algorithm))) {
        throw e;
      }
      // The first server remembered the digest of other bytes.
      done = send(other, from, into, now, upload, shown);
    }
    shown.close();
    report.transferred(done, stopwatch, other.carrier());
  }

  private FileFacts stat(StorePath path, Digest.@Nullable Algorithm algorithm)
      throws FerryException {
    return server.call(carrier -> carrier.stat(path, algorithm, CallLimits.DEFAULT));
  }

  private static FileFacts readNow(
      ServerCalls server, StorePath path, long size, Digest.Algorithm algorithm)
      throws FerryException {
    return server.call(carrier -> carrier.readNow(path, size, algorithm, CallLimits.DEFAULT));
  }

  /**
   * @param facts of the file, with the digest that the second server compares
   */
  private Transfer send(
      ServerCalls other,
      StorePath from,
      StorePath into,
      FileFacts facts,
      TransferOptions options,
      ProgressDisplay shown)
      throws FerryException {
    LostResponse lost = new LostResponse();
    return other.call(
        shown,
        options.timeout(),
        sending ->
            server.once(
                receiving ->
                    lost.send(
                        () -> {
                          try (RemoteSource arriving =
                              new RemoteSource(receiving, from, facts, options)) {
                            return sending.upload(arriving, into, options);
                          }
                        },
                        ErrorKind.ALREADY_EXISTS,
                        () -> stored(sending, into, facts, other))));
  }

  /** Returns the transfer of the second server's file if it is what was sent. */
  private static Optional<Transfer> stored(
      Carrier carrier, StorePath path, FileFacts sent, ServerCalls server) throws FerryException {
    for (Digest digest : sent.digests()) {
      FileFacts there = EqualFiles.facts(carrier, path, sent.size(), digest, CallLimits.DEFAULT);
      if (there != null) {
        return Optional.of(
            new Transfer(there, there.size(), server.carrier().toString(), "identity"));
      }
    }
    return Optional.empty();
  }

  /** Has both servers read their file of this size; returns null if the files differ. */
  private @Nullable FileFacts same(
      ServerCalls other,
      StorePath from,
      StorePath into,
      long size,
      Digest.@Nullable Algorithm chosen)
      throws FerryException {
    Digest.Algorithm algorithm = chosen == null ? Digest.Algorithm.CRC32C : chosen;
    FileFacts now = readNow(server, from, size, algorithm);
    Digest digest = algorithm.requireGiven(now.digest(algorithm), from.value());
    return digest.equals(readNow(other, into, size, algorithm).digest(algorithm)) ? now : null;
  }
}
