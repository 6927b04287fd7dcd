package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** The libraries that can compress, each with the format that it reads and writes. */
public enum CompressionCodec {
  /** gzip by the JDK's zlib; there is always this one. */
  GZIP_JDK("gzip", "java.util.zip") {
    @Override
    public Optional<String> obstacle() {
      return Optional.empty();
    }

    @Override
    Compressor createCompressor(int level) {
      return level == 0 ? new StoredGzipCompressor() : new JdkGzipCompressor(level);
    }

    @Override
    Decompressor createDecompressor() {
      return new JdkGzipDecompressor();
    }
  },

  /**
   * gzip by Intel's GKL, where {@code com.intel.gkl:gkl} is on the class path, on x86-64 Linux and
   * macOS. AllCodecs at level 1; the other levels are the JDK's, as {@link #label(int)} says.
   */
  GZIP_INTEL("gzip", "Intel GKL 0.9.1") {
    @Override
    public Optional<String> obstacle() {
      return IntelLibrary.obstacle();
    }

    @Override
    public String label(int level) {
      return level == IntelGzipCompressor.LEVEL ? label() : GZIP_JDK.label(level);
    }

    @Override
    Compressor createCompressor(int level) {
      return level == IntelGzipCompressor.LEVEL
          ? new IntelGzipCompressor()
          : GZIP_JDK.newCompressor(level);
    }

    @Override
    Decompressor createDecompressor() {
      return new IntelGzipDecompressor(GZIP_JDK::newDecompressor);
    }
  },

  /** Zstandard (RFC 8878), each message one frame with its length and a checksum. */
  ZSTD("zstd", "zstd-jni 1.5.7-28") {
    @Override
    public Optional<String> obstacle() {
      return ZstdLibrary.obstacle();
    }

    @Override
    public OptionalLong decompressedSize(ByteBuffer compressed) throws CorruptDataException {
      return ZstdFrame.decompressedSize(compressed);
    }

    @Override
    Compressor createCompressor(int level) {
      return new ZstdCompressor(level);
    }

    @Override
    Decompressor createDecompressor() {
      return new ZstdDecompressor();
    }

    @Override
    long mostBytes(int length) {
      return ZstdFrame.mostBytes(length);
    }

    @Override
    void mustHaveLevel(int level) {
      if (level < 1 || level > MAX_ZSTD_LEVEL) {
        throw new IllegalArgumentException(
            "zstd has no level " + level + " here: take 1 to " + MAX_ZSTD_LEVEL);
      }
    }
  };

  private static final int MAX_GZIP_LEVEL = 9;

  /** Beyond it zstd's own tool wants an --ultra, for the memory that they take. */
  private static final int MAX_ZSTD_LEVEL = 19;

  private final String encoding;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // It only ever becomes true.
  private volatile boolean used;

  CompressionCodec(String encoding, String label) {
    this.encoding = encoding;
    this.label = label;
  }

  /** The fastest codec for gzip that this machine has. */
  public static CompressionCodec fastestGzip() {
    return GZIP_INTEL.available() ? GZIP_INTEL : GZIP_JDK;
  }

  /** The name of the format, as gRPC's and HTTP's encodings have it. */
  public String encoding() {
    return encoding;
  }

  /** The library that decompresses, and compresses at level 1, for people. */
  public String label() {
    return label;
  }

  /** The library that compresses at a level, for people. */
  public String label(int level) {
    return label;
  }

  /** Whether this process has made a compressor or an decompressor of it. */
  public final boolean used() {
    return used;
  }

  /** Whether this machine has it; the first call may load a native library. */
  public final boolean available() {
    return obstacle().isEmpty();
  }

  /** Why this machine does not have it, in one line; empty if it does. */
  public abstract Optional<String> obstacle();

  /**
   * A compressor, for its caller to close.
   *
   * @param level for gzip 0 (stores) to 9 (smallest), for zstd 1 to 19
   * @throws IllegalArgumentException if there is no such level
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public final Compressor newCompressor(int level) {
    mustHaveLevel(level);
    mustBeAvailable();
    used = true;
    return createCompressor(level);
  }

  /**
   * An decompressor, for its caller to close.
   *
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public final Decompressor newDecompressor() {
    mustBeAvailable();
    used = true;
    return createDecompressor();
  }

  /**
   * The length that compressed bytes state for what they decompress to: a hint to make room by,
   * which only decompressing proves. What a {@link Compressor} has compressed always states it.
   * Where several compressed wholes are on end, it is that of one.
   *
   * @param compressed read from its position to its limit, and left as it is
   * @return bytes; empty if the format leaves it open and these bytes do
   * @throws CorruptDataException if there are too few bytes to state anything, or of another format
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public OptionalLong decompressedSize(ByteBuffer compressed) throws CorruptDataException {
    return OptionalLong.of(GzipMember.decompressedSize(compressed));
  }

  /** As {@link Compressor#bound}, which is the same at every level. */
  public final int bound(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is negative");
    }
    long bound = mostBytes(length);
    if (bound > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          length + " bytes may not fit into one buffer when compressed: compress them in pieces");
    }
    return (int) bound;
  }

  long mostBytes(int length) {
    return GzipMember.mostBytes(length);
  }

  void mustHaveLevel(int level) {
    if (level < 0 || level > MAX_GZIP_LEVEL) {
      throw new IllegalArgumentException("gzip has no level " + level + ": take 0 to 9");
    }
  }

  final void mustBeAvailable() {
    obstacle()
        .ifPresent(
            why -> {
              throw new UnsupportedOperationException(label + " cannot be used: " + why);
            });
  }

  abstract Compressor createCompressor(int level);

  abstract Decompressor createDecompressor();
}
