package dev.ferry.cli.client;

import dev.ferry.core.FerryException;
import dev.ferry.net.Token;
import dev.ferry.net.internal.FileModes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the token of a command. It is never an argument, which other users could see. */
final class TokenSource {
  /** The environment variable that is read if there is no file. */
  static final String VARIABLE = "FERRY_TOKEN";

  private TokenSource() {}

  /**
   * Reads the token.
   *
   * @param file null if none was given
   * @param err receives a warning if other users may read the file
   * @return null if there is neither a file nor a variable that is not empty
   */
  static @Nullable Token of(@Nullable Path file, Map<String, String> environment, PrintWriter err)
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
          FerryException.of(e, file.toString()).kind(), "--token-file: " + e.getMessage(), e);
    }
    String value = environment.getOrDefault(VARIABLE, "");
    try {
      return value.isEmpty() ? null : Token.parse(value);
    } catch (FerryException e) {
      throw new FerryException(e.kind(), VARIABLE + ": " + e.getMessage(), e);
    }
  }
}
