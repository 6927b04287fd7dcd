package dev.ferry.wire;

/**
 * The library that compresses and decompresses gzip over gRPC and gRPC-Web. The format is the same,
 * so both ends may have different ones. HTTP always uses the JDK's.
 */
public enum GzipLibrary {
  /**
   * Intel GKL if {@code com.intel.gkl:gkl} is on the class path and loads, else the JDK. Intel GKL
   * compresses only at level 1; other levels use the JDK. It is looked up on first use.
   */
  FASTEST,

  /** {@code java.util.zip} of the JDK at all levels. No native library is loaded for gzip. */
  JDK
}
