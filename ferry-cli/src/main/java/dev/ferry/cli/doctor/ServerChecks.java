package dev.ferry.cli.doctor;

import dev.ferry.core.ByteSize;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerTls;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** What a server is given by its options: a folder, ports and a certificate. */
public final class ServerChecks {
  private static final int SOON_DAYS = 30;

  private ServerChecks() {}

  /**
   * Checks that a port is free, by listening on it for a moment.
   *
   * @param protocol what the server speaks there
   */
  public static Finding port(String host, int port, String protocol) {
    String subject = "port " + port;
    InetSocketAddress address = new InetSocketAddress(host, port);
    if (address.isUnresolved()) {
      return Finding.fault(
          subject, host + " is not an address of this machine; give one with --host");
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address);
      return Finding.ok(subject, "free on " + host + ", for " + protocol);
    } catch (IOException e) {
      return Finding.fault(
          subject,
          "cannot be used on %s for %s (%s); end what listens there ('ss -ltnp' names it), or choose"
                  .formatted(host, protocol, e.getMessage())
              + " another host or port");
    }
  }

  /** Checks that a folder can be read and written, and how much fits in. */
  public static Finding folder(Path folder) {
    try {
      LocalFileStore store = LocalFileStore.open(folder);
      File root = store.root().toFile();
      String space =
          "%s of %s free on its disk"
              .formatted(
                  ByteSize.readable(root.getUsableSpace()),
                  ByteSize.readable(root.getTotalSpace()));
      try {
        store.requireWritable();
        return Finding.ok("folder", store.root() + ", " + space);
      } catch (FerryException e) {
        return Finding.note(
            "folder", e.getMessage() + "; serve it with --read-only, or check its permissions");
      }
    } catch (FerryException e) {
      return Finding.fault("folder", e.getMessage() + "; name a folder to serve");
    }
  }

  /** Checks a certificate and its key, in PEM files. */
  public static Finding certificate(Path certificate, Path key, Instant now) {
    try {
      ServerTls tls = ServerTls.load(certificate, key);
      Instant end = tls.certificates().get(0).getNotAfter().toInstant();
      long days = Duration.between(now, end).toDays();
      String says =
          "%s, valid for %d days, until %s, encrypted by %s"
              .formatted(names(tls), days, end, tls.provider());
      return days < SOON_DAYS
          ? Finding.note("certificate", says + "; renew it soon")
          : Finding.ok("certificate", says);
    } catch (IOException e) {
      return Finding.fault("certificate", String.valueOf(e.getMessage()));
    }
  }

  private static String names(ServerTls tls) {
    try {
      var names = tls.certificates().get(0).getSubjectAlternativeNames();
      if (names == null) {
        return "for no host name, so that clients refuse it";
      }
      return "for "
          + names.stream()
              .map(List::copyOf)
              .map(name -> String.valueOf(name.get(1)))
              .collect(Collectors.joining(", "));
    } catch (CertificateParsingException e) {
      return "for unreadable host names";
    }
  }
}
