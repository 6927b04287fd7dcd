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
 * All members of a file, compressed once and checked, in memory. Thread-safe; the memory goes with
 * the object.
 */
final class CompressedPieces {
  private final MappedFile compressed;
  private final long[] ends;

  private CompressedPieces(MappedFile compressed, long[] ends) {
    this.compressed = compressed;
    this.ends = ends;
  }

  /** Compresses a file, and compares what each member decompresses to with its piece. */
  static CompressedPieces of(CompressionCodec library, MappedFile source, Workplace workplace)
      throws IOException {
    int pieces = source.pieces(MemberCodec.PIECE_BYTES);
    long[] ends = new long[pieces];
    Path file = Files.createTempFile(workplace.client(), "ceiling-", ".gz");
    try (MemberCodec codec = new MemberCodec(library);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < pieces; i++) {
        ByteBuffer piece = source.piece(i, MemberCodec.PIECE_BYTES);
        ByteBuffer member = codec.compress(piece.duplicate());
        SocketEnd.writeAll(channel, member.duplicate());
        if (!codec.decompress(member).equals(piece)) {
          throw new IOException("member " + i + " does not decompress to what was compressed");
        }
        ends[i] = channel.position();
      }
      return new CompressedPieces(MappedFile.of(file), ends);
    } finally {
      // The mapping outlives the name: nothing is left behind by a fork that is killed.
      Files.delete(file);
    }
  }

  /** A member. */
  ByteBuffer member(int index) {
    long start = index == 0 ? 0 : ends[index - 1];
    return compressed.slice(start, (int) (ends[index] - start));
  }

  /** Bytes of all members. */
  long bytes() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }
}
