package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Digest;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The files that travel, and how: compressed and not, in chunks of some sizes. */
final class Cases {
  /** Shrinks to a third. */
  static final String TEXT = "text";

  /** Text, then noise: what does not shrink is sent as it is by the C core, compressed or not. */
  static final String MIXED = "mixed";

  private static final String SMALL = "small";
  private static final String EMPTY = "empty";
  private static final int HALF = 400_001;
  private static final List<Integer> CHUNKS = List.of(1000, 65536, 262144);

  private Cases() {}

  /** The files, by name. */
  static void write(Path folder) throws Exception {
    byte[] text = TestFiles.compressible(2 * HALF, 1);
    byte[] mixed = text.clone();
    System.arraycopy(TestFiles.random(HALF, 2), 0, mixed, HALF, HALF);
    TestFiles.write(folder.resolve(TEXT), text);
    TestFiles.write(folder.resolve(MIXED), mixed);
    TestFiles.write(folder.resolve(SMALL), TestFiles.compressible(999, 3));
    TestFiles.write(folder.resolve(EMPTY), new byte[0]);
  }

  /** File, chunk size, gzip. */
  static Stream<Arguments> all() {
    List<Arguments> cases = new ArrayList<>();
    for (boolean gzip : new boolean[] {false, true}) {
      for (int chunk : CHUNKS) {
        cases.add(Arguments.of(MIXED, chunk, gzip));
      }
      cases.add(Arguments.of(SMALL, 1000, gzip));
      cases.add(Arguments.of(EMPTY, 1000, gzip));
    }
    return cases.stream();
  }

  /** With SHA-256, which is all that the other implementations know. */
  static TransferOptions options(int chunk, boolean gzip) {
    return TransferOptions.DEFAULT
        .withChunkSize(chunk)
        .withGzip(gzip)
        .withDigest(Digest.Algorithm.SHA256);
  }

  /** Compares and deletes the copy, so that the next one cannot be mistaken for it. */
  static void assertArrived(Path file, Path copy) throws Exception {
    assertThat(copy).exists();
    assertThat(Files.mismatch(file, copy)).as("first byte that differs").isEqualTo(-1);
    Files.delete(copy);
  }
}
