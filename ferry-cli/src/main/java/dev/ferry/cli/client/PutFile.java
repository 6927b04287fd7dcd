package dev.ferry.cli.client;

import dev.ferry.cli.client.FailureAdvice.Arrived;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.program.UserFolders;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.RememberedUpload;
import dev.ferry.core.upload.UploadIds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Uploads one file, unless there is a file of that name that is not replaced. */
final class PutFile {
  /**
   * Bytes of a file up to which it is sent without a check. A check takes a round trip, and these
   * bytes take less than that on most networks, even if the server refuses them.
   */
  private static final long SENT_UNCHECKED = 64 * 1024;

  private final ServerCalls server;
  private final OverwriteFlags overwrite;
  private final Path source;
  private final StorePath target;
  private final TransferOptions options;
  private final ProgressDisplay progress;
  private final TransferReport report;
  private boolean remembers = true;
  private boolean unchecked;
  private boolean sentBefore;
  private boolean replaces;

  PutFile(
      ServerCalls server,
      OverwriteFlags overwrite,
      Path source,
      StorePath target,
      TransferOptions options,
      ProgressDisplay progress,
      TransferReport report) {
    this.server = server;
    this.overwrite = overwrite;
    this.source = source;
    this.target = target;
    this.options = options;
    this.progress = progress;
    this.report = report;
    this.replaces = overwrite.force();
  }

  /** Remembers nothing for a later command, which could not send the same bytes. */
  PutFile withoutMemory() {
    remembers = false;
    return this;
  }

  /**
   * Sends the file without a check before.
   *
   * @param before whether it may have been stored by a request that has no response
   */
  PutFile ofTree(boolean before) {
    unchecked = true;
    sentBefore = before;
    return this;
  }

  void run() throws FerryException {
    Stopwatch stopwatch = Stopwatch.start();
    Optional<Transfer> transfer;
    // If the file is refused, it is checked over the same connection.
    try (CarrierPool.Kept unused = server.keepConnections()) {
      transfer =
          server.transfer(
              progress,
              // What was sent may not have arrived: only the next connection shows that.
              "sent",
              () -> Arrived.DISCARDED,
              (carriers, retries) -> Optional.ofNullable(send(carriers, retries)));
    }
    progress.close();
    transfer.ifPresent(done -> report.transferred(done, stopwatch, server.carrier()));
  }

  /** Returns null if the file was reported as not transferred. */
  private @Nullable Transfer send(Carriers carriers, Retries retries) throws FerryException {
    try {
      Transfer unchecked = sendUnchecked(carriers, retries);
      return unchecked == null ? upload(carriers, retries, this::decide) : unchecked;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.ALREADY_EXISTS && !replaces && !options.create().createOnly()) {
        return created();
      }
      throw e;
    }
  }

  /** Returns null if the file has to be checked before it is sent. */
  private @Nullable Transfer sendUnchecked(Carriers carriers, Retries retries)
      throws FerryException {
    if (!unchecked && (server.carrier().needsUploadCheck() || !isSmall())) {
      return null;
    }
    try {
      return upload(carriers, retries, unused -> conditions());
    } catch (FerryException e) {
      if (isAboutTarget(e.kind())) {
        return null;
      }
      throw e;
    }
  }

  private @Nullable Transfer upload(Carriers carriers, Retries retries, Upload.Check check)
      throws FerryException {
    try (RememberedUpload remembered = remembered()) {
      UploadIds ids = remembered == null ? UploadIds.RANDOM : remembered;
      return Upload.run(carriers, source, target, options, retries, check, ids);
    }
  }

  private boolean isSmall() {
    try {
      return Files.size(source) <= SENT_UNCHECKED;
    } catch (IOException e) {
      // The upload will say so.
      return false;
    }
  }

  /**
   * Whether a failure may be due to what the server has, or to what the caller may do there: the
   * check then explains it, or finds that an equal file is there already.
   */
  private static boolean isAboutTarget(ErrorKind kind) {
    return switch (kind) {
      case ALREADY_EXISTS, NOT_FOUND, INVALID_PATH, PERMISSION_DENIED -> true;
      default -> false;
    };
  }

  private CreateOptions conditions() {
    return options.create().withCreateOnly(options.create().createOnly() || !replaces);
  }

  private @Nullable RememberedUpload remembered() {
    Path folder = remembers ? UserFolders.uploads(System.getenv()) : null;
    if (folder == null) {
      return null;
    }
    // An upload that was begun under other conditions keeps those. A record's own text would take
    // a fifth of the time of a short command.
    CreateOptions create = options.create();
    String conditions =
        create.createOnly()
            + " "
            + create.makeParents()
            + " "
            + replaces
            + " "
            + overwrite.noClobber();
    return new RememberedUpload(
        folder,
        List.of(server.key(), target.value(), source.toAbsolutePath().toString(), conditions));
  }

  private @Nullable CreateOptions decide(Carrier carrier) throws FerryException {
    if (sentBefore && options.create().createOnly() && isStored(carrier)) {
      return null;
    }
    FileFacts there =
        new UploadCheck(carrier, options.create(), options.limits(), server.orHidden())
            .require(target);
    if (there != null && !replaces && !mayReplace(carrier)) {
      return null;
    }
    return options.create().withCreateOnly(!replaces);
  }

  /** Another client has created the file meanwhile, or this one may not read it. */
  private @Nullable Transfer created() {
    if (!overwrite.noClobber()) {
      throw OverwriteFlags.exists(target.value(), "exists");
    }
    report.skipped();
    return null;
  }

  /** Whether a request that has no response has stored the file, which is then reported. */
  private boolean isStored(Carrier carrier) throws FerryException {
    FileFacts same = EqualFiles.facts(carrier, target, source, options);
    if (same == null) {
      return false;
    }
    Transfer stored = new Transfer(same, same.size(), server.carrier().toString(), "identity");
    report.transferred(stored, Stopwatch.start(), server.carrier());
    return true;
  }

  private boolean mayReplace(Carrier carrier) throws FerryException {
    if (sentBefore && isStored(carrier)) {
      return false;
    }
    if (!sentBefore && !overwrite.noClobber()) {
      FileFacts same = EqualFiles.facts(carrier, target, source, options);
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
}
