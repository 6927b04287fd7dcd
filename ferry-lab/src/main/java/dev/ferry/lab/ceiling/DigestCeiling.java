package dev.ferry.lab.ceiling;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.Sha256;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
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
    result =
        switch (algorithm) {
          case CRC32C -> {
            CRC32C crc = new CRC32C();
            forEachChunk(crc::update);
            yield new Crc32c((int) crc.getValue());
          }
          case SHA256 -> {
            Sha256.Running sha256 = new Sha256.Running();
            forEachChunk(sha256::add);
            yield sha256.finish();
          }
        };
  }

  private void forEachChunk(Consumer<ByteBuffer> use) {
    int chunks = source.chunks(SocketEnd.BUFFER_BYTES);
    for (int i = 0; i < chunks; i++) {
      use.accept(source.chunk(i, SocketEnd.BUFFER_BYTES));
    }
  }

  @Override
  public void check(int operation) throws IOException {
    if (!expected.equals(result)) {
      throw new IOException("digest is " + result + ", not " + expected);
    }
  }
}
