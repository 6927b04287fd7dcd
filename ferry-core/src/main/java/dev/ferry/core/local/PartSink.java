package dev.ferry.core.local;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executor;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Receives a part of a {@link LocalFileSink}. {@link #close} adds what was written to the file,
 * whether the part is complete or not.
 */
final class PartSink implements FileSink {
  private final LocalFileSink whole;
  private final FileChannel channel;
  private final String name;
  private final long offset;
  private final long length;
  private final CRC32C crc = new CRC32C();
  private long written;
  private boolean closed;

  PartSink(LocalFileSink whole, Path file, String name, long offset, long length)
      throws IOException {
    this.whole = whole;
    this.name = name;
    this.offset = offset;
    this.length = length;
    // A gathering write moves the position of its channel, so each part needs one of its own.
    this.channel = FileChannel.open(file, StandardOpenOption.WRITE).position(offset);
  }

  @Override
  public void expect(long size) throws FerryException {
    if (size != length) {
      throw incomplete(size + " bytes were announced");
    }
  }

  @Override
  public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
    // The file compares the digest, when it has all parts.
    return true;
  }

  /** The size was announced for the whole file. */
  @Override
  public void checkExpansion(long arrived) {}

  @Override
  public long written() {
    return written;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    write(new ByteBuffer[] {source}, 0, 1);
  }

  @Override
  public void write(ByteBuffer[] sources, int first, int count) throws FerryException {
    long bytes = 0;
    for (int i = first; i < first + count; i++) {
      bytes += sources[i].remaining();
    }
    if (bytes > length - written) {
      throw incomplete("more bytes came");
    }
    for (int i = first; i < first + count; i++) {
      int position = sources[i].position();
      crc.update(sources[i]);
      sources[i].position(position);
    }
    try {
      writeFully(channel, sources, first, count);
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
    written += bytes;
  }

  /** Writes all bytes of several buffers, with as few system calls as possible. */
  static void writeFully(FileChannel channel, ByteBuffer[] sources, int offset, int count)
      throws IOException {
    int first = offset;
    int end = offset + count;
    while (first < end) {
      if (sources[first].hasRemaining()) {
        long unused = channel.write(sources, first, end - first);
      } else {
        first++;
      }
    }
  }

  @Override
  public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
      throws FerryException {
    if (written != length) {
      throw incomplete(written + " bytes came");
    }
    close();
    return new FileFacts(name, length, FileFacts.UNKNOWN_TIME, false, null);
  }

  private FerryException incomplete(String what) {
    return new FerryException(
        ErrorKind.INCOMPLETE,
        "%s: %s for the part of %d bytes at %d".formatted(name, what, length, offset));
  }

  @Override
  public void close() throws FerryException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
    if (written > 0) {
      whole.received(offset, written, (int) crc.getValue());
    }
  }
}
