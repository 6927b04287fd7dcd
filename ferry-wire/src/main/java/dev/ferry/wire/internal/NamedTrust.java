package dev.ferry.wire.internal;

import dev.ferry.core.internal.PlainText;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another trust manager trusts, and says of a certificate for another host which names
 * it has. The JDK says only which name it lacks, and a failed handshake leaves no certificate to
 * look at. Thread-safe.
 */
public final class NamedTrust extends ForwardingTrust {
  /** Types of GeneralName (RFC 5280, 4.2.1.6). */
  private static final int DNS = 2;

  private static final int IP = 7;

  /** More would not be read in a line. */
  private static final int MOST_NAMES = 5;

  /** How the JDK's trust managers begin what they say of a certificate for another host. */
  private static final List<String> OTHER_NAME =
      List.of("No name matching", "No subject alternative");

  /**
   * @param trust what decides
   */
  public NamedTrust(X509ExtendedTrustManager trust) {
    super(trust);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    try {
      super.checkServerTrusted(chain, authType, socket);
    } catch (CertificateException e) {
      throw named(chain, e);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    try {
      super.checkServerTrusted(chain, authType, engine);
    } catch (CertificateException e) {
      throw named(chain, e);
    }
  }

  private static CertificateException named(X509Certificate[] chain, CertificateException failure) {
    String text = String.valueOf(failure.getMessage());
    if (OTHER_NAME.stream().noneMatch(text::startsWith)) {
      return failure;
    }
    // The error of a client's call ends with this.
    return new CertificateException(
        "has a certificate for " + PlainText.of(names(chain[0])) + ", not for this host", failure);
  }

  private static String names(X509Certificate certificate) {
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      List<String> hosts =
          (all == null ? List.<List<?>>of() : all)
              .stream()
                  .filter(name -> name.get(0).equals(DNS) || name.get(0).equals(IP))
                  .map(name -> String.valueOf(name.get(1)))
                  .toList();
      if (hosts.isEmpty()) {
        String subject = certificate.getSubjectX500Principal().getName();
        return subject.isEmpty() ? "no host" : subject;
      }
      int more = hosts.size() - MOST_NAMES;
      return hosts.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
          + (more > 0 ? " and " + more + " more" : "");
    } catch (CertificateParsingException e) {
      return "names that cannot be read";
    }
  }
}
