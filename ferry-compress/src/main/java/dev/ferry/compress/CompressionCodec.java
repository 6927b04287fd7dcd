package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** Compression libraries with the format that each reads and writes. */
public enum CompressionCodec {
  /** gzip with the JDK's zlib; always available. */
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
   * gzip with Intel GKL, if {@code com.intel.gkl:gkl} is on the class path, on x86-64 Linux and
   * macOS. It compresses only at level 1; other levels use the JDK.
   */
  GZIP_INTEL("gzip", "Intel GKL 0.9.1") {
    @Override
    public Optional<String> obstacle() {
      return IntelLibrary.obstacle();
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

  /** Zstandard (RFC 8878). Each message is one frame with its content size and a checksum. */
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

  /** Higher levels need much more memory; the zstd tool requires --ultra for them. */
  private static final int MAX_ZSTD_LEVEL = 19;

  private final String encoding;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // It changes only once, to true.
  private volatile boolean used;

  CompressionCodec(String encoding, String label) {
    this.encoding = encoding;
    this.label = label;
  }

  /** The fastest gzip codec that is available on this machine. */
  public static CompressionCodec fastestGzip() {
    return GZIP_INTEL.available() ? GZIP_INTEL : GZIP_JDK;
  }

  /** The name of the format as a content coding in gRPC and HTTP. */
  public String encoding() {
    return encoding;
  }

  /** The library that decompresses, and that compresses at level 1, for display. */
  public String label() {
    return label;
  }

  /** Whether this process has created a compressor or a decompressor of this codec. */
  public final boolean used() {
    return used;
  }

  /** Whether the codec is available on this machine. The first call may load a native library. */
  public final boolean available() {
    return obstacle().isEmpty();
  }

  /** Why the codec is not available, in one line; empty if it is available. */
  public abstract Optional<String> obstacle();

  /**
   * Creates a compressor. The caller closes it.
   *
   * @param level for gzip 0 (stored) to 9 (smallest), for zstd 1 to 19
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
   * Creates a decompressor. The caller closes it.
   *
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public final Decompressor newDecompressor() {
    mustBeAvailable();
    used = true;
    return createDecompressor();
  }

  /**
   * Returns the decompressed size that compressed data states. It is a hint for allocating a
   * buffer; it is verified only by decompressing. Output of a {@link Compressor} always states it.
   * If the data consists of several gzip members or zstd frames, it is the size of one.
   *
   * @param compressed read from its position to its limit; its position does not change
   * @return bytes; empty if the format makes the size optional and this data does not state it
   * @throws CorruptDataException if the data is too short, or a zstd frame does not begin there
   * @throws UnsupportedOperationException if the codec is not {@linkplain #available available}
   */
  public OptionalLong decompressedSize(ByteBuffer compressed) throws CorruptDataException {
    return OptionalLong.of(GzipMember.decompressedSize(compressed));
  }

  /** As {@link Compressor#bound}. It is the same at every level. */
  public final int bound(int length) {
    if (length < 0) {
      throw new IllegalArgumentException("length " + length + " is negative");
    }
    long bound = mostBytes(length);
    if (bound > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          length + " bytes may not fit into one buffer when compressed: compress them in chunks");
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
