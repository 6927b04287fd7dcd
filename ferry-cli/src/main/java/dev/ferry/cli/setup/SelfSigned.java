package dev.ferry.cli.setup;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.PlainText;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A new key and its certificate, which is its own root: EC on P-256, valid for ten years. The JDK's
 * keytool makes them, because the JDK has no public API for that.
 *
 * <p>keytool writes a key store with a random password into a folder that only its owner can read;
 * it is deleted in any case.
 *
 * @param key the private key
 * @param certificate for all the host names
 */
record SelfSigned(Key key, X509Certificate certificate) {
  private static final String ALIAS = "ferry";
  private static final String PASSWORD = "FERRY_KEY_STORE_PASSWORD";
  private static final int PASSWORD_BYTES = 24;
  private static final int DAYS = 3650;

  /**
   * Makes a certificate.
   *
   * @param javaHome the folder of the JDK
   * @param work a folder for temporary files, which are deleted
   * @param names host names and literal addresses
   * @throws IOException if there is no keytool, or if it fails; its message is one line with the
   *     remedy
   */
  static SelfSigned make(Path javaHome, Path work, List<String> names)
      throws IOException, InterruptedException {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    String password = Base64.getUrlEncoder().encodeToString(random);
    Path store = work.resolve("key-store.p12");
    try {
      String error = run(javaHome.resolve("bin").resolve("keytool"), store, password, names);
      if (!error.isEmpty()) {
        throw failed(error, null);
      }
      char[] secret = password.toCharArray();
      KeyStore keys = KeyStore.getInstance(store.toFile(), secret);
      Key key = keys.getKey(ALIAS, secret);
      Certificate certificate = keys.getCertificate(ALIAS);
      if (key == null || !(certificate instanceof X509Certificate x509)) {
        throw failed("no key in " + store, null);
      }
      return new SelfSigned(key, x509);
    } catch (GeneralSecurityException e) {
      throw failed(String.valueOf(e.getMessage()), e);
    } finally {
      Files.deleteIfExists(store);
    }
  }

  /** Returns the certificate in DER form. */
  byte[] encodedCertificate() {
    try {
      return certificate.getEncoded();
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read has no DER form", e);
    }
  }

  /** Returns what keytool said if it failed, else nothing. */
  private static String run(Path keytool, Path store, String password, List<String> names)
      throws IOException, InterruptedException {
    String san =
        names.stream()
            .map(name -> (HostNames.isAddress(name) ? "ip:" : "dns:") + name)
            .collect(Collectors.joining(","));
    ProcessBuilder builder =
        new ProcessBuilder(
            keytool.toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-sigalg",
            "SHA256withECDSA",
            "-dname",
            "CN=Ferry",
            "-ext",
            "san=" + san,
            "-validity",
            String.valueOf(DAYS),
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            // Not as an argument, which every user of the machine can read.
            "-storepass:env",
            PASSWORD);
    builder.environment().put(PASSWORD, password);
    Process process;
    try {
      process = builder.redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          keytool
              + ": cannot be run; use a JDK that has it, or give your own certificate with"
              + " --tls-cert and --tls-key",
          e);
    }
    try {
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      return process.waitFor() == 0 ? "" : said;
    } finally {
      // Nothing writes to the folder after this method.
      process.destroyForcibly().onExit().join();
    }
  }

  private static FerryException failed(String reason, @Nullable Exception cause) {
    return new FerryException(
        ErrorKind.INTERNAL,
        "keytool made no certificate ("
            + PlainText.of(reason)
            + "); give your own with --tls-cert and --tls-key",
        cause);
  }
}
