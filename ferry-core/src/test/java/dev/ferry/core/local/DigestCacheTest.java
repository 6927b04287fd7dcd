package dev.ferry.core.local;

import static dev.ferry.core.TestFiles.random;
import static dev.ferry.core.TestFiles.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Digest;
import dev.ferry.core.FileSource;
import dev.ferry.core.LocalFileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestCacheTest {

  @TempDir private Path directory;

  private final DigestCache cache = new DigestCache();

  private static BasicFileAttributes attributes(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class);
  }

  @Test
  void get_ofTheSameVersion_isTheDigest() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    Sha256 digest = Sha256.ofFile(file);
    assertThat(cache.get(file, attributes(file))).isEmpty();
    cache.put(file, attributes(file), digest);
    assertThat(cache.get(file, attributes(file))).containsExactly(digest);
    assertThat(cache.get(directory.resolve("other"), attributes(file))).isEmpty();
  }

  @Test
  void get_afterAnyChange_isNothing() throws Exception {
    Path file = TestFiles.age(write(directory.resolve("file"), random(10, 1)));
    FileTime time = Files.getLastModifiedTime(file);
    cache.put(file, attributes(file), Sha256.ofFile(file));

    write(file, random(10, 2));
    assertThat(cache.get(file, attributes(file))).as("another time").isEmpty();

    Files.setLastModifiedTime(write(file, random(11, 1)), time);
    assertThat(cache.get(file, attributes(file))).as("another size").isEmpty();

    Path other = write(directory.resolve("other"), random(10, 3));
    Files.setLastModifiedTime(other, time);
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    assertThat(cache.get(file, attributes(file))).as("another file").isEmpty();
  }

  @Test
  void put_null_forgets() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    cache.put(file, attributes(file), Sha256.ofFile(file));
    cache.put(file, attributes(file), null);
    assertThat(cache.get(file, attributes(file))).isEmpty();
  }

  @Test
  void put_pastTheCapacity_forgetsTheLeastRecentlyUsed() throws Exception {
    Path file = write(directory.resolve("file"), random(10, 1));
    BasicFileAttributes attributes = attributes(file);
    Sha256 digest = Sha256.ofFile(file);
    cache.put(file, attributes, digest);
    Path unused = directory.resolve("unused");
    cache.put(unused, attributes, digest);
    for (int i = 0; i < 9_999; i++) {
      cache.put(directory.resolve("f" + i), attributes, digest);
      assertThat(cache.get(file, attributes)).containsExactly(digest);
    }
    assertThat(cache.get(unused, attributes)).isEmpty();
  }

  @Test
  void compute_firstCallIsInterrupted_anotherOneGoesOn() throws Exception {
    Path file = TestFiles.sparse(directory.resolve("file"), 256 << 20);
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
