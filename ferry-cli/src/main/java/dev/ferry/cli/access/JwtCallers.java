package dev.ferry.cli.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.Admission;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.internal.FileModes;
import dev.ferry.wire.internal.WatchedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.text.ParseException;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Callers that are known by the JWTs of one issuer (RFC 7519), beside those that a file knows by
 * their tokens and certificates. The file also says what each subject of a JWT may do.
 *
 * <p>A JWT counts if it is signed with the one algorithm by a key of a JWKS file, its issuer is
 * right, the audience is one of its own, it has a subject, and it has not expired. Clocks may
 * differ by a minute. The keys are read again as a {@link WatchedFile}. Thread-safe.
 *
 * <p>A JWT says who its caller is, and the file what it may do. So an issuer cannot give
 * permissions, and a caller is removed before its JWT expires. Nothing is fetched from the network,
 * and the server has no secret of the issuer.
 */
public final class JwtCallers implements Callers {
  private static final Logger LOG = LoggerFactory.getLogger(JwtCallers.class);

  private final CallersFile callers;
  private final WatchedFile<JWKSet> keys;
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  private JwtCallers(CallersFile callers, Path keys, JwtRules rules, LongSupplier nanoTime)
      throws FerryException {
    this.callers = callers;
    this.keys = new WatchedFile<>(keys, new JWKSet(), nanoTime, JwtCallers::read);
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            rules.algorithm(), (selector, context) -> selector.select(this.keys.current())));
    processor.setJWTClaimsSetVerifier(
        new DefaultJWTClaimsVerifier<>(
            rules.audience(),
            new JWTClaimsSet.Builder().issuer(rules.issuer()).build(),
            Set.of("sub", "exp")));
  }

  /**
   * What a JWT has to say of itself.
   *
   * @param algorithm with a public key; tokens that are signed by another one do not count
   */
  public record JwtRules(String issuer, String audience, JWSAlgorithm algorithm) {}

  /**
   * Reads the keys.
   *
   * @param callers what the subjects may do
   * @param keys a JWKS file with public keys (RFC 7517)
   * @throws FerryException if the file cannot be used, or others may change it; the message is one
   *     line that names it and the remedy
   */
  public static JwtCallers open(CallersFile callers, Path keys, JwtRules rules)
      throws FerryException {
    return open(callers, keys, rules, System::nanoTime);
  }

  static JwtCallers open(CallersFile callers, Path keys, JwtRules rules, LongSupplier nanoTime)
      throws FerryException {
    return new JwtCallers(callers, keys, rules, nanoTime);
  }

  private static JWKSet read(Path file) throws FerryException {
    try {
      JWKSet keys = JWKSet.parse(FileModes.trustedText(file));
      if (keys.getKeys().isEmpty()) {
        throw unusable(file, "has no keys; give the public keys of the issuer", null);
      }
      if (keys.getKeys().stream().anyMatch(JWK::isPrivate)) {
        throw unusable(file, "has a private or secret key; give only the public keys", null);
      }
      return keys;
    } catch (FerryException e) {
      throw e;
    } catch (NoSuchFileException e) {
      throw new FerryException(ErrorKind.NOT_FOUND, file + ": no such file; check the path", e);
    } catch (ParseException e) {
      throw unusable(file, "is not a JWKS in JSON, which begins with {\"keys\":", e);
    } catch (IOException e) {
      throw unusable(file, "cannot be read; check its permissions", e);
    }
  }

  private static FerryException unusable(Path file, String why, @Nullable Exception cause) {
    return new FerryException(ErrorKind.INVALID_REQUEST, file + ": " + why, cause);
  }

  @Override
  public @Nullable Caller find(String token) {
    Caller known = callers.find(token);
    if (known != null) {
      return known;
    }
    try {
      return callers.findBySubject(processor.process(token, null).getSubject());
    } catch (ParseException | BadJOSEException | JOSEException e) {
      LOG.debug("a token was refused: {}", e.getMessage());
      return null;
    }
  }

  @Override
  public @Nullable Caller findByCertificate(X509Certificate certificate) {
    return callers.findByCertificate(certificate);
  }

  @Override
  public Admission admit(Caller caller) throws FerryException {
    return callers.admit(caller);
  }
}
