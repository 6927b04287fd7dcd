package dev.ferry.compress;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** What several tests compress and decompress with. */
final class AllCodecs {
  private AllCodecs() {}

  static List<CompressionCodec> available() {
    return Stream.of(CompressionCodec.values()).filter(CompressionCodec::available).toList();
  }

  static List<CompressionCodec> availableGzip() {
    return available().stream().filter(codec -> codec.encoding().equals("gzip")).toList();
  }

  static byte[] gzip(byte[] bytes, int level) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out) {
          {
            def.setLevel(level);
          }
        }) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toByteArray();
  }

  static byte[] gzip(byte[] bytes) {
    return gzip(bytes, Deflater.BEST_SPEED);
  }

  static byte[] gunzip(byte[] compressed) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(compressed)).readAllBytes();
  }

  static byte[] compress(Compressor compressor, byte[] bytes) {
    ByteBuffer target = ByteBuffer.allocate(compressor.bound(bytes.length));
    compressor.compress(ByteBuffer.wrap(bytes), target);
    return Arrays.copyOf(target.array(), target.position());
  }

  static byte[] decompress(Decompressor decompressor, byte[] compressed, int room)
      throws CorruptDataException, DecompressedTooLargeException {
    ByteBuffer target = ByteBuffer.allocate(room);
    decompressor.decompress(ByteBuffer.wrap(compressed), target);
    return Arrays.copyOf(target.array(), target.position());
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** The same member with the optional parts of a header that the flags name. */
  static byte[] withHeader(byte[] member, int flags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(member, 0, 3);
    out.write(flags);
    out.write(member, 4, 6);
    if ((flags & 4) != 0) {
      out.writeBytes(new byte[] {3, 0, 'a', 0, 'c'});
    }
    if ((flags & 8) != 0) {
      out.writeBytes(new byte[] {'n', 'a', 'm', 'e', 0});
    }
    if ((flags & 16) != 0) {
      out.write(0);
    }
    if ((flags & 2) != 0) {
      CRC32 crc = new CRC32();
      crc.update(out.toByteArray());
      out.write((int) crc.getValue());
      out.write((int) (crc.getValue() >> 8));
    }
    out.write(member, 10, member.length - 10);
    return out.toByteArray();
  }
}
