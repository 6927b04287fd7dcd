package dev.ferry.core.local;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Compares a file of a server with a local one, by size and digest. Both ends read their file for
 * it: a digest that the server remembers is not enough to call a copy equal.
 */
public final class EqualFiles {
  private EqualFiles() {}

  /**
   * Compares two files. If their sizes are equal, both ends read their file for its digest.
   *
   * @param options their digest and their limits are used; CRC-32C if they have no digest
   * @return the facts of the server's file with the digest that shows that they are equal; null if
   *     they differ, or one of them does not exist, may not be read or is a directory
   */
  public static @Nullable FileFacts facts(
      Carrier carrier, StorePath remote, Path local, TransferOptions options)
      throws FerryException {
    try {
      return factsOfReadable(carrier, remote, local, options);
    } catch (FerryException e) {
      return nullIfMissing(e);
    }
  }

  /**
   * Compares a file of a server with one of which the size and the digest are known.
   *
   * @return as {@link #facts(Carrier, StorePath, Path, TransferOptions)}
   */
  public static @Nullable FileFacts facts(
      Carrier carrier, StorePath remote, long size, Digest digest, CallLimits limits)
      throws FerryException {
    try {
      FileFacts facts = carrier.stat(remote, null, limits);
      if (facts.directory() || facts.size() != size) {
        return null;
      }
      facts = carrier.readNow(remote, size, digest.algorithm(), limits);
      return digest.equals(facts.digest(digest.algorithm())) ? facts : null;
    } catch (FerryException e) {
      return nullIfMissing(e);
    }
  }

  /**
   * Compares two files as {@link #facts(Carrier, StorePath, Path, TransferOptions)}, but fails if
   * the server's file does not exist, may not be read or is a directory.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} for a directory
   */
  public static @Nullable FileFacts factsOfReadable(
      Carrier carrier, StorePath remote, Path local, TransferOptions options)
      throws FerryException {
    Digest.Algorithm algorithm =
        options.digest() == null ? Digest.Algorithm.CRC32C : options.digest();
    try {
      FileFacts facts = carrier.stat(remote, null, options.limits());
      if (facts.directory()) {
        throw new FerryException(ErrorKind.INVALID_PATH, remote + ": is a folder, not a file");
      }
      if (!Files.isRegularFile(local) || facts.size() != Files.size(local)) {
        return null;
      }
      facts = carrier.readNow(remote, facts.size(), algorithm, options.limits());
      Digest digest = facts.digest(algorithm) == null ? facts.sha256() : facts.digest(algorithm);
      return digest != null && digest.equals(digest.algorithm().ofFile(local))
          ? facts.withoutDigests().withDigest(digest)
          : null;
    } catch (FerryException e) {
      throw e;
    } catch (IOException e) {
      return nullIfMissing(FerryException.of(e, local.toString()));
    }
  }

  private static @Nullable FileFacts nullIfMissing(FerryException failure) throws FerryException {
    return switch (failure.kind()) {
      case NOT_FOUND, PERMISSION_DENIED, INVALID_PATH -> null;
      default -> throw failure;
    };
  }
}
