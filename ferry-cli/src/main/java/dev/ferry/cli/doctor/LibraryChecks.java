package dev.ferry.cli.doctor;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.wire.TlsProvider;
import io.netty.channel.epoll.Epoll;
import java.util.List;
import java.util.Optional;

/** Which native libraries load on this machine, and what replaces those that do not. */
public final class LibraryChecks {
  private LibraryChecks() {}

  /** Loads each library. */
  public static List<Finding> all() {
    return List.of(
        Epoll.isAvailable()
            ? Finding.ok("epoll", "loads")
            : Finding.note(
                "epoll",
                "does not load ("
                    + reason(Epoll.unavailabilityCause())
                    + "); sockets are those of the JDK, which take more CPU"),
        TlsProvider.BORING_SSL.isAvailable()
            ? Finding.ok("BoringSSL", "loads; it encrypts TLS")
            : Finding.note(
                "BoringSSL", "does not load; the JDK encrypts TLS, for about twice the CPU"),
        library(
            CompressionCodec.GZIP_INTEL, "the JDK compresses and decompresses gzip, more slowly"),
        library(CompressionCodec.ZSTD, "clients that want zstd get gzip"));
  }

  private static Finding library(CompressionCodec codec, String otherwise) {
    Optional<String> obstacle = codec.obstacle();
    return obstacle.isEmpty()
        ? Finding.ok(codec.encoding(), codec.label() + " loads")
        : Finding.note(
            codec.encoding(),
            codec.label() + " does not load (" + obstacle.get() + "); " + otherwise);
  }

  private static String reason(Throwable cause) {
    return String.valueOf(cause.getMessage());
  }
}
