package dev.ferry.lab.run;

import dev.ferry.lab.model.Codec;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.util.function.Predicate;

/** Which libraries of {@code ferry-pack} a process has really used. */
final class UsedCodecs {
  private UsedCodecs() {}

  /** Fails where this process has used another library than a row's label says. */
  static void require(Codec promised) throws IOException {
    require(promised, PackCodec::used);
  }

  /** The same for the libraries that were used. The JDK's may stand in for any other. */
  static void require(Codec promised, Predicate<PackCodec> used) throws IOException {
    for (PackCodec codec : PackCodec.values()) {
      if (used.test(codec)
          && codec != PackCodec.GZIP_JDK
          && !promised.library().equals(codec.label())) {
        throw new IOException(
            "codec is " + codec.label() + ", the row's label says " + promised.label());
      }
    }
  }
}
