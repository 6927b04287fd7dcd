package dev.ferry.lab.ceiling;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A memory-mapped file. Neither the heap nor direct memory limits its size. The mapping is released
 * with the object. Thread-safe.
 */
record MappedFile(List<MappedByteBuffer> segments, long size) {
  /** Maximum size of one mapping in bytes. */
  private static final int SEGMENT_BYTES = 1 << 30;

  /** Maps a file. The file must not change while it is mapped. */
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

  /** Returns the number of chunks of a length. The last chunk may be shorter. */
  int chunks(int length) {
    return Math.toIntExact((size + length - 1) / length);
  }

  /**
   * Returns a chunk of the file.
   *
   * @param length the length of every chunk except the last in bytes; a power of two
   */
  ByteBuffer chunk(int index, int length) {
    long start = (long) index * length;
    return slice(start, (int) Math.min(length, size - start));
  }

  /** Returns a range of the file. The result is a copy if the range crosses two mappings. */
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
