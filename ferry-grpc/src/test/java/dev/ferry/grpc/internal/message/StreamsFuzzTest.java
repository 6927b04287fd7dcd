package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import dev.ferry.compress.CompressionCodec;
import dev.ferry.compress.Compressor;
import dev.ferry.compress.CorruptDataException;
import dev.ferry.compress.DecompressedTooLargeException;
import dev.ferry.compress.Decompressor;
import dev.ferry.core.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Streams of gzip and zstd, to each library, and to the plain streams of the JDK and of zstd-jni.
 * The first byte chooses a level, and where the buffers are.
 *
 * <p>It is in this module since ferry-compress is tested before ferry-core, whose tests have the
 * {@link FuzzTarget}.
 */
final class StreamsFuzzTest implements FuzzTarget {
  private static final int MOST = 256 * 1024;
  private static final int DIRECT_INPUT = 1;
  private static final int DIRECT_TARGET = 2;

  @Override
  public void parse(byte[] input) throws Exception {
    if (input.length < 1) {
      return;
    }
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    byte[] jdk = check(CompressionCodec.GZIP_JDK, input[0], bytes);
    if (CompressionCodec.GZIP_INTEL.available()) {
      assertThat(check(CompressionCodec.GZIP_INTEL, input[0], bytes)).isEqualTo(jdk);
    }
    if (CompressionCodec.ZSTD.available()) {
      byte[] unused = check(CompressionCodec.ZSTD, input[0], bytes);
    }
  }

  private static byte @Nullable [] check(CompressionCodec codec, int choice, byte[] bytes)
      throws IOException {
    try (Decompressor decompressor = codec.newDecompressor();
        Compressor compressor = codec.newCompressor(1 + (choice >> 2 & 7))) {
      byte[] decompressed = decompress(codec, decompressor, choice, bytes);
      if (decompressed != null) {
        byte[] reference = reference(codec, bytes);
        assertThat(decompressed).isEqualTo(reference == null ? decompressed : reference);
      }
      ByteBuffer plain = buffer(bytes, (choice & DIRECT_INPUT) != 0);
      ByteBuffer target = room(compressor.bound(bytes.length), (choice & DIRECT_TARGET) != 0);
      int length = compressor.compress(plain, target);
      byte[] compressed = new byte[length];
      target.flip().get(compressed);
      assertThat(codec.decompressedSize(ByteBuffer.wrap(compressed))).hasValue(bytes.length);
      assertThat(decompress(codec, decompressor, choice, compressed)).isEqualTo(bytes);
      assertThat(reference(codec, compressed)).isEqualTo(bytes);
      return decompressed;
    }
  }

  private static ByteBuffer buffer(byte[] bytes, boolean direct) {
    return room(bytes.length, direct).put(bytes).flip();
  }

  private static ByteBuffer room(int bytes, boolean direct) {
    return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  /** Returns the bytes; null if they are corrupt or too many. */
  private static byte @Nullable [] decompress(
      CompressionCodec codec, Decompressor decompressor, int choice, byte[] bytes) {
    ByteBuffer in = buffer(bytes, (choice & DIRECT_INPUT) != 0);
    ByteBuffer target = room(MOST, (choice & DIRECT_TARGET) != 0);
    try {
      assertThat(codec.decompressedSize(in).orElse(0)).isNotNegative();
      assertThat(in.position()).isZero();
      int length = decompressor.decompress(in, target);
      assertThat(target.position()).isEqualTo(length);
      assertThat(in.hasRemaining()).isFalse();
      byte[] decompressed = new byte[length];
      target.flip().get(decompressed);
      return decompressed;
    } catch (CorruptDataException | DecompressedTooLargeException e) {
      assertThat(String.valueOf(e.getMessage())).doesNotContain("\n");
      return null;
    }
  }

  /**
   * Returns the bytes by way of a plain stream; null if that does not accept the window or a block
   * that is larger than it. A decompressor of whole messages needs no window: it has the bytes in
   * its target, and libzstd then does not compare them.
   */
  private static byte @Nullable [] reference(CompressionCodec codec, byte[] bytes)
      throws IOException {
    InputStream in = new ByteArrayInputStream(bytes);
    try (InputStream plain =
        codec == CompressionCodec.ZSTD ? new ZstdInputStream(in) : new GZIPInputStream(in)) {
      return plain.readAllBytes();
    } catch (ZstdIOException e) {
      long code = e.getErrorCode();
      if (code != Zstd.errFrameParameterWindowTooLarge()
          && code != Zstd.errCorruptionDetected()
          && code != Zstd.errDstSizeTooSmall()) {
        throw e;
      }
      return null;
    }
  }
}
