package dev.ferry.suites.rival;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file that is received under a temporary name, so that half a file never looks whole. It can
 * compute its digest as it is written, on the same thread, as most programs would. Used by one
 * thread at a time.
 */
public final class PartFile implements Closeable {
  /** The most that is collected, in bytes. */
  static final int COLLECTED_BYTES = 256 * 1024;

  private static final Buffers BUFFERS = Buffers.direct();

  private final Path target;
  private final Path part;
  private final FileChannel channel;
  private final @Nullable ByteBuffer collected;
  private final Digest.@Nullable Algorithm algorithm;
  private final CRC32C crc = new CRC32C();
  private final Sha256.@Nullable Running sha256;

  /** Creates the temporary file beside its target. */
  public PartFile(Path target) throws IOException {
    this(target, null, false);
  }

  /**
   * Creates the temporary file beside its target.
   *
   * @param algorithm computes the digest of all that {@link #write} gets; null for none
   * @param collects whether small pieces are copied into a buffer of {@link #COLLECTED_BYTES}: a
   *     system call for each costs more
   */
  public PartFile(Path target, Digest.@Nullable Algorithm algorithm, boolean collects)
      throws IOException {
    this.target = target;
    this.part = partOf(target);
    this.algorithm = algorithm;
    this.sha256 = algorithm == Digest.Algorithm.SHA256 ? new Sha256.Running() : null;
    this.channel = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    this.collected = collects ? BUFFERS.take(COLLECTED_BYTES) : null;
  }

  /** Returns the temporary name of a file. */
  public static Path partOf(Path target) {
    return target.resolveSibling(target.getFileName() + ".part");
  }

  /** Receives a whole file from a stream as most programs do. */
  public static void copy(InputStream in, Path target) throws IOException {
    try (PartFile file = new PartFile(target)) {
      in.transferTo(Channels.newOutputStream(file.channel));
      file.commit();
    }
  }

  /** What writes the temporary file, past the digest. */
  public FileChannel channel() {
    return channel;
  }

  /** Writes buffers to their limits, several in one system call. */
  public void write(ByteBuffer... buffers) throws IOException {
    long count = 0;
    for (ByteBuffer buffer : buffers) {
      add(buffer);
      count += buffer.remaining();
    }
    if (collected == null) {
      writeAll(buffers);
      return;
    }
    boolean isLarge = count > COLLECTED_BYTES / 2;
    if (isLarge || count > collected.remaining()) {
      flush(collected);
    }
    if (isLarge) {
      writeAll(buffers);
      return;
    }
    for (ByteBuffer buffer : buffers) {
      collected.put(buffer);
    }
  }

  private void flush(ByteBuffer pieces) throws IOException {
    writeAll(pieces.flip());
    pieces.clear();
  }

  private void writeAll(ByteBuffer... buffers) throws IOException {
    for (int first = 0; first < buffers.length; ) {
      if (!buffers[first].hasRemaining()) {
        first++;
      } else if (first == buffers.length - 1) {
        int unused = channel.write(buffers[first]);
      } else {
        long unused = channel.write(buffers, first, buffers.length - first);
      }
    }
  }

  private void add(ByteBuffer buffer) {
    if (sha256 != null) {
      sha256.add(buffer.duplicate());
    } else if (algorithm != null) {
      crc.update(buffer.duplicate());
    }
  }

  /** Gives the file its name. */
  public void commit() throws IOException {
    if (collected != null) {
      flush(collected);
      // Of a transfer that failed, a client may still write to it.
      BUFFERS.give(collected);
    }
    channel.close();
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Gives the file its name if it is what was sent.
   *
   * @param name of the file in a message
   * @param sent by the algorithm of this file
   */
  public void commit(String name, Digest sent) throws IOException {
    Digest received = sha256 == null ? Crc32c.of(crc) : sha256.finish();
    requireEqual(name, received, sent);
    commit();
  }

  /**
   * Compares the digests of both ends.
   *
   * @throws FerryException if they differ
   */
  public static void requireEqual(String name, Digest received, Digest sent) throws FerryException {
    if (!received.equals(sent)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: arrived with %s %s, not %s"
              .formatted(name, sent.algorithm().label(), received, sent));
    }
  }

  /** Deletes the temporary file if it was not given its name. */
  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(part);
  }
}
