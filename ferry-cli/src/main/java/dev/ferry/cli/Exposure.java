package dev.ferry.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What keeps strangers away from a server. A server that other machines reach needs TLS and
 * callers, unless options say that it may do without.
 *
 * @param loopback whether only this machine reaches the server
 * @param tls whether the server has a certificate
 * @param callers whether the server has a list of those who may call it
 * @param noTls whether {@value #NO_TLS} was given
 * @param anyone whether {@value #ANYONE} was given
 */
record Exposure(boolean loopback, boolean tls, boolean callers, boolean noTls, boolean anyone) {
  /** The option for a server in plain text. */
  static final String NO_TLS = "--insecure-no-tls";

  /** The option for a server without callers. */
  static final String ANYONE = "--insecure-anyone";

  private boolean inPlainText() {
    return !loopback && !tls;
  }

  private boolean openToAnyone() {
    return !loopback && !callers;
  }

  /** Returns why the server must not start, and the remedy; null if it may start. */
  @Nullable String error() {
    List<String> remedies = new ArrayList<>();
    if (inPlainText() && !noTls) {
      remedies.add(
          "add --tls-cert CERT.pem and --tls-key KEY.pem, or " + NO_TLS + " for plain text");
    }
    if (openToAnyone() && !anyone) {
      remedies.add(
          "add --users FILE, which 'ferry token add' makes, or "
              + ANYONE
              + " to serve anyone who reaches it");
    }
    return remedies.isEmpty()
        ? null
        : "other machines reach this address; "
            + String.join(", and ", remedies)
            + "; --init makes certificate, key and a user";
  }

  /** Returns a line for each protection that the server does without, for every start. */
  List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    if (inPlainText()) {
      warnings.add(
          "warning: " + NO_TLS + ": the network can read and change everything that passes");
    }
    if (openToAnyone()) {
      warnings.add(
          "warning: " + ANYONE + ": anyone who reaches the ports can use them without a token");
    }
    return warnings;
  }
}
