package dev.ferry.grpc.internal.raw;

import com.google.protobuf.ByteString;
import dev.ferry.wire.internal.v1.FileEnd;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;

/** The bytes of gRPC messages, made by hand. */
public final class Messages {
  static final int PREFIX = 5;

  private Messages() {}

  /**
   * The first message of a stream.
   *
   * @param size negative leaves it out
   */
  public static byte[] facts(String name, long size) {
    FileFacts.Builder facts = FileFacts.newBuilder().setName(name);
    if (size >= 0) {
      facts.setSize(size);
    }
    return FilePart.newBuilder().setFacts(facts).build().toByteArray();
  }

  /** A message with a part of a file. */
  public static byte[] chunk(byte[] bytes, int offset, int length) {
    return FilePart.newBuilder()
        .setChunk(ByteString.copyFrom(bytes, offset, length))
        .build()
        .toByteArray();
  }

  /** A message with a chunk. */
  public static byte[] chunk(byte[] bytes) {
    return chunk(bytes, 0, bytes.length);
  }

  /** The last message of a stream. */
  public static byte[] end(byte[] digest) {
    return FilePart.newBuilder()
        .setEnd(FileEnd.newBuilder().setSha256(ByteString.copyFrom(digest)))
        .build()
        .toByteArray();
  }

  /** One gzip member. */
  public static byte[] gzip(int level, byte[] bytes, int offset, int length) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out =
        new GZIPOutputStream(compressed) {
          {
            def.setLevel(level);
          }
        }) {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return compressed.toByteArray();
  }

  /** One gzip member with all of it. */
  public static byte[] gzip(byte[] bytes) {
    return gzip(1, bytes, 0, bytes.length);
  }

  /** A message with gRPC's prefix. */
  public static byte[] prefixed(boolean compressed, byte[] message) {
    return ByteBuffer.allocate(PREFIX + message.length)
        .put((byte) (compressed ? 1 : 0))
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** All in a row. */
  public static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Cuts bytes into at most so many frames of random length, each of 16 KiB at most. */
  public static List<byte[]> cut(byte[] bytes, int frames, Random random) {
    List<byte[]> cut = new ArrayList<>();
    int most = Math.min(16 * 1024, Math.max(1, 2 * bytes.length / frames));
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes.length - at, 1 + random.nextInt(most));
      byte[] frame = new byte[length];
      System.arraycopy(bytes, at, frame, 0, length);
      cut.add(frame);
      at += length;
    }
    return cut;
  }

  /** Returns the SHA-256 of bytes. */
  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
