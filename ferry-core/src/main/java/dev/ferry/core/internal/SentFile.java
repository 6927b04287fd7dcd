package dev.ferry.core.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import java.io.IOException;
import java.nio.file.Path;
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
    if (sent == null || sent == Digest.Algorithm.SHA256 || stored.digest(sent) != null) {
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
          "%s: SHA-256 is %s, %s was sent".formatted(stored.name(), kept, digest));
    }
    return stored.withDigest(digest);
  }
}
