package dev.ferry.core;

import dev.ferry.core.internal.ChannelReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** SHA-256 digest (FIPS 180-4) of a whole, unencoded file. Immutable. */
public final class Sha256 implements Digest {
  /** Digest length in bytes. */
  public static final int LENGTH = 32;

  private final byte[] bytes;

  private Sha256(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Creates a digest from a copy of 32 bytes.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} unless there are exactly 32 bytes
   */
  public static Sha256 of(byte[] digest) throws FerryException {
    if (digest.length != LENGTH) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "a SHA-256 digest has " + LENGTH + " bytes, this one has " + digest.length);
    }
    return new Sha256(digest.clone());
  }

  /** Computes the digest of a file. */
  public static Sha256 ofFile(Path file) throws IOException {
    return (Sha256) Algorithm.SHA256.ofFile(file);
  }

  /** Computes the digest of a whole file without moving the channel's position. */
  static Sha256 ofChannel(FileChannel channel) throws IOException {
    Running digest = new Running();
    digest.read(channel, 0, Long.MAX_VALUE);
    return digest.finish();
  }

  /** An incremental digest. One thread at a time. */
  public static final class Running {
    private final MessageDigest digest = newDigest();
    private @Nullable ChannelReader reader;

    /** Begins a digest, of no byte so far. */
    public Running() {}

    /** Adds the remaining bytes of a buffer. Its position then is its limit. */
    public void add(ByteBuffer bytes) {
      digest.update(bytes);
    }

    /**
     * Adds the bytes of a file between two positions, or up to the end of the file. Does not move
     * the channel's position.
     *
     * @return the position after the last byte added
     */
    public long read(FileChannel channel, long from, long to) throws IOException {
      ChannelReader open = reader == null ? new ChannelReader() : reader;
      reader = open;
      return open.read(channel, from, to, digest::update);
    }

    /** Returns the digest of all added bytes. No other call may follow. */
    public Sha256 finish() {
      return new Sha256(digest.digest());
    }
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.SHA256;
  }

  /** Returns a copy of the 32 bytes. */
  @Override
  public byte[] toBytes() {
    return bytes.clone();
  }

  /** Returns the digest as 64 lower-case hexadecimal digits. */
  @Override
  public String toHex() {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Sha256 other && MessageDigest.isEqual(bytes, other.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return toHex();
  }
}
