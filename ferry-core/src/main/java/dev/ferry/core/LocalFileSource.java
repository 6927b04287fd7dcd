package dev.ferry.core;

import dev.ferry.core.internal.LocalAttributes;
import dev.ferry.core.internal.PassingDigest;
import dev.ferry.core.internal.PathParts;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A local file open for reading. */
public final class LocalFileSource implements FileSource {
  /** Attempts to open a file while nothing changes it. */
  private static final int ATTEMPTS = 10;

  private final Path file;
  private final FileChannel channel;
  private final FileFacts facts;
  private final LocalAttributes opened;
  private final Consumer<Digest> digests;
  private volatile @Nullable Digest computed;
  private volatile @Nullable PassingDigest passing;

  private LocalFileSource(
      Path file,
      FileChannel channel,
      FileFacts facts,
      LocalAttributes opened,
      Consumer<Digest> digests) {
    this.file = file;
    this.channel = channel;
    this.facts = facts;
    this.opened = opened;
    this.digests = digests;
  }

  /** Opens a file as {@link FileSource#open(Path)} does. */
  static LocalFileSource open(Path file) throws FerryException {
    Path name = file.getFileName();
    try {
      return open(file, name == null ? file.toString() : name.toString(), file.toString());
    } catch (IOException e) {
      throw PathParts.explain(e, PathParts.Wanted.ANYTHING, file.toAbsolutePath(), file.toString());
    }
  }

