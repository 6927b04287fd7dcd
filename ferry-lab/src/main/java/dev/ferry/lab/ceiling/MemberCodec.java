package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.Compressor;
import dev.ferry.compress.Decompressor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Compresses and decompresses gzip members of up to 64 KiB at level 1, in buffers of its own. Used
 * by one thread; closing releases the native codecs.
 */
final class MemberCodec implements AutoCloseable {
  /** Most bytes of a member, decompressed. */
  static final int PIECE_BYTES = 64 * 1024;

  private static final int LEVEL = 1;

  private final Compressor compressor;
  private final Decompressor decompressor;
  private final ByteBuffer compressed;
  private final ByteBuffer decompressed = ByteBuffer.allocateDirect(PIECE_BYTES);

  MemberCodec(CompressionCodec codec) {
    compressor = codec.newCompressor(LEVEL);
    decompressor = codec.newDecompressor();
    compressed = ByteBuffer.allocateDirect(compressor.bound(PIECE_BYTES));
  }

  /** Compresses a piece as one member; the answer is good until the next call. */
  ByteBuffer compress(ByteBuffer piece) {
    compressor.compress(piece, compressed.clear());
    return compressed.flip();
  }

  /**
   * Decompresses one member and checks it; the answer is good until the next call.
   *
   * @throws IOException if the member is broken or longer than a piece
   */
  ByteBuffer decompress(ByteBuffer member) throws IOException {
    decompressor.decompress(member, decompressed.clear());
    return decompressed.flip();
  }

  @Override
  public void close() {
    compressor.close();
    decompressor.close();
  }
}
