package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.Action;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Creates files for tests, and checks which are left. */
public final class TestFiles {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long BITS_7 = 0x7f7f_7f7f_7f7f_7f7fL;
  private static final byte[] TABLE = table();
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  private TestFiles() {}

  /** Random bytes of 7 bits, which are compressed if gzip is on; the same for the same seed. */
  public static byte[] random(int size, long seed) {
    return random(size, seed, BITS_7);
  }

  /** Bytes that cannot be compressed; the same for the same seed. */
  public static byte[] incompressible(int size, long seed) {
    return random(size, seed, -1);
  }

  /** Eight bytes at a time: tests make many, and nextBytes takes several times longer. */
  private static byte[] random(int size, long seed, long mask) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[size];
    ByteBuffer longs = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (longs.remaining() >= Long.BYTES) {
      longs.putLong(random.nextLong() & mask);
    }
    long last = random.nextLong() & mask;
    while (longs.hasRemaining()) {
      longs.put((byte) last);
      last >>>= Byte.SIZE;
    }
    return bytes;
  }

  /** Lines of a taxi-fare-like table, which gzip makes several times smaller. */
  public static byte[] compressible(int size, long seed) {
    byte[] bytes = new byte[size];
    int start = new Random(seed).nextInt(TABLE.length);
    for (int at = 0, n; at < size; at += n, start = 0) {
      n = Math.min(size - at, TABLE.length - start);
      System.arraycopy(TABLE, start, bytes, at, n);
    }
    return bytes;
  }

  private static byte[] table() {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 5000; i++) {
      text.append("CMT,1,1,").append(random.nextInt(2000)).append(",CRD,");
      text.append(random.nextInt(60)).append(".5\n");
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a file and the directories above it. */
  public static Path write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    return Files.write(file, bytes);
  }

  /**
   * Returns the path of a name that may be no UTF-8.
   *
   * @param latin1 a character for each byte of the name
   */
  public static Path ofBytes(Path folder, String latin1) {
    StringBuilder uri = new StringBuilder(folder.toUri().toString());
    for (byte b : latin1.getBytes(StandardCharsets.ISO_8859_1)) {
      uri.append('%').append(HexFormat.of().toHexDigits(b));
    }
    return Path.of(URI.create(uri.toString()));
  }

  /** Makes a file of zeros that takes no place on the disk. */
  public static Path sparse(Path file, long size) throws IOException {
    try (RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw")) {
      access.setLength(size);
    }
    return file;
  }

  /** Gives a file or folder permissions such as {@code rw-------}. */
  public static Path permit(Path file, String permissions) throws IOException {
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  /** Returns the permissions of a file or folder, such as {@code rw-------}. */
  public static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** Makes a file look an hour old, so that any change to it shows in its time. */
  public static Path age(Path file) throws IOException {
    return Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(3600)));
  }

  /**
   * Writes as many other bytes to a file, and sets its modification time back, as programs do that
   * hide their changes. Only its change time shows that.
   */
  public static void changeKeepingTime(Path file, byte[] bytes) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Object changed = Files.getAttribute(file, "unix:ctime");
    do {
      // A clock of the file system that ticks every few milliseconds may not have ticked since.
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, time);
    } while (Files.getAttribute(file, "unix:ctime").equals(changed));
  }

  /**
   * Prepares a change of the bytes of a file that neither its size nor its times show, as that of a
   * failing disk. A page that is mapped sets the times of its file when it is written to first, and
   * not again until the kernel has written it to the disk, which it does seconds later.
   *
   * @param bytes as many as the file has
   * @return makes the change
   */
  public static Action<Exception> unseenChange(Path file, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes.length);
      mapped.duplicate().put(Files.readAllBytes(file));
      return () -> mapped.duplicate().put(bytes);
    }
  }

  /** Everything below a directory, relative to it and sorted; directories end in {@code /}. */
  public static List<String> tree(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(path -> !path.equals(root))
          .map(path -> root.relativize(path) + (Files.isDirectory(path) ? "/" : ""))
          .sorted()
          .toList();
    } catch (UncheckedIOException e) {
      if (e.getCause() instanceof NoSuchFileException) {
        // Deleted while it was walked: list what is there now.
        return tree(root);
      }
      throw e;
    }
  }

  /** All that a store has in a directory. */
  public static List<FileFacts> list(FileStore store, StorePath directory) throws FerryException {
    List<FileFacts> entries = new ArrayList<>();
    try (Listing listing = store.list(directory)) {
      for (FileFacts entry = listing.next(); entry != null; entry = listing.next()) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Waits, within seconds, until a directory holds exactly this; see {@link #tree}. */
  public static void awaitTree(Path root, String... expected) throws Exception {
    awaitTree(() -> tree(root), expected);
  }

  /** Waits, within seconds, until a tree is exactly this. */
  static void awaitTree(Callable<List<String>> tree, String... expected) throws Exception {
    List<String> wanted = Stream.of(expected).sorted().toList();
    long end = System.nanoTime() + PATIENCE_NANOS;
    List<String> found = tree.call();
    while (!found.equals(wanted) && System.nanoTime() < end) {
      Thread.sleep(5);
      found = tree.call();
    }
    assertThat(found).isEqualTo(wanted);
  }

  /** Waits, within seconds, until this process has no file open below a directory. */
  public static void awaitNothingOpen(Path root) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    List<Path> open = openBelow(root);
    while (!open.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(5);
      open = openBelow(root);
    }
    assertThat(open).as("files left open").isEmpty();
  }

  /**
   * Returns the files that the process has open below a directory; always empty without {@code
   * /proc}.
   */
  private static List<Path> openBelow(Path root) throws IOException {
    if (!Files.isDirectory(OPEN_FILES)) {
      return List.of();
    }
    Path real = root.toRealPath();
    List<Path> open = new ArrayList<>();
    try (Stream<Path> descriptors = Files.list(OPEN_FILES)) {
      for (Path descriptor : descriptors.toList()) {
        try {
          Path target = Files.readSymbolicLink(descriptor);
          if (target.startsWith(real)) {
            open.add(target);
          }
        } catch (NoSuchFileException e) {
          // Closed since the directory was read.
        }
      }
    }
    return open;
  }
}
