package dev.ferry.core;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A digest of a whole, unencoded file. Immutable. */
public sealed interface Digest permits Crc32c, Sha256 {
  /** What both ends of a transfer can compute and compare. */
  enum Algorithm {
    /**
     * CRC-32C (RFC 9260, appendix A). Detects errors of the transport. Both ends compute it over
     * the bytes as they pass, which costs a fifth of a second of one core per gigabyte.
     */
    CRC32C("CRC-32C", "crc32c"),

    /**
     * SHA-256 (FIPS 180-4). Identifies a file. The sender computes it over the bytes that it reads,
     * the receiver from its file, which costs about one second of one core per gigabyte.
     */
    SHA256("SHA-256", "sha256");

    private final String label;
    private final String id;

    Algorithm(String label, String id) {
      this.label = label;
      this.id = id;
    }

    /** The name in texts, for instance {@code CRC-32C}. */
    public String label() {
      return label;
    }

    /** The name on command lines and in output, for instance {@code crc32c}. */
    public String id() {
      return id;
    }

    /** Computes the digest of a file. */
    public Digest ofFile(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file)) {
        return ofChannel(channel);
      }
    }

    /**
     * Returns a digest that a server has to give of a file, to be compared.
     *
     * @param name the name of the file in a message
     * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it has given none, or that
     *     of another algorithm
     */
    public Digest requireGiven(@Nullable Digest given, String name) throws FerryException {
      if (given == null || given.algorithm() != this) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            ("%s: the server gives no %s to verify it by; --checksum none, or withDigest(null) in a"
                    + " program, transfers it unverified")
                .formatted(name, label));
      }
      return given;
    }

    /** Computes the digest of a whole file without moving the channel's position. */
    Digest ofChannel(FileChannel channel) throws IOException {
      return switch (this) {
        case CRC32C -> Crc32c.ofChannel(channel);
        case SHA256 -> Sha256.ofChannel(channel);
      };
    }
  }

  /** The algorithm that computed this digest. */
  Algorithm algorithm();

  /** Returns a copy of the bytes. */
  byte[] toBytes();

  /** Returns the digest in lower-case hexadecimal digits. */
  String toHex();
}
