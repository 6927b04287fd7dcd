package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * All members of a file, packed once and checked, in memory. Thread-safe; the memory goes with the
 * object.
 */
final class PackedPieces {
  private final MappedFile packed;
  private final long[] ends;

  private PackedPieces(MappedFile packed, long[] ends) {
    this.packed = packed;
    this.ends = ends;
  }

  /** Packs a file; whether each member unpacks to its piece is compared byte by byte. */
  static PackedPieces of(PackCodec library, MappedFile source, Workplace workplace)
      throws IOException {
    int pieces = source.pieces(MemberCodec.PIECE_BYTES);
    long[] ends = new long[pieces];
    Path file = Files.createTempFile(workplace.client(), "ceiling-", ".gz");
    try (MemberCodec codec = new MemberCodec(library);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < pieces; i++) {
        ByteBuffer piece = source.piece(i, MemberCodec.PIECE_BYTES);
        ByteBuffer member = codec.pack(piece.duplicate());
        SocketEnd.writeAll(channel, member.duplicate());
        if (!codec.unpack(member).equals(piece)) {
          throw new IOException("member " + i + " does not unpack to what was packed");
        }
        ends[i] = channel.position();
      }
      return new PackedPieces(MappedFile.of(file), ends);
    } finally {
      // The mapping outlives the name: nothing is left behind by a fork that is killed.
      Files.delete(file);
    }
  }

  /** A member. */
  ByteBuffer member(int index) {
    long start = index == 0 ? 0 : ends[index - 1];
    return packed.slice(start, (int) (ends[index] - start));
  }

  /** Bytes of all members. */
  long bytes() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }
}
