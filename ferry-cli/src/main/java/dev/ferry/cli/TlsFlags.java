package dev.ferry.cli;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.internal.FileModes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the certificate of a server. */
final class TlsFlags {
  private static final String CERTIFICATE = "--tls-cert";
  private static final String KEY = "--tls-key";
  private static final String CLIENT_CA = "--tls-client-ca";
  private static final String NEWEST = "1.3";
  private static final String OLDER = "1.2";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = CERTIFICATE,
      paramLabel = "FILE",
      description =
          "Use TLS on both ports with the certificate in this PEM file. The other certificates of"
              + " its chain follow it in the file. Needs --tls-key. When the files change, new"
              + " connections get the new certificate. Both must be outside of DIR.")
  private @Nullable Path certificate;

  @Option(
      names = KEY,
      paramLabel = "FILE",
      description = "The key of --tls-cert: a PEM file, RSA or EC, in PKCS #8, not encrypted.")
  private @Nullable Path key;

  @Option(
      names = CLIENT_CA,
      paramLabel = "FILE",
      description =
          "Ask clients for a certificate issued by a CA in this PEM file; --users can identify them"
              + " by it. Clients without a certificate need a token. The file is read again when it"
              + " changes, like --tls-cert.")
  private @Nullable Path clientIssuers;

  @Option(
      names = "--tls-min",
      paramLabel = "VERSION",
      defaultValue = NEWEST,
      description = "The oldest version of TLS to speak: 1.2 or 1.3 (default: ${DEFAULT-VALUE}).")
  private String oldest;

  @Option(names = "--tls", description = "Refuse to start without --tls-cert and --tls-key.")
  private boolean required;

  /** Applies the options to the settings. */
  ServerSettings in(ServerSettings settings) throws FerryException {
    if (!oldest.equals(NEWEST) && !oldest.equals(OLDER)) {
      throw new ParameterException(
          spec.commandLine(), "--tls-min: '" + oldest + "' is neither 1.2 nor 1.3");
    }
    if (certificate == null && key == null && clientIssuers == null && !required) {
      return settings;
    }
    if (certificate == null || key == null) {
      String missing =
          certificate != null
              ? "--tls-cert: needs its key; add --tls-key KEY.pem"
              : key != null
                  ? "--tls-key: needs its certificate; add --tls-cert CERT.pem"
                  : (required ? "--tls" : CLIENT_CA)
                      + ": needs a certificate; add --tls-cert CERT.pem and --tls-key KEY.pem";
      throw new ParameterException(spec.commandLine(), missing);
    }
    try {
      return settings.withTls(
          ServerTls.load(certificate, key, clientIssuers).withTls12(oldest.equals(OLDER)));
    } catch (IOException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
    }
  }

  /** The files of the options, by option. */
  Map<String, Path> files() {
    Map<String, Path> files = new LinkedHashMap<>();
    files.put(CERTIFICATE, certificate);
    files.put(KEY, key);
    files.put(CLIENT_CA, clientIssuers);
    files.values().removeIf(Objects::isNull);
    return files;
  }

  /** Returns a line for each file that more users can read than should. */
  List<String> warnings() throws IOException {
    return key != null && FileModes.othersMayRead(key)
        ? List.of("warning: " + key + ": other users may read the key; run chmod 600 " + key)
        : List.of();
  }
}
