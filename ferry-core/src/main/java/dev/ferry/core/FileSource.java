package dev.ferry.core;

import dev.ferry.core.internal.PathParts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file open for reading, with the facts it had when it was opened.
 *
 * <p>Reads are positional, so several threads may read at once. A file that shrinks or is rewritten
 * meanwhile fails with {@link ErrorKind#FILE_CHANGED}: it is never sent as if it were whole.
 */
public final class FileSource implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private final FileFacts facts;
  private final BasicFileAttributes opened;
  private final Consumer<Sha256> digests;
  private volatile @Nullable Sha256 computed;

  private FileSource(
      Path file,
      FileChannel channel,
      FileFacts facts,
      BasicFileAttributes opened,
      Consumer<Sha256> digests) {
    this.file = file;
    this.channel = channel;
    this.facts = facts;
    this.opened = opened;
    this.digests = digests;
  }

  /** Opens a local file under its own name. */
  public static FileSource open(Path file) throws FerryException {
    Path name = file.getFileName();
    try {
      return open(file, name == null ? file.toString() : name.toString(), file.toString());
    } catch (IOException e) {
      throw PathParts.explain(e, PathParts.Wanted.ANYTHING, file.toAbsolutePath(), file.toString());
    }
  }

  /**
   * Opens a file under the name its users know it by.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND}, {@link ErrorKind#PERMISSION_DENIED},
   *     or {@link ErrorKind#INVALID_PATH} for what is not a regular file
   */
  public static FileSource open(Path file, String name) throws FerryException {
    try {
      return open(file, name, name);
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
  }

  private static FileSource open(Path file, String name, String label) throws IOException {
    BasicFileAttributes before = Files.readAttributes(file, BasicFileAttributes.class);
    while (true) {
      // A pipe would block the opening.
      requireRegularFile(before, label);
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      try {
        BasicFileAttributes after = Files.readAttributes(file, BasicFileAttributes.class);
        // The same file before and after is the one that was opened between; else the name was
        // given to another one meanwhile, and these would be facts of a file that is not open.
        // (A number that is used again between the two would deceive this; a store has a lock.)
        if (Objects.equals(before.fileKey(), after.fileKey())) {
          return new FileSource(file, channel, FileFacts.of(name, after), after, digest -> {});
        }
        before = after;
      } catch (IOException e) {
        channel.close();
        throw e;
      }
      channel.close();
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
   * The same open file of a store that keeps digests; closing either closes both.
   *
   * @param known its digest; null if it is not known yet
   * @param keeper hears a digest that was computed, once the file was found unchanged
   */
  public FileSource withDigests(@Nullable Sha256 known, Consumer<Sha256> keeper) {
    return new FileSource(
        file, channel, known == null ? facts : facts.withSha256(known), opened, keeper);
  }

  public BasicFileAttributes attributes() {
    return opened;
  }

  /** The facts the file had when it was opened. */
  public FileFacts facts() {
    return facts;
  }

  /** The open channel, for {@code sendfile}; positional use only, never closed by the user. */
  public FileChannel channel() {
    return channel;
  }

  /**
   * Fills what remains of a buffer from a place in the file.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} where the file ends before that
   */
  public void readFully(ByteBuffer destination, long position) throws FerryException {
    long at = position;
    while (destination.hasRemaining()) {
      int n;
      try {
        n = channel.read(destination, at);
      } catch (IOException e) {
        throw FerryException.of(e, facts.name());
      }
      if (n < 0) {
        throw changed("it ends at byte " + at + " of " + facts.size());
      }
      at += n;
    }
  }

  /**
   * Fills buffers, one after the other, from a place in the file with as few system calls as the
   * system allows; for one thread at a time.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} where the file ends before that
   */
  public void readFully(ByteBuffer[] destinations, long position) throws FerryException {
    int first = 0;
    long at = position;
    try {
      // A channel scatters from its own position only, which nothing else here uses.
      channel.position(position);
      while (first < destinations.length) {
        long n = channel.read(destinations, first, destinations.length - first);
        if (n < 0) {
          throw changed("it ends at byte " + at + " of " + facts.size());
        }
        at += n;
        while (first < destinations.length && !destinations[first].hasRemaining()) {
          first++;
        }
      }
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }

  /**
   * Checks that the file is still the one that was opened; to be called after the last read.
   *
   * @throws FerryException with {@link ErrorKind#FILE_CHANGED} if its size, time or place changed
   */
  public void verifyUnchanged() throws FerryException {
    Sha256 digest = computed;
    requireUnchanged();
    if (digest != null) {
      digests.accept(digest);
    }
  }

  private void requireUnchanged() throws FerryException {
    try {
      if (channel.size() != facts.size()) {
        throw changed("it now has " + channel.size() + " bytes instead of " + facts.size());
      }
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      boolean sameFile = opened.fileKey() == null || opened.fileKey().equals(now.fileKey());
      // A file that was replaced by a rename left the open one whole: that is no change of ours.
      if (sameFile && !now.lastModifiedTime().equals(opened.lastModifiedTime())) {
        throw changed("it was written to at " + now.lastModifiedTime());
      }
    } catch (NoSuchFileException e) {
      // Deleted by name; the open file is whole.
      return;
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
  }

  /** The file's SHA-256, read anew from its first byte to its last; blocks that long. */
  public Sha256 sha256() throws FerryException {
    try {
      Sha256 digest = Sha256.ofChannel(channel);
      computed = digest;
      return digest;
    } catch (IOException e) {
      throw FerryException.of(e, facts.name());
    }
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
