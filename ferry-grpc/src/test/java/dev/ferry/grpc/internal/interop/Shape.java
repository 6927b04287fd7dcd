package dev.ferry.grpc.internal.interop;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** What a peer may make of a message in a stream whose encoding is gzip. */
enum Shape {
  PLAIN {
    @Override
    boolean compresses(int index) {
      return false;
    }
  },
  COMPRESSED,
  EVERY_OTHER_COMPRESSED {
    @Override
    boolean compresses(int index) {
      return index % 2 == 1;
    }
  },
  STORED {
    @Override
    byte[] compress(byte[] message) throws IOException {
      return member(message, Deflater.NO_COMPRESSION);
    }
  },
  NAMED {
    @Override
    byte[] compress(byte[] message) throws IOException {
      return withName(member(message, Deflater.BEST_SPEED));
    }
  },
  /** Several members, the last one of nothing, so that its length says nothing of the message's. */
  MEMBERS {
    @Override
    byte[] compress(byte[] message) throws IOException {
      ByteArrayOutputStream members = new ByteArrayOutputStream();
      for (int at = 0; at < message.length; at += MEMBER_BYTES) {
        int end = Math.min(message.length, at + MEMBER_BYTES);
        members.write(member(Arrays.copyOfRange(message, at, end), Deflater.BEST_COMPRESSION));
      }
      members.write(member(new byte[0], Deflater.BEST_SPEED));
      return members.toByteArray();
    }
  };

  private static final int MEMBER_BYTES = 777;
  private static final int FIXED_HEADER = 10;
  private static final int FLAGS_AT = 3;

  /** FHCRC, FEXTRA, FNAME and FCOMMENT of RFC 1952. */
  private static final int ALL_FLAGS = 2 | 4 | 8 | 16;

  boolean compresses(int index) {
    return true;
  }

  byte[] compress(byte[] message) throws IOException {
    return member(message, Deflater.DEFAULT_COMPRESSION);
  }

  /** A message with its prefix. */
  byte[] frame(int index, byte[] message) throws IOException {
    byte[] body = compresses(index) ? compress(message) : message;
    return ByteBuffer.allocate(Byte.BYTES + Integer.BYTES + body.length)
        .put((byte) (compresses(index) ? 1 : 0))
        .putInt(body.length)
        .put(body)
        .array();
  }

  private static byte[] member(byte[] bytes, int level) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(compressed) {
          {
            def.setLevel(level);
          }
        }) {
      gzip.write(bytes);
    }
    return compressed.toByteArray();
  }

  private static byte[] withName(byte[] member) {
    byte[] header = Arrays.copyOf(member, FIXED_HEADER);
    header[FLAGS_AT] = ALL_FLAGS;
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.writeBytes(header);
    result.writeBytes(new byte[] {3, 0, 'e', 'x', 't'});
    result.writeBytes("name\0comment\0".getBytes(StandardCharsets.ISO_8859_1));
    CRC32 crc = new CRC32();
    crc.update(result.toByteArray());
    result.write((int) crc.getValue());
    result.write((int) crc.getValue() >>> Byte.SIZE);
    result.write(member, FIXED_HEADER, member.length - FIXED_HEADER);
    return result.toByteArray();
  }
}
