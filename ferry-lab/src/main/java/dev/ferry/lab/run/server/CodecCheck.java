package dev.ferry.lab.run.server;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.model.Codec;
import java.io.IOException;
import java.util.function.Predicate;

/** Checks which libraries of {@code ferry-compress} a process has used. */
public final class CodecCheck {
  private CodecCheck() {}

  /** Throws if this process has used another library than the label of a row states. */
  public static void require(Codec promised) throws IOException {
    require(promised, CompressionCodec::used);
  }

  /**
   * Throws if another library was used. The JDK library is accepted as a fallback for any other.
   */
  static void require(Codec promised, Predicate<CompressionCodec> used) throws IOException {
    for (CompressionCodec codec : CompressionCodec.values()) {
      if (used.test(codec)
          && codec != CompressionCodec.GZIP_JDK
          && !promised.library().equals(codec.label())) {
        throw new IOException(
            "codec is " + codec.label() + ", the row's label says " + promised.label());
      }
    }
  }
}
