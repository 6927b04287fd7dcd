package dev.ferry.wire.internal;

import java.net.Socket;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts each server whose key has one of some pins. The TLS handshake proves that the server has
 * the key. The rest of its certificate is not checked: neither who issued it, nor for which hosts
 * and when. TLS clients leave host names to a trust manager of this type. Thread-safe.
 */
public final class PinnedTrust extends X509ExtendedTrustManager {
  private static final String PREFIX = "sha256/";
  private static final int DIGEST_BYTES = 32;

  private final Set<String> pins;

  /**
   * Checks the form of the pins.
   *
   * @param pins what {@link #pin} returns, with or without the last {@code =}
   * @throws IllegalArgumentException if there is none, or one has another form
   */
  public PinnedTrust(List<String> pins) {
    if (pins.isEmpty()) {
      throw new IllegalArgumentException("no pin; give one or more");
    }
    this.pins = pins.stream().map(PinnedTrust::parse).collect(Collectors.toUnmodifiableSet());
  }

  private static String parse(String pin) {
    if (pin.startsWith(PREFIX)) {
      try {
        byte[] digest = Base64.getDecoder().decode(pin.substring(PREFIX.length()));
        if (digest.length == DIGEST_BYTES) {
          return format(digest);
        }
      } catch (IllegalArgumentException e) {
        // Not in base64.
      }
    }
    throw new IllegalArgumentException(
        "'" + pin + "' is not a pin; give sha256/ and the SHA-256 of the key's DER form in base64");
  }

  /** Returns the pin of a certificate's key, as {@link dev.ferry.wire.ClientTls#pin}. */
  public static String pin(X509Certificate certificate) {
    try {
      byte[] key = certificate.getPublicKey().getEncoded();
      return format(MessageDigest.getInstance("SHA-256").digest(key));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String format(byte[] digest) {
    return PREFIX + Base64.getEncoder().encodeToString(digest);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    String found = pin(chain[0]);
    if (!pins.contains(found)) {
      // The error of a client's call ends with this.
      throw new CertificateException("has the key " + found + ", which is not pinned");
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw new CertificateException("pins are of servers");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, authType);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
