package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.Compressor;
import dev.ferry.compress.Decompressor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Compresses and decompresses gzip members of up to 64 KiB at level 1 in its own buffers. Used by
 * one thread. {@code close} releases the native codecs.
 */
final class MemberCodec implements AutoCloseable {
  /** Maximum decompressed size of a member in bytes. */
  static final int CHUNK_BYTES = 64 * 1024;

  private static final int LEVEL = 1;

  private final Compressor compressor;
  private final Decompressor decompressor;
  private final ByteBuffer compressed;
  private final ByteBuffer decompressed = ByteBuffer.allocateDirect(CHUNK_BYTES);

  MemberCodec(CompressionCodec codec) {
    compressor = codec.newCompressor(LEVEL);
    decompressor = codec.newDecompressor();
    compressed = ByteBuffer.allocateDirect(compressor.bound(CHUNK_BYTES));
  }

  /** Compresses a chunk into one member. The result is valid until the next call. */
  ByteBuffer compress(ByteBuffer chunk) {
    compressor.compress(chunk, compressed.clear());
    return compressed.flip();
  }

  /**
   * Decompresses and checks one member. The result is valid until the next call.
   *
   * @throws IOException if the member is corrupt or longer than a chunk
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
