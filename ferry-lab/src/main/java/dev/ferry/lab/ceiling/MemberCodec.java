package dev.ferry.lab.ceiling;

import dev.ferry.pack.PackCodec;
import dev.ferry.pack.Packer;
import dev.ferry.pack.Unpacker;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Packs and unpacks gzip members of up to 64 KiB at level 1, in buffers of its own. Used by one
 * thread; closing releases the native codecs.
 */
final class MemberCodec implements AutoCloseable {
  /** Most bytes of a member, unpacked. */
  static final int PIECE_BYTES = 64 * 1024;

  private static final int LEVEL = 1;

  private final Packer packer;
  private final Unpacker unpacker;
  private final ByteBuffer packed;
  private final ByteBuffer unpacked = ByteBuffer.allocateDirect(PIECE_BYTES);

  MemberCodec(PackCodec codec) {
    packer = codec.newPacker(LEVEL);
    unpacker = codec.newUnpacker();
    packed = ByteBuffer.allocateDirect(packer.bound(PIECE_BYTES));
  }

  /** Packs a piece as one member; the answer is good until the next call. */
  ByteBuffer pack(ByteBuffer piece) {
    packer.pack(piece, packed.clear());
    return packed.flip();
  }

  /**
   * Unpacks one member and checks it; the answer is good until the next call.
   *
   * @throws IOException where the member is broken or longer than a piece
   */
  ByteBuffer unpack(ByteBuffer member) throws IOException {
    unpacker.unpack(member, unpacked.clear());
    return unpacked.flip();
  }

  @Override
  public void close() {
    packer.close();
    unpacker.close();
  }
}
