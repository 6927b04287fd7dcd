package dev.ferry.wire.internal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads certificates and private keys from PEM files (RFC 7468). Messages of exceptions are one
 * line that names the file and the remedy.
 */
public final class PemFiles {
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA");

  private PemFiles() {}

  /**
   * Reads all certificates of a file.
   *
   * @return at least one
   * @throws IOException if the file cannot be read or contains anything but certificates
   */
  public static List<X509Certificate> certificates(Path file) throws IOException {
    try {
      List<X509Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(read(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      throw noCertificate(file, e);
    }
    throw noCertificate(file, null);
  }

  private static IOException noCertificate(Path file, @Nullable Exception cause) {
    return new IOException(
        file + ": no certificate in PEM form (BEGIN CERTIFICATE); give the file of one", cause);
  }

  /**
   * Reads a private key.
   *
   * @throws IOException if the file cannot be read, or contains no unencrypted key in PKCS #8
   */
  public static PrivateKey privateKey(Path file) throws IOException {
    Matcher pem = PRIVATE_KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
    if (pem.find()) {
      try {
        byte[] key = Base64.getMimeDecoder().decode(pem.group(1));
        for (String algorithm : KEY_ALGORITHMS) {
          try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
          } catch (InvalidKeySpecException e) {
            // A key of another algorithm.
          }
        }
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw noKey(file, e);
      }
    }
    throw noKey(file, null);
  }

  private static IOException noKey(Path file, @Nullable Exception cause) {
    return new IOException(
        file
            + ": no RSA or EC key in PKCS #8 (BEGIN PRIVATE KEY); 'openssl pkcs8 -topk8 -nodes"
            + " -in KEY' converts other forms",
        cause);
  }

  private static byte[] read(Path file) throws IOException {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such file; check the path", e);
    } catch (IOException e) {
      throw new IOException(
          file + ": cannot be read; check that it is a file and its permissions", e);
    }
  }

  /**
   * Checks that a certificate is valid today, and that a key is its own.
   *
   * @throws IOException if not
   */
  public static void requirePair(
      Path certificateFile, X509Certificate certificate, Path keyFile, PrivateKey key)
      throws IOException {
    try {
      certificate.checkValidity();
    } catch (CertificateExpiredException e) {
      throw new IOException(
          certificateFile
              + ": the certificate expired on "
              + certificate.getNotAfter()
              + "; renew it",
          e);
    } catch (CertificateNotYetValidException e) {
      throw new IOException(
          certificateFile
              + ": the certificate is valid from "
              + certificate.getNotBefore()
              + " on; check the clock",
          e);
    }
    if (!belongsTo(key, certificate)) {
      throw new IOException(
          keyFile
              + ": is not the key of the certificate in "
              + certificateFile
              + "; give the two that were made together");
    }
  }

  /** Returns whether a key is the private key of a certificate, by a signature. */
  private static boolean belongsTo(PrivateKey key, X509Certificate certificate) {
    String algorithm = key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    byte[] message = {1};
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(message);
      byte[] signature = signer.sign();
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certificate.getPublicKey());
      verifier.update(message);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      // For instance a key of another algorithm or curve.
      return false;
    }
  }
}
