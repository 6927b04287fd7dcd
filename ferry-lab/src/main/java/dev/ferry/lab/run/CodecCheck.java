package dev.ferry.lab.run;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.model.Codec;
import java.io.IOException;
import java.util.function.Predicate;

/** Which libraries of {@code ferry-compress} a process has really used. */
final class CodecCheck {
  private CodecCheck() {}

  /** Fails where this process has used another library than a row's label says. */
  static void require(Codec promised) throws IOException {
    require(promised, CompressionCodec::used);
  }

  /** The same for the libraries that were used. The JDK's may stand in for any other. */
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
