package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Digest;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.Round;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.internal.LocalAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestCacheTest {

  @TempDir private Path directory;

  private final DigestCache cache = new DigestCache();

  private static String version(Path file) throws IOException {
    return LocalAttributes.read(file).version();
  }

  private static FileFacts facts(Path file, Digest digest) throws IOException {
    return LocalAttributes.read(file).facts("file").withDigest(digest);
  }

  @Test
  void get_ofTheSameVersion_isTheDigest() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    Sha256 digest = Sha256.ofFile(file);
    assertThat(cache.get(file, version(file))).isEmpty();
    cache.put(file, facts(file, digest));
    assertThat(cache.get(file, version(file))).containsExactly(digest);
    assertThat(cache.get(directory.resolve("other"), version(file))).isEmpty();
  }

  @Test
  void get_afterAnyChange_isNothing() throws Exception {
    Path file = TestFiles.age(write(directory.resolve("file"), random(10, 1)));
    FileTime time = Files.getLastModifiedTime(file);
    cache.put(file, facts(file, Sha256.ofFile(file)));

    write(file, random(10, 2));
    assertThat(cache.get(file, version(file))).as("another time").isEmpty();

    Files.setLastModifiedTime(write(file, random(11, 1)), time);
    assertThat(cache.get(file, version(file))).as("another size").isEmpty();

    Files.setLastModifiedTime(write(file, random(10, 1)), time);
    cache.put(file, facts(file, Sha256.ofFile(file)));
    TestFiles.changeKeepingTime(file, random(10, 2));
    assertThat(cache.get(file, version(file))).as("another change time").isEmpty();

    Path other = write(directory.resolve("other"), random(10, 3));
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    assertThat(cache.get(file, version(file))).as("another file").isEmpty();
  }

  @Test
  void add_contradictsADigest_forgetsAllOfBefore() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    String version = version(file);
    Digest old = Digest.Algorithm.CRC32C.ofFile(file);
    cache.put(file, facts(file, Sha256.ofFile(file)));
    cache.add(file, version, old);
    assertThat(cache.get(file, version)).hasSize(2);
    Digest now = Digest.Algorithm.CRC32C.ofFile(write(directory.resolve("x"), random(10, 2)));
    cache.add(file, version, now);
    assertThat(cache.get(file, version)).containsExactly(now);
  }

  @Test
  void put_withoutADigest_forgets() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    cache.put(file, facts(file, Sha256.ofFile(file)));
    cache.put(file, LocalAttributes.read(file).facts("file"));
    assertThat(cache.get(file, version(file))).isEmpty();
  }

  @Test
  void put_pastTheCapacity_forgetsTheLeastRecentlyUsed() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    Sha256 digest = Sha256.ofFile(file);
    FileFacts facts = facts(file, digest);
    cache.put(file, facts);
    Path unused = directory.resolve("unused");
    cache.put(unused, facts);
    for (int i = 0; i < 9_999; i++) {
      cache.put(directory.resolve("f" + i), facts);
      assertThat(cache.get(file, facts.version())).containsExactly(digest);
    }
    assertThat(cache.get(unused, facts.version())).isEmpty();
  }

  @Test
  void compute_firstCallIsInterrupted_anotherOneGoesOn() throws Exception {
    Path file = TestFiles.sparse(directory.resolve("file"), (long) Round.times(32, 256) << 20);
    Background<Digest> first = Background.start(() -> compute(file));
    Background<Digest> second = Background.start(() -> compute(file));
    first.interrupt();
    assertThat(second.result()).isEqualTo(Sha256.ofFile(file));
  }

  private Digest compute(Path file) throws IOException {
    try (LocalFileSource source = FileSource.open(file)) {
      return cache.compute(StorePath.parse("file"), source, Digest.Algorithm.SHA256);
    }
  }
}
