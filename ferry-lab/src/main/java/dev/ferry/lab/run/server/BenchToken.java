package dev.ferry.lab.run.server;

import dev.ferry.lab.model.LabException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret of a bench server, which its clients know. A client proves that it knows the token
 * without sending it.
 *
 * @param value 32 hexadecimal digits
 */
public record BenchToken(String value) {
  private static final int BYTES = 16;
  private static final String FORM = "[0-9a-f]{" + 2 * BYTES + "}";
  private static final String MAC = "HmacSHA256";

  /** Makes a token of 128 random bits. */
  public static BenchToken random(SecureRandom random) {
    return new BenchToken(randomHex(random));
  }

  /**
   * Reads a token.
   *
   * @param from where it comes from, for the message
   * @throws LabException if the text is no token; the message does not quote it
   */
  public static BenchToken parse(String text, String from) throws LabException {
    String value = text.strip();
    if (!value.matches(FORM)) {
      throw LabException.usage(
          from + " has no token; give the " + 2 * BYTES + " digits that serve --bench printed");
    }
    return new BenchToken(value);
  }

  /** Returns a value that no other connection has. */
  static String randomHex(SecureRandom random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the proof of knowing this token. */
  String proof(String nonce) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(value.getBytes(StandardCharsets.US_ASCII), MAC));
      return HexFormat.of().formatHex(mac.doFinal(nonce.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + MAC, e);
    }
  }

  /** Returns whether a proof is right, in a time that does not depend on how much of it is. */
  boolean accepts(String nonce, String proof) {
    return MessageDigest.isEqual(
        proof(nonce).getBytes(StandardCharsets.UTF_8), proof.getBytes(StandardCharsets.UTF_8));
  }

  /** Keeps the token out of messages. */
  @Override
  public String toString() {
    return "a token";
  }
}
