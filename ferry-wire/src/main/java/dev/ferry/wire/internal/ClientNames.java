package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.PlainText;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificates of clients, and the names in them. */
public final class ClientNames {
  private static final Logger LOG = LoggerFactory.getLogger(ClientNames.class);

  /** Types of GeneralName (RFC 5280, 4.2.1.6). */
  private static final int EMAIL = 1;

  private static final int DNS = 2;
  private static final int URI = 6;

  private static final Pattern FORM = Pattern.compile("(dns|email|uri):[^\\s*]+");

  private ClientNames() {}

  /**
   * Parses a name as {@link #of} returns it.
   *
   * @throws FerryException if it has another form; the message quotes it
   */
  static String parse(String text) throws FerryException {
    if (!FORM.matcher(text).matches()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "'"
              + PlainText.of(text)
              + "' is not a name of a certificate; give dns:NAME, email:ADDRESS or uri:URI, without"
              + " wildcards");
    }
    return text.startsWith("dns:") ? text.toLowerCase(Locale.ROOT) : text;
  }

  /**
   * Returns the certificate of a client, which was checked when it connected. A connection, and a
   * session that is resumed, may be older than the certificate's last day.
   *
   * @return null if the client has none, or it is not valid now
   */
  static @Nullable X509Certificate certificate(SSLSession session) {
    try {
      Certificate[] chain = session.getPeerCertificates();
      if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
        certificate.checkValidity();
        return certificate;
      }
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      // None, or not valid now.
    }
    return null;
  }

  /**
   * Returns the subject alternative names of a certificate: {@code dns:}, {@code email:} or {@code
   * uri:} and the name. Host names are in lower case.
   */
  public static Set<String> of(X509Certificate certificate) {
    Set<String> names = new TreeSet<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      for (List<?> name : all == null ? List.<List<?>>of() : all) {
        String value = String.valueOf(name.get(1));
        switch ((Integer) name.get(0)) {
          case DNS -> names.add("dns:" + value.toLowerCase(Locale.ROOT));
          case EMAIL -> names.add("email:" + value);
          case URI -> names.add("uri:" + value);
          default -> {
            // No caller has a name of another type.
          }
        }
      }
      return names;
    } catch (CertificateParsingException e) {
      LOG.debug("a certificate of a client names nobody: {}", e.toString());
      return Set.of();
    }
  }
}
