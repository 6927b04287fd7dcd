package dev.ferry.lab.ceiling;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file as memory: mapped, so that neither the heap nor direct memory bounds its size.
 * Thread-safe; the mapping goes with the object.
 */
final class MappedFile {
  /** What a mapping takes at most. */
  private static final int SEGMENT_BYTES = 1 << 30;

  private final List<MappedByteBuffer> segments;
  private final long size;

  private MappedFile(List<MappedByteBuffer> segments, long size) {
    this.segments = segments;
    this.size = size;
  }

  /** Maps a file that nobody changes meanwhile. */
  static MappedFile of(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      List<MappedByteBuffer> segments = new ArrayList<>();
      for (long start = 0; start < size; start += SEGMENT_BYTES) {
        long length = Math.min(SEGMENT_BYTES, size - start);
        segments.add(channel.map(FileChannel.MapMode.READ_ONLY, start, length));
      }
      return new MappedFile(List.copyOf(segments), size);
    }
  }

  /** How many pieces there are of a length, the last one perhaps shorter. */
  int pieces(int length) {
    return Math.toIntExact((size + length - 1) / length);
  }

  /**
   * A piece of the file.
   *
   * @param length bytes of every piece but the last, a power of two
   */
  ByteBuffer piece(int index, int length) {
    long start = (long) index * length;
    return slice(start, (int) Math.min(length, size - start));
  }

  /** Bytes from anywhere in the file; a copy where two mappings share them. */
  ByteBuffer slice(long start, int length) {
    int index = (int) (start / SEGMENT_BYTES);
    int offset = (int) (start % SEGMENT_BYTES);
    int here = Math.min(length, SEGMENT_BYTES - offset);
    ByteBuffer first = segments.get(index).slice(offset, here);
    return here == length
        ? first
        : ByteBuffer.allocate(length).put(first).put(slice(start + here, length - here)).flip();
  }
}
