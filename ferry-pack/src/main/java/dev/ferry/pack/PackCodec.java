package dev.ferry.pack;

import java.nio.ByteBuffer;
import java.util.Optional;

/** The libraries that can pack, each with the format that it reads and writes. */
public enum PackCodec {
  /** gzip by the JDK's zlib; there is always this one. */
  GZIP_JDK("gzip", "java.util.zip") {
    @Override
    public Optional<String> obstacle() {
      return Optional.empty();
    }

    @Override
    Packer createPacker(int level) {
      return level == 0 ? new StoredGzipPacker() : new JdkGzipPacker(level);
    }

    @Override
    Unpacker createUnpacker() {
      return new JdkGzipUnpacker();
    }
  },

  /**
   * gzip by Intel's GKL, where {@code com.intel.gkl:gkl} is on the class path, on x86-64 Linux and
   * macOS. Packs at level 1; the other levels are the JDK's, as {@link #label(int)} says.
   */
  GZIP_INTEL("gzip", "Intel GKL 0.9.1") {
    @Override
    public Optional<String> obstacle() {
      return IntelLibrary.obstacle();
    }

    @Override
    public String label(int level) {
      return level == IntelGzipPacker.LEVEL ? label() : GZIP_JDK.label(level);
    }

    @Override
    Packer createPacker(int level) {
      return level == IntelGzipPacker.LEVEL ? new IntelGzipPacker() : GZIP_JDK.newPacker(level);
    }

    @Override
    Unpacker createUnpacker() {
      return new IntelGzipUnpacker(GZIP_JDK::newUnpacker);
    }
  };

  private static final int MAX_GZIP_LEVEL = 9;

  private final String encoding;
  private final String label;

  PackCodec(String encoding, String label) {
    this.encoding = encoding;
    this.label = label;
  }

  /** The fastest codec for gzip that this machine has. */
  public static PackCodec fastestGzip() {
    return GZIP_INTEL.available() ? GZIP_INTEL : GZIP_JDK;
  }

  /** The name of the format, as gRPC's and HTTP's encodings have it. */
  public String encoding() {
    return encoding;
  }

  /** The library that unpacks, and packs at level 1, for people. */
  public String label() {
    return label;
  }

  /** The library that packs at a level, for people. */
  public String label(int level) {
    return label;
  }

  /** Whether this machine has it; the first call may load a native library. */
  public final boolean available() {
    return obstacle().isEmpty();
  }

  /** Why this machine does not have it, in one line; empty if it does. */
  public abstract Optional<String> obstacle();

  /**
   * A packer, for its caller to close.
   *
   * @param level 0 (stores) to 9 (smallest)
   * @throws IllegalArgumentException if there is no such level
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public final Packer newPacker(int level) {
    mustHaveLevel(level);
    mustBeAvailable();
    return createPacker(level);
  }

  /**
   * An unpacker, for its caller to close.
   *
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public final Unpacker newUnpacker() {
    mustBeAvailable();
    return createUnpacker();
  }

  /**
   * The length that packed bytes state for what they unpack to: a hint to make room by, which only
   * unpacking proves. Where several packed wholes are on end, it is that of the last.
   *
   * @param packed read from its position to its limit, and left as it is
   * @throws CorruptPackException if there are too few bytes to state anything
   */
  public long unpackedSize(ByteBuffer packed) throws CorruptPackException {
    return GzipMember.unpackedSize(packed);
  }

  /** As {@link Packer#bound}, which is the same at every level. */
  public int bound(int length) {
    return GzipMember.bound(length);
  }

  void mustHaveLevel(int level) {
    if (level < 0 || level > MAX_GZIP_LEVEL) {
      throw new IllegalArgumentException("gzip has no level " + level + ": take 0 to 9");
    }
  }

  private void mustBeAvailable() {
    obstacle()
        .ifPresent(
            why -> {
              throw new UnsupportedOperationException(label + " cannot be used: " + why);
            });
  }

  abstract Packer createPacker(int level);

  abstract Unpacker createUnpacker();
}
