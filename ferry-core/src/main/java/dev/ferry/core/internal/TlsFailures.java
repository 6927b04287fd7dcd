package dev.ferry.core.internal;

import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import javax.net.ssl.SSLException;

/** Describes why a TLS handshake of a client failed. */
final class TlsFailures {
  /** What the JDK's trust managers say of a certificate for another host. */
  private static final String OTHER_NAME = "matching";

  /** How Ferry's own trust managers end what they say of a key or a certificate. */
  private static final List<String> OWN_ENDS = List.of("which is not pinned", "not for this host");

  private static final String NO_NAME = "No subject alternative names";
  private static final String ALERT = "fatal alert";

  private TlsFailures() {}

  /**
   * Describes a failure, in words that follow the name of the server.
   *
   * @param failure a client's exception, with its causes
   */
  static String describe(Throwable failure) {
    String found = "does not speak TLS";
    for (Throwable t = failure; t != null; t = t.getCause()) {
      String text = String.valueOf(t.getMessage());
      if (t instanceof CertificateExpiredException) {
        return "has an expired certificate";
      } else if (t instanceof CertificateNotYetValidException) {
        return "has a certificate that is not valid yet";
      } else if (t instanceof CertificateException && OWN_ENDS.stream().anyMatch(text::endsWith)) {
        return text;
      } else if (t instanceof CertificateException) {
        boolean named = text.contains(OTHER_NAME) || text.contains(NO_NAME);
        found = "has a certificate " + (named ? "for another host name" : "that is not trusted");
      } else if (t instanceof SSLException && text.contains(ALERT)) {
        found = "refused the TLS handshake (" + text + ")";
      }
    }
    return found;
  }
}
