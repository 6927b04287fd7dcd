package dev.ferry.cli.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.ferry.cli.access.JwtCallers.JwtRules;
import dev.ferry.core.FerryException;
import dev.ferry.wire.Caller;
import dev.ferry.wire.CallersFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JwtCallersTest {
  private static final JwtRules RULES = new JwtRules("issuer", "ferry", JWSAlgorithm.ES256);

  @TempDir Path folder;
  private final AtomicLong nanos = new AtomicLong();

  @SuppressWarnings("NullAway.Init") // made before each test
  private ECKey key;

  @SuppressWarnings("NullAway.Init") // made before each test
  private CallersFile callers;

  @BeforeEach
  void makeFiles() throws Exception {
    key = key(Curve.P_256);
    write(new JWKSet(key).toString());
    Path file = folder.resolve("callers");
    CallersFile.addSubject(file, "alice", "alice@example.org", List.of("all:/"));
    CallersFile.addSubject(file, "blank", "the caller", List.of("all:/"));
    callers = CallersFile.open(file);
  }

  private static ECKey key(Curve curve) throws Exception {
    return new ECKeyGenerator(curve).keyIDFromThumbprint(true).generate();
  }

  private Path keys() {
    return folder.resolve("keys.json");
  }

  private void write(String text) throws Exception {
    Files.writeString(keys(), text);
    Files.setPosixFilePermissions(keys(), PosixFilePermissions.fromString("rw-r--r--"));
  }

  private JwtCallers open() throws FerryException {
    return JwtCallers.open(callers, keys(), RULES, nanos::get);
  }

  /** What a token of alice says. */
  private static JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer("issuer")
        .audience(List.of("other", "ferry"))
        .subject("alice@example.org")
        .expirationTime(Date.from(Instant.now().plusSeconds(600)));
  }

  private static String signed(JWSAlgorithm algorithm, JWSSigner signer, JWTClaimsSet claims)
      throws Exception {
    SignedJWT token = new SignedJWT(new JWSHeader(algorithm), claims);
    token.sign(signer);
    return token.serialize();
  }

  private String signed(JWTClaimsSet.Builder claims) throws Exception {
    return signed(JWSAlgorithm.ES256, new ECDSASigner(key), claims.build());
  }

  @Test
  void find_aTokenOfTheIssuer_isTheCallerOfItsSubject() throws Exception {
    JwtCallers callers = open();
    assertThat(callers.find(signed(claims()))).extracting(Caller::name).isEqualTo("alice");
    assertThat(callers.find(signed(claims().subject("the caller"))))
        .extracting(Caller::name)
        .isEqualTo("blank");
    // Clocks may differ.
    Date past = Date.from(Instant.now().minusSeconds(20));
    assertThat(callers.find(signed(claims().expirationTime(past)))).isNotNull();
    String own = CallersFile.addToken(folder.resolve("others"), "bob", List.of("all:/"));
    JwtCallers both =
        JwtCallers.open(CallersFile.open(folder.resolve("others")), keys(), RULES, nanos::get);
    assertThat(both.find(own)).extracting(Caller::name).isEqualTo("bob");
  }

  @Test
  void find_aTokenThatSaysSomethingElse_isNobody() throws Exception {
    JwtCallers callers = open();
    Instant now = Instant.now();
    for (JWTClaimsSet.Builder claims :
        List.of(
            claims().issuer("other"),
            claims().issuer(null),
            claims().audience("other"),
            claims().audience((String) null),
            claims().subject("bob"),
            claims().subject("alice"),
            claims().subject(null),
            claims().expirationTime(Date.from(now.minusSeconds(90))),
            claims().expirationTime(null),
            claims().notBeforeTime(Date.from(now.plusSeconds(90))))) {
      assertThat(callers.find(signed(claims))).as(claims.build().toString()).isNull();
    }
  }

  @Test
  void find_aTokenThatIsNotSignedByTheIssuer_isNobody() throws Exception {
    JwtCallers callers = open();
    ECKey other = key(Curve.P_256);
    byte[] known = key.toECPublicKey().getEncoded();
    String good = signed(claims());
    String[] parts = good.split("\\.", -1);
    for (String token :
        List.of(
            signed(JWSAlgorithm.ES256, new ECDSASigner(other), claims().build()),
            signed(JWSAlgorithm.ES384, new ECDSASigner(key(Curve.P_384)), claims().build()),
            // A verifier that trusts the header takes the public key for a secret.
            signed(JWSAlgorithm.HS256, new MACSigner(known), claims().build()),
            new PlainJWT(claims().build()).serialize(),
            parts[0] + "." + parts[1] + ".",
            parts[0] + "." + parts[1] + "." + "A".repeat(86),
            parts[0] + ".e30." + parts[2],
            good + "A",
            "a.b.c",
            "..",
            "")) {
      assertThat(callers.find(token)).as(token).isNull();
    }
  }

  @Test
  void find_afterTheKeysHaveChanged_takesTheNewOnes() throws Exception {
    JwtCallers callers = open();
    String old = signed(claims());
    key = key(Curve.P_256);
    String renewed = signed(claims());
    assertThat(callers.find(renewed)).isNull();
    write(new JWKSet(key).toString());
    nanos.addAndGet(1_000_000_000);
    assertThat(callers.find(renewed)).isNotNull();
    assertThat(callers.find(old)).isNull();
    Files.delete(keys());
    nanos.addAndGet(1_000_000_000);
    assertThat(callers.find(renewed)).isNull();
  }

  @Test
  void open_keysOfNoUse_saysWhatToDo() throws Exception {
    write("{\"keys\":[]}");
    assertRefused(" has no keys; give the public keys of the issuer");
    write(new JWKSet(key).toString(false));
    assertRefused(" has a private or secret key; give only the public keys");
    write("{\"keys\":");
    assertRefused(" is not a JWKS in JSON, which begins with {\"keys\":");
    write(new JWKSet(key).toString());
    Files.setPosixFilePermissions(keys(), PosixFilePermissions.fromString("rw-rw-r--"));
    assertRefused(" others may write to it; run chmod go-w " + keys());
    Files.delete(keys());
    assertRefused(" no such file; check the path");
  }

  private void assertRefused(String why) {
    assertThatExceptionOfType(FerryException.class)
        .isThrownBy(this::open)
        .withMessage(keys() + ":" + why);
  }
}
