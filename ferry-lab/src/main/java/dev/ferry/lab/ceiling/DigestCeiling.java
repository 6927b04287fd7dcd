package dev.ferry.lab.ceiling;

import dev.ferry.core.Digest;
import dev.ferry.core.internal.PassingDigest;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Computes a digest of the source from memory on the calling thread. */
final class DigestCeiling implements CeilingOperation.Task {
  private final Digest.Algorithm algorithm;
  private final Workplace workplace;
  private final MappedFile source;
  private final Digest expected;
  private @Nullable Digest result;

  DigestCeiling(Digest.Algorithm algorithm, Workplace workplace) throws IOException {
    this.algorithm = algorithm;
    this.workplace = workplace;
    this.source = MappedFile.of(workplace.source());
    this.expected =
        algorithm == Digest.Algorithm.SHA256
            ? workplace.sha256()
            : algorithm.ofFile(workplace.source());
  }

  @Override
  public void prepare() {
    result = null;
  }

  @Override
  public void run(int operation) {
    PassingDigest digest = PassingDigest.of(algorithm);
    int chunks = source.chunks(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < chunks; i++) {
      digest.add((long) i * SocketEnd.BUFFER_BYTES, source.chunk(i, SocketEnd.BUFFER_BYTES));
    }
    result = digest.of(workplace.size());
  }

  @Override
  public void check(int operation) throws IOException {
    if (!expected.equals(result)) {
      throw new IOException("digest is " + result + ", not " + expected);
    }
  }
}
