package dev.ferry.wire;

import dev.ferry.core.internal.LocalAttributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the files of a {@link ServerTls} again when they have changed. Thread-safe. */
final class CertificateFiles {
  /** Minimum time from one look at the files to the next. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final Logger LOG = LoggerFactory.getLogger(CertificateFiles.class);

  private final Path certificates;
  private final Path key;
  private final @Nullable Path clientIssuers;
  private final LongSupplier nanoTime;
  private String seen;
  private long looked;
  private @Nullable ServerTls newest;
  private String warned = "";

  /** Remembers how the files are now, so that the caller reads them afterwards. */
  CertificateFiles(
      Path certificates, Path key, @Nullable Path clientIssuers, LongSupplier nanoTime) {
    this.certificates = certificates;
    this.key = key;
    this.clientIssuers = clientIssuers;
    this.nanoTime = nanoTime;
    looked = nanoTime.getAsLong();
    seen = facts();
  }

  /**
   * Returns the contents that were read last after a change; null if there was no change. Files
   * that cannot be used are logged once, change nothing, and are read again at the next look.
   *
   * @param provider what has to take the certificate
   */
  synchronized @Nullable ServerTls newest(TlsProvider provider) {
    long now = nanoTime.getAsLong();
    if (now - looked < PAUSE_NANOS) {
      return newest;
    }
    looked = now;
    // Taken before the files are read: what is written meanwhile is another change.
    String found = facts();
    if (!found.equals(seen)) {
      try {
        newest = ServerTls.read(certificates, key, clientIssuers, provider);
        seen = found;
        warned = "";
      } catch (IOException e) {
        warn(String.valueOf(e.getMessage()));
      }
    }
    return newest;
  }

  private void warn(String failure) {
    if (!failure.equals(warned)) {
      LOG.warn("{}. New connections keep the certificate that was read before", failure);
      warned = failure;
    }
  }

  private String facts() {
    return facts(certificates) + facts(key) + (clientIssuers == null ? "" : facts(clientIssuers));
  }

  private static String facts(Path file) {
    try {
      return LocalAttributes.read(file).version() + "\n";
    } catch (IOException e) {
      // To read the files will fail as well, and say so.
      return "unreadable\n";
    }
  }
}
