package dev.ferry.load;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.internal.PassingDigest;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Receives a file, compares its size and digest, and discards the bytes. Used by one thread. */
public final class DiscardingSink implements FileSink {
  private final FileFacts facts;
  private @Nullable PassingDigest digest;
  private long written;

  /**
   * @param facts what the server says of the file
   */
  public DiscardingSink(FileFacts facts) {
    this.facts = facts;
  }

  @Override
  public void expect(long size) {}

  @Override
  public void checkExpansion(long arrived) {}

  @Override
  public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    digest = PassingDigest.of(algorithm);
    return true;
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    if (digest != null) {
      digest.add(written, source.duplicate());
    }
    written += source.remaining();
    source.position(source.limit());
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    if (expectedSize >= 0 && written != expectedSize) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          "%s: %d bytes arrived, and %d were announced"
              .formatted(facts.name(), written, expectedSize));
    }
    Digest actual = digest == null ? null : digest.of(written);
    if (actual != null
        && expectedDigest != null
        && actual.algorithm() == expectedDigest.algorithm()
        && !actual.equals(expectedDigest)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH, facts.name() + ": what arrived is not the file");
    }
    return facts.withDigest(expectedDigest);
  }

  @Override
  public void close() {}
}
