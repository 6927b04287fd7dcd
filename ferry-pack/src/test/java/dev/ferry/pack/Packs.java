package dev.ferry.pack;

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

/** What several tests pack and unpack with. */
final class Packs {
  private Packs() {}

  static List<PackCodec> available() {
    return Stream.of(PackCodec.values()).filter(PackCodec::available).toList();
  }

  static List<PackCodec> availableGzip() {
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

  static byte[] gunzip(byte[] packed) throws IOException {
    return new GZIPInputStream(new ByteArrayInputStream(packed)).readAllBytes();
  }

  static byte[] pack(Packer packer, byte[] bytes) {
    ByteBuffer target = ByteBuffer.allocate(packer.bound(bytes.length));
    packer.pack(ByteBuffer.wrap(bytes), target);
    return Arrays.copyOf(target.array(), target.position());
  }

  static byte[] unpack(Unpacker unpacker, byte[] packed, int room)
      throws CorruptPackException, UnpackedTooLargeException {
    ByteBuffer target = ByteBuffer.allocate(room);
    unpacker.unpack(ByteBuffer.wrap(packed), target);
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
