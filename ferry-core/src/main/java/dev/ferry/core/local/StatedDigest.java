package dev.ferry.core.local;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The digest of the server's file, which is requested beside its parts, or after all of them
 * because another one was stated that it does not have. Thread-safe.
 */
final class StatedDigest {
  private final StorePath path;
  private final Digest.@Nullable Algorithm algorithm;
  private final Steps steps;
  private volatile @Nullable Digest digest;

  /**
   * @param algorithm null requests none
   */
  StatedDigest(StorePath path, Digest.@Nullable Algorithm algorithm, Steps steps) {
    this.path = path;
    this.algorithm = algorithm;
    this.steps = steps;
  }

  /**
   * Begins to request the digest of the version that is downloaded.
   *
   * @param now whether the server has to read the file for it, whatever it remembers
   */
  void request(FileFacts remote, Connections.Connection connection, boolean now)
      throws FerryException {
    Digest.Algorithm wanted = algorithm;
    if (wanted != null) {
      steps.begin(() -> request(wanted, remote, connection, now));
    }
  }

  private void request(
      Digest.Algorithm wanted, FileFacts remote, Connections.Connection connection, boolean now)
      throws FerryException {
    FileFacts facts = connection.stat(remote, path, wanted, now);
    if (!Objects.equals(facts.version(), remote.version())) {
      throw changed(path, null);
    }
    digest = wanted.requireGiven(facts.digest(wanted), path.value());
  }

  /** Returns the digest after its step has ended; null if none was requested. */
  @Nullable Digest get() {
    return digest;
  }

  /** The failure of a download whose file is another one now. */
  static FerryException changed(StorePath path, @Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded", cause);
  }
}
