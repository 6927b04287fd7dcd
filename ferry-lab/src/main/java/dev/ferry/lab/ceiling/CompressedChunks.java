package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * All gzip members of a file, compressed once, verified and kept in memory. The memory is freed
 * with the object. Thread-safe.
 */
record CompressedChunks(MappedFile compressed, long[] ends) {
  /** Compresses a file and compares each decompressed member with its chunk. */
  static CompressedChunks of(CompressionCodec library, MappedFile source, Workplace workplace)
      throws IOException {
    int chunks = source.chunks(MemberCodec.CHUNK_BYTES);
    long[] ends = new long[chunks];
    Path file = Files.createTempFile(workplace.client(), "ceiling-", ".gz");
    try (MemberCodec codec = new MemberCodec(library);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < chunks; i++) {
        ByteBuffer chunk = source.chunk(i, MemberCodec.CHUNK_BYTES);
        ByteBuffer member = codec.compress(chunk.duplicate());
        SocketEnd.writeAll(channel, member.duplicate());
        if (!codec.decompress(member).equals(chunk)) {
          throw new IOException("member " + i + " does not decompress to what was compressed");
        }
        ends[i] = channel.position();
      }
      return new CompressedChunks(MappedFile.of(file), ends);
    } finally {
      // The mapping stays valid after the file is deleted, so a killed fork leaves no file.
      Files.delete(file);
    }
  }

  ByteBuffer member(int index) {
    long start = index == 0 ? 0 : ends[index - 1];
    return compressed.slice(start, (int) (ends[index] - start));
  }

  /** Returns the total size of all members in bytes. */
  long bytes() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }
}
