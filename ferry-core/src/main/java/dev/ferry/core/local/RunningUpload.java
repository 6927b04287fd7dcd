package dev.ferry.core.local;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.LostResponse;
import dev.ferry.core.internal.TimeLeft;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.core.upload.UploadStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The attempts of an {@link Upload}. One thread at a time. */
final class RunningUpload {
  /** Time for the request to discard what has arrived. The command is over otherwise. */
  private static final Duration GOOD_BYE = Duration.ofSeconds(5);

  private final Path source;
  private final StorePath path;
  private TransferOptions options;
  private final Upload.Check check;
  private final UploadIds ids;
  private final TimeLeft left;

  /** The facts of the local file when the upload began. */
  private @Nullable FileFacts local;

  private UploadPart part = UploadPart.first(-1);

  /** Whether an earlier process may have begun the upload, which the server has to say. */
  private boolean remembered;

  /** What an earlier process has sent of the upload. */
  private long resumedAt;

  private final LostResponse lost = new LostResponse();

  /** Uploads of a former content of the file, and those that the server did not know in time. */
  private final List<UploadId> outdated = new ArrayList<>();

  private boolean progressed;

  RunningUpload(
      Path source, StorePath path, TransferOptions options, Upload.Check check, UploadIds ids) {
    this.source = source;
    this.path = path;
    this.options = options;
    this.check = check;
    this.ids = ids;
    this.left = new TimeLeft(options.timeout());
  }

  /**
   * Sends the file, or the rest of it.
   *
   * @return null if the check decides so
   */
  @Nullable Transfer attempt(Carrier carrier) throws FerryException {
    progressed = false;
    discardOutdated(carrier);
    Transfer transfer = attemptOnce(carrier);
    discardOutdated(carrier);
    return transfer;
  }

  private @Nullable Transfer attemptOnce(Carrier carrier) throws FerryException {
    requireUnchanged();
    if (lost.isPossible()) {
      FileFacts stored = goOn(carrier);
      if (stored != null) {
        return arrived(stored);
      }
    }
    if (part.offset() == 0) {
      CreateOptions decided = check.decide(carrier);
      if (decided == null) {
        return null;
      }
      options = options.withCreate(decided);
    }
    if (remembered) {
      goOnWithRemembered(carrier);
    }
    return send(carrier);
  }

  private Transfer send(Carrier carrier) throws FerryException {
    try {
      return lost.send(
          () -> {
            Transfer rest =
                carrier.upload(source, path, options.withUpload(part).withTimeout(left.get()));
            return new Transfer(
                rest.facts(),
                part.offset() - resumedAt + rest.wireBytes(),
                rest.protocol(),
                rest.encoding(),
                resumedAt);
          },
          ErrorKind.ALREADY_EXISTS,
          () -> {
            // The server may have finished the upload before this one only now.
            return Optional.ofNullable(EqualFiles.facts(carrier, path, source, options))
                .map(this::arrived);
          });
    } catch (FerryException e) {
      if (e.outage() == null) {
        // Whoever has given up, the server may keep a part.
        lost.setPossible();
      }
      // The server may still receive what an earlier attempt has sent. It is asked again where the
      // upload goes on.
      throw e.kind() == ErrorKind.OFFSET_MISMATCH ? e.withRetryAfter(Duration.ZERO) : e;
    }
  }

  private void requireUnchanged() throws FerryException {
    FileFacts now;
    try (FileSource file = FileSource.open(source)) {
      now = file.facts();
    }
    FileFacts before = local;
    if (before == null) {
      local = now;
      UploadId known = ids.remembered(now);
      remembered = known != null;
      part = new UploadPart(known == null ? ids.create(now) : known, 0, now.size());
    } else if (!Objects.equals(now.version(), before.version())) {
      throw new FerryException(ErrorKind.FILE_CHANGED, source + ": changed while it was uploaded");
    }
  }

