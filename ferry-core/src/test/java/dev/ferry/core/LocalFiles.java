package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.Action;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The files of a store in a folder of the local disk. */
record LocalFiles(Path root) implements StoredFiles {
  private static final AtomicInteger FRESH = new AtomicInteger();

  private static final long ENDLESS = 1L << 30;

  @Override
  public boolean onLocalDisk() {
    return true;
  }

  @Override
  public boolean readsReplacedFiles() {
    return true;
  }

  @Override
  public FileStore open(ReceiveLimits limits) throws IOException {
    return LocalFileStore.open(root, SinkOptions.DEFAULT.withLimits(limits));
  }

  @Override
  public void write(String name, byte[] bytes) throws IOException {
    TestFiles.write(root.resolve(name), bytes);
  }

  @Override
  public void replace(String name, byte[] bytes) throws IOException {
    // Two requests may replace the file at the same time.
    int number = FRESH.incrementAndGet();
    Path fresh = TestFiles.write(root.resolve(name + "." + number), bytes);
    // Within one tick of the clock, two files may else have one version.
    FileTime unique = FileTime.fromMillis(System.currentTimeMillis() - 1000L * number);
    Files.setLastModifiedTime(fresh, unique);
    Files.move(fresh, root.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public Action<Exception> unseenChange(String name, byte[] bytes) throws IOException {
    return TestFiles.unseenChange(root.resolve(name), bytes);
  }

  @Override
  public void age(String name) throws IOException {
    TestFiles.age(root.resolve(name));
  }

  @Override
  public void writeEndless(String name) throws IOException {
    TestFiles.sparse(root.resolve(name), ENDLESS);
  }

  @Override
  public void makeFolder(String name) throws IOException {
    Files.createDirectory(root.resolve(name));
  }

  @Override
  public byte[] read(String name) throws IOException {
    return Files.readAllBytes(root.resolve(name));
  }

  @Override
  public Instant lastModified(String name) throws IOException {
    return Files.getLastModifiedTime(root.resolve(name)).toInstant();
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(root.resolve(name));
  }

  @Override
  public List<String> tree() throws IOException {
    return TestFiles.tree(root);
  }

  @Override
  public void awaitNothingOpen() throws Exception {
    TestFiles.awaitNothingOpen(root);
  }

  @Override
  public void close() throws Exception {
    assertThat(tree()).noneMatch(path -> path.contains(".ferry-"));
  }
}