  /** Opens a file as {@link FileSource#open(Path, String)} does. */
  static LocalFileSource open(Path file, String name) throws FerryException {
    try {
      return open(file, name, name);
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
  }

  private static LocalFileSource open(Path file, String name, String label) throws IOException {
    LocalAttributes before = LocalAttributes.read(file);
    for (int attempt = 1; ; attempt++) {
      // Opening a named pipe would block.
      requireRegularFile(before, label);
      FileChannel channel = channel(file);
      try {
        LocalAttributes after = LocalAttributes.read(file);
        // If the attributes are the same before and after, they belong to the opened file. If not,
        // another file took the name meanwhile, perhaps one with the same file key: try again. Of a
        // file that is written to all the time, the key has to be enough.
        boolean same =
            attempt < ATTEMPTS
                ? before.equals(after)
                : Objects.equals(before.fileKey(), after.fileKey());
        if (same && channel.size() == after.size()) {
          requireStored(channel, after, label);
          return new LocalFileSource(file, channel, after.facts(name), after, digest -> {});
        }
        before = after;
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      channel.close();
    }
  }

  /** A kernel makes some files up while they are read, as in /proc, and says 0 of their size. */
  private static void requireStored(FileChannel channel, BasicFileAttributes file, String name)
      throws IOException {
    if (file.size() == 0 && channel.read(ByteBuffer.allocate(1), 0) > 0) {
      throw notStored(name, "has bytes, though its size is 0");
    }
  }

  private static FerryException notStored(String name, String how) {
    return new FerryException(
        ErrorKind.INVALID_PATH, "%s: %s, so only a copy of it can be sent".formatted(name, how));
  }

  private static FileChannel channel(Path file) throws IOException {
    try {
      return FileChannel.open(file, StandardOpenOption.READ);
    } catch (UnsupportedOperationException e) {
      // Not every file system has such channels.
      Path copy = Files.createTempFile("ferry-", null);
      try {
        try (OutputStream out = Files.newOutputStream(copy)) {
          long unused = Files.copy(file, out);
        }
        return FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
      } catch (IOException | RuntimeException failure) {
        Files.deleteIfExists(copy);
        throw failure;
      }
    }
  }

  private static void requireRegularFile(BasicFileAttributes attributes, String name)
      throws FerryException {
    if (attributes.isDirectory()) {
      throw new FerryException(ErrorKind.INVALID_PATH, name + ": is a folder, not a file");
    }
    if (!attributes.isRegularFile()) {
      throw new FerryException(ErrorKind.INVALID_PATH, name + ": is not a regular file");
    }
  }

  /**
   * Returns the same open file with digests and a callback for a new digest. Closing either source
   * closes both.
   *
   * @param known the digests of the file that are known
   * @param keeper receives computed digests after {@link #verifyUnchanged} has succeeded
   */
  public LocalFileSource withDigests(List<Digest> known, Consumer<Digest> keeper) {
    return new LocalFileSource(file, channel, facts.withDigests(known), opened, keeper);
  }

  @Override
  public FileFacts facts() {
    return facts;
  }

  @Override
  public FileChannel channel() {
    return channel;
  }

  @Override
  public void computeWhileReading(Digest.Algorithm algorithm) {
    passing = PassingDigest.of(algorithm);
  }

  @Override
  public void readFully(ByteBuffer destination, long position) throws FerryException {
    int start = destination.position();
    long at = position;
    while (destination.hasRemaining()) {
      int n;
      try {
        n = channel.read(destination, at);
      } catch (IOException e) {
        throw FerryException.of(e, facts.name());
      }
      if (n < 0) {
        throw ended(at);
      }
      at += n;
    }
    PassingDigest digest = passing;
    if (digest != null) {
      digest.add(position, destination.position(start));
    }
  }

  @Override
  public int sample(ByteBuffer destination, long position) throws FerryException {
    int start = destination.position();
    try {
      while (destination.hasRemaining()
          && channel.read(destination, position + destination.position() - start) >= 0) {}
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
    return destination.position() - start;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Uses scattering reads, which move the position of the channel.
   */
  @Override
  public synchronized void readFully(ByteBuffer[] destinations, long position)
      throws FerryException {
    int first = 0;
    long at = position;
    try {
      // FileChannel has no positional scattering read. No other method uses the channel's position.
      channel.position(position);
      while (first < destinations.length) {
        long n = channel.read(destinations, first, destinations.length - first);
        if (n < 0) {
          throw ended(at);
        }
        at += n;
        while (first < destinations.length && !destinations[first].hasRemaining()) {
          first++;
        }
      }
      PassingDigest digest = passing;
      if (digest != null) {
        digest.add(position, destinations);
      }
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>A file that was replaced by a rename, or deleted, counts as unchanged, and so does one that
   * has more or fewer names than before.
   */
  @Override
  public void verifyUnchanged() throws FerryException {
    Digest digest = computed;
    Digest read = digestOfReads();
    requireUnchanged();
    if (digest != null) {
      digests.accept(digest);
    }
    if (read != null) {
      digests.accept(read);
    }
  }

  private void requireUnchanged() throws FerryException {
    try {
      LocalAttributes now = named();
      Object key = opened.fileKey();
      // A rename that replaced the file leaves the open file unchanged.
      boolean sameFile = now != null && (key == null || key.equals(now.fileKey()));
      long size = now != null && key != null && sameFile ? now.size() : channel.size();
      if (size != facts.size()) {
        throw changed("it now has " + size + " bytes instead of " + facts.size());
      }
      if (now != null && sameFile && !now.lastModifiedTime().equals(opened.lastModifiedTime())) {
        throw changed("it was written to at " + now.lastModifiedTime());
      }
      // Another name sets the change time, and so does a rename that is about to take this one.
      if (now != null
          && sameFile
          && now.links() == opened.links()
          && !Objects.equals(now.changed(), opened.changed())) {
        throw changed("its content or an attribute was changed at " + now.changed());
      }
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }

  /** The attributes of what has the name now; null if nothing has: the open file is complete. */
  private @Nullable LocalAttributes named() throws IOException {
    try {
      return LocalAttributes.read(file);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  @Override
  public Digest digest(Digest.Algorithm algorithm) throws FerryException {
    Digest read = digestOfReads();
    if (read != null && algorithm == read.algorithm()) {
      return read;
    }
    try {
      Digest digest = algorithm.ofChannel(channel);
      computed = digest;
      return digest;
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }

  /** Returns the digest of what was read; null if that is not the whole file. */
  private @Nullable Digest digestOfReads() {
    PassingDigest digest = passing;
    return digest == null ? null : digest.of(facts.size());
  }

  /** The failure of a read of what the file lacks. If it is the same, its size is not to be had. */
  private FerryException ended(long at) throws FerryException {
    if (at >= facts.size()) {
      return changed("it ends at byte " + at + " of " + facts.size());
    }
    requireUnchanged();
    return notStored(facts.name(), "ends at byte " + at + ", though its size is " + facts.size());
  }

  private FerryException changed(String how) {
    return new FerryException(
        ErrorKind.FILE_CHANGED, facts.name() + ": changed while it was read: " + how);
  }

  @Override
  public void close() throws FerryException {
    try {
      channel.close();
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }
}