  /**
   * Finds out how far the server is with an upload of an earlier process. If it is complete, its
   * file was replaced or deleted since, or is to be replaced now: the upload begins anew.
   */
  private void goOnWithRemembered(Carrier carrier) throws FerryException {
    UploadStatus status = statusOrNull(carrier);
    remembered = false;
    if (status == null || status.complete() != null) {
      part = fresh();
      return;
    }
    lost.setPossible();
    part = new UploadPart(part.id(), status.received(), part.size());
    resumedAt = part.offset();
  }

  /** Returns null if the server does not know the upload, or cannot continue any. */
  private @Nullable UploadStatus statusOrNull(Carrier carrier) throws FerryException {
    try {
      return carrier.uploadStatus(part.id(), options.limits());
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.NOT_FOUND && e.kind() != ErrorKind.INVALID_REQUEST) {
        throw e;
      }
      if (lost.isPossible() && e.kind() == ErrorKind.NOT_FOUND) {
        // The server may begin it later, if a request is still under way.
        outdated.add(part.id());
      }
      return null;
    }
  }

  private UploadPart fresh() {
    resumedAt = 0;
    FileFacts file = local;
    UploadId id = file == null ? UploadId.random() : ids.create(file);
    return new UploadPart(id, 0, part.size());
  }

  /**
   * Finds out how far the server is.
   *
   * @return the facts of the server's file if it is complete; null if something is to be sent
   */
  private @Nullable FileFacts goOn(Carrier carrier) throws FerryException {
    UploadStatus status = statusOrNull(carrier);
    if (status == null) {
      part = fresh();
      return EqualFiles.facts(carrier, path, source, options);
    }
    FileFacts complete = status.complete();
    if (complete != null) {
      return complete.compared(options.digest());
    }
    progressed = status.received() > part.offset();
    part = new UploadPart(part.id(), status.received(), part.size());
    resumedAt = Math.min(resumedAt, part.offset());
    return null;
  }

  private Transfer arrived(FileFacts stored) {
    options.progress().update(stored.size(), stored.size());
    return new Transfer(stored, stored.size() - resumedAt, "unknown", "unknown", resumedAt);
  }

  /** Returns whether the last attempt found more bytes at the server than the one before. */
  boolean progressed() {
    return progressed;
  }

  /** Decides whether another attempt follows a failure at once. */
  boolean beginsAnew(FerryException failure) {
    boolean rest = part.offset() > 0;
    boolean anew =
        switch (failure.kind()) {
          case FILE_CHANGED -> true;
          // The server has lost, or not stored well, what had arrived before.
          case NOT_FOUND, DIGEST_MISMATCH, INCOMPLETE -> rest;
          default -> false;
        };
    if (anew) {
      if (lost.isPossible()) {
        outdated.add(part.id());
      }
      lost.forget();
      local = null;
      resumedAt = 0;
      ids.forget();
    }
    return anew;
  }

  private void discardOutdated(Carrier carrier) {
    Duration rest = left.get();
    discard(carrier, rest == null || rest.compareTo(GOOD_BYE) > 0 ? GOOD_BYE : rest);
  }

  /**
   * Has the server discard what has arrived, after a failure of this end. After its own failures it
   * does so by itself.
   */
  void giveUp(FerryException failure, Carriers carriers) {
    boolean own =
        switch (failure.kind()) {
          case CANCELLED, DEADLINE_EXCEEDED, FILE_CHANGED -> true;
          default -> false;
        };
    if (lost.isPossible()) {
      outdated.add(part.id());
    }
    if (outdated.isEmpty() || !own) {
      return;
    }
    ids.forget();
    boolean interrupted = Thread.interrupted();
    try (Carrier carrier = carriers.connectAfterStop()) {
      discard(carrier, GOOD_BYE);
    } catch (FerryException e) {
      // The server discards it when it expires.
      return;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Has the server discard what is outdated. */
  private void discard(Carrier carrier, Duration time) {
    for (UploadId id : outdated) {
      try {
        carrier.cancelUpload(id, options.limits().withTimeout(time));
      } catch (FerryException e) {
        // The server discards it when it expires.
        continue;
      }
    }
    outdated.clear();
  }
}
