package dev.ferry.cli.client;

import dev.ferry.core.FerryException;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.FileModes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the token of a command. It is never an argument, which other users could see. The variable
 * may be set for every command of a session, so it is only for a server that the command names: any
 * user of this machine can listen on the default port.
 */
final class TokenSource {
  /** The environment variable that is read if there is no file. */
  static final String VARIABLE = "FERRY_TOKEN";

  private TokenSource() {}

  /**
   * Reads the token.
   *
   * @param file null if none was given
   * @param option the option that gives it
   * @param named whether the command names its server
   * @param err receives a warning if other users may read the file
   * @return null if there is neither a file nor, for a named server, a variable that is not empty
   */
  static @Nullable Token of(
      @Nullable Path file,
      String option,
      boolean named,
      Map<String, String> environment,
      PrintWriter err)
      throws FerryException {
    try {
      if (file != null) {
        Token token = Token.read(file);
        if (FileModes.othersMayRead(file)) {
          err.println("warning: " + file + ": other users may read it; run chmod 600 " + file);
        }
        return token;
      }
    } catch (IOException e) {
      throw new FerryException(
          FerryException.of(e, file.toString()).kind(), option + ": " + e.getMessage(), e);
    }
    try {
      return named && isInVariable(environment) ? Token.parse(variable(environment)) : null;
    } catch (FerryException e) {
      throw new FerryException(e.kind(), VARIABLE + ": " + e.getMessage(), e);
    }
  }

  /** Returns whether the variable has a token. */
  static boolean isInVariable(Map<String, String> environment) {
    return !variable(environment).isEmpty();
  }

  private static String variable(Map<String, String> environment) {
    return environment.getOrDefault(VARIABLE, "");
  }
}
