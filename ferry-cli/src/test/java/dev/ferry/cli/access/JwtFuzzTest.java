package dev.ferry.cli.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import dev.ferry.cli.access.JwtCallers.JwtRules;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import dev.ferry.wire.Caller;
import dev.ferry.wire.CallersFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of requests, as they are, and JWTs whose header and claims are the two parts of the input
 * around its first line break. The JWTs have a signature that is right.
 */
final class JwtFuzzTest implements FuzzTarget {
  private static final String SUBJECT = "alice@example.org";
  private static final JwtRules RULES = new JwtRules("issuer", "ferry", JWSAlgorithm.ES256);

  private final ObjectMapper json = new ObjectMapper();
  private @Nullable ECDSASigner signer;
  private @Nullable JwtCallers callers;

  private void open() throws Exception {
    Path folder = Fuzzing.emptyFolder("jwt");
    ECKey key = new ECKeyGenerator(Curve.P_256).keyID("1").generate();
    Path keys = Files.writeString(folder.resolve("keys"), new JWKSet(key).toString());
    CallersFile.addSubject(folder.resolve("callers"), "alice", SUBJECT, List.of("all:/"));
    // Nothing changes the files, so they are not read again.
    callers = JwtCallers.open(CallersFile.open(folder.resolve("callers")), keys, RULES, () -> 0);
    signer = new ECDSASigner(key);
  }

  @Override
  public void parse(byte[] input) throws Exception {
    if (callers == null || signer == null) {
      open();
      parse(input);
      return;
    }
    String text = new String(input, StandardCharsets.UTF_8);
    assertThat(callers.find(text)).isNull();
    String[] parts = text.split("\n", 2);
    if (parts.length == 2) {
      String signed = Base64URL.encode(parts[0]) + "." + Base64URL.encode(parts[1]);
      JWSHeader header = new JWSHeader(JWSAlgorithm.ES256);
      String signature = signer.sign(header, signed.getBytes(StandardCharsets.US_ASCII)).toString();
      Caller found = callers.find(signed + "." + signature);
      assertThat(found == null || isOfAlice(parts[1])).as("who the claims say it is").isTrue();
    }
  }

  private boolean isOfAlice(String claims) throws IOException {
    JsonNode said = json.readTree(claims);
    JsonNode audience = said.path("aud");
    boolean ours = audience.asText().equals("ferry");
    for (JsonNode each : audience) {
      ours |= each.asText().equals("ferry");
    }
    return ours
        && said.path("sub").asText().equals(SUBJECT)
        && said.path("iss").asText().equals("issuer")
        && said.path("exp").isNumber();
  }
}
