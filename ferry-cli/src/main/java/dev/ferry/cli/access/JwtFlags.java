package dev.ferry.cli.access;

import com.nimbusds.jose.JWSAlgorithm;
import dev.ferry.cli.access.JwtCallers.JwtRules;
import dev.ferry.core.FerryException;
import dev.ferry.wire.Callers;
import dev.ferry.wire.CallersFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for callers with a JWT. */
public final class JwtFlags {
  private static final String KEYS = "--jwt-keys";

  /** Signatures by a private key, which the JDK verifies. A server has no secret of the issuer. */
  private static final List<JWSAlgorithm> ALGORITHMS =
      List.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = KEYS,
      paramLabel = "FILE",
      description =
          "Know users also by JWTs that a key of this JWKS file has signed. The file of --users"
              + " says what each subject may do: NAME jwt:SUBJECT RULE. Needs --jwt-issuer and"
              + " --jwt-audience. It is read again when it changes. It must be outside of DIR.")
  private @Nullable Path keys;

  @Option(
      names = "--jwt-issuer",
      paramLabel = "ISSUER",
      description = "The only accepted issuer of JWTs, as in their iss claim.")
  private @Nullable String issuer;

  @Option(
      names = "--jwt-audience",
      paramLabel = "AUDIENCE",
      description = "The value that the aud claim of a JWT must contain.")
  private @Nullable String audience;

  @Option(
      names = "--jwt-algorithm",
      paramLabel = "ALGORITHM",
      defaultValue = "RS256",
      description =
          "The only accepted algorithm of JWTs: RS256, PS256, ES256, or with 384 or 512 (default:"
              + " ${DEFAULT-VALUE}).")
  private String algorithm;

  /**
   * Applies the options to the callers.
   *
   * @param file null if there are none
   */
  public @Nullable Callers in(@Nullable CallersFile file) throws FerryException {
    if (keys == null) {
      if (issuer != null || audience != null) {
        throw wrongUse(
            (issuer != null ? "--jwt-issuer" : "--jwt-audience")
                + ": works only with JWTs; add --jwt-keys FILE");
      }
      return file;
    }
    if (issuer == null || audience == null) {
      throw wrongUse(KEYS + ": needs --jwt-issuer ISSUER and --jwt-audience AUDIENCE");
    }
    if (file == null) {
      throw wrongUse(KEYS + ": needs --users FILE, which says what each subject may do");
    }
    return JwtCallers.open(file, keys, new JwtRules(issuer, audience, pinned()));
  }

  private JWSAlgorithm pinned() {
    return ALGORITHMS.stream()
        .filter(known -> known.getName().equals(algorithm))
        .findFirst()
        .orElseThrow(
            () ->
                wrongUse(
                    "--jwt-algorithm: '"
                        + algorithm
                        + "' is none of "
                        + String.join(
                            ", ", ALGORITHMS.stream().map(JWSAlgorithm::getName).toList())));
  }

  private ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The files of the options, by option. */
  public Map<String, Path> files() {
    return keys == null ? Map.of() : Map.of(KEYS, keys);
  }
}
