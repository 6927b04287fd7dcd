package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares a file that was sent with the file that the server has stored. */
public final class SentFile {
  private SentFile() {}

  /** Asks the server for the facts of the stored file, with its SHA-256. */
  @FunctionalInterface
  public interface Stat {
    FileFacts facts() throws FerryException;
  }

  /**
   * Compares SHA-256 if the server has not compared the digest that was sent to it, because it does
   * not know the algorithm.
   *
   * @param stored the facts in the response to the upload
   * @param sent the algorithm of the digest that was sent; null if none was
   * @return the facts, with the digest that was compared
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH}
   */
  public static FileFacts verified(
      Path file, FileFacts stored, Digest.@Nullable Algorithm sent, Stat stat)
      throws FerryException {
    if (sent == null) {
      // A digest that the server states was compared with nothing.
      return stored.withoutDigests();
    }
    if (sent == Digest.Algorithm.SHA256 || stored.digest(sent) != null) {
      return stored;
    }
    Digest kept = stat.facts().sha256();
    Digest digest;
    try {
      digest = Digest.Algorithm.SHA256.ofFile(file);
    } catch (IOException e) {
      throw FerryException.of(e, file.toString());
    }
    if (!digest.equals(kept)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: stored on the server with SHA-256 %s, %s was sent"
              .formatted(stored.name(), kept, digest));
    }
    return stored.withDigest(digest);
  }

  /**
   * Checks the digests that a server states of the stored file.
   *
   * @param sent the digest that was sent; null if none was
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH} if the server states another one
   *     of the same algorithm
   */
  public static List<Digest> stated(List<Digest> stored, @Nullable Digest sent, String name)
      throws FerryException {
    for (Digest digest : stored) {
      if (sent != null && digest.algorithm() == sent.algorithm() && !digest.equals(sent)) {
        throw new FerryException(
            ErrorKind.DIGEST_MISMATCH,
            "%s: stored on the server with %s %s, %s was sent"
                .formatted(name, digest.algorithm().label(), digest, sent));
      }
    }
    return stored;
  }
}
