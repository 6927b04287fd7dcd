package dev.ferry.cli.client;

import dev.ferry.cli.client.FailureAdvice.Arrived;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.UserFolders;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.RememberedDownload;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Downloads one file, unless there is a file of that name that is not replaced.
 *
 * @param checksPlace whether to check before the first request that the target can be created, and
 *     to delete what killed processes left beside it
 * @param streams connections that transfer a part of the file each
 * @param discards whether to keep nothing for a later command, and not to go on with what an
 *     earlier one kept
 */
record GetFile(
    ServerCalls server,
    OverwriteFlags overwrite,
    boolean checksPlace,
    int streams,
    boolean discards,
    StorePath source,
    Path target,
    TransferOptions options,
    ProgressDisplay progress,
    TransferReport report) {
  void run() throws FerryException {
    if (overwrite.force() || !Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      download(overwrite.force());
    } else if (isOther()) {
      // No option replaces it.
      requirePlace(options);
    } else if (overwrite.noClobber()) {
      report.skipped();
    } else if (!isUnchanged()) {
      if (overwrite.replaces(target.toString())) {
        download(true);
      } else {
        report.skipped();
      }
    }
  }

  /** Whether the target is a device, a named pipe, a socket or a folder. */
  private boolean isOther() {
    boolean left = overwrite.noClobber() && Files.isDirectory(target);
    return Files.exists(target) && !Files.isRegularFile(target) && !left;
  }

  private boolean isUnchanged() throws FerryException {
    Optional<FileFacts> same =
        server.call(
            progress,
            options.timeout(),
            carrier ->
                Optional.ofNullable(EqualFiles.factsOfReadable(carrier, source, target, options)));
    same.ifPresent(report::unchanged);
    return same.isPresent();
  }

  private void download(boolean replaces) throws FerryException {
    TransferOptions conditions = options.withCreateOnly(!replaces);
    if (checksPlace) {
      requirePlace(conditions);
    }
    Stopwatch stopwatch = Stopwatch.start();
    Transfer done = receive(conditions);
    progress.close();
    report.transferred(done, stopwatch, server.carrier());
  }

  private Transfer receive(TransferOptions conditions) throws FerryException {
    // Before anything is forgotten.
    Retries unused = server.arguments().options().retries();
    try (RememberedDownload memory = memory()) {
      return server.transfer(
          progress,
          "received",
          () -> memory.remembers() ? Arrived.KEPT : Arrived.DISCARDED,
          (carriers, retries) ->
              Download.run(carriers, streams, source, target, conditions, retries, memory));
    }
  }

  private RememberedDownload memory() {
    RememberedDownload memory = memory(UserFolders.downloads(System.getenv()));
    if (!discards) {
      return memory;
    }
    try (memory) {
      memory.forget();
    }
    return memory(null);
  }

  /**
   * @param folder null to remember nothing
   */
  private RememberedDownload memory(@Nullable Path folder) {
    return new RememberedDownload(folder, server.key(), source, target);
  }

  /**
   * Checks that the target can be created before sending a request. Deletes temporary files that
   * killed processes left in its folder.
   */
  private void requirePlace(TransferOptions conditions) throws FerryException {
    try {
      LocalFileSink.create(target, conditions.sink()).close();
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
