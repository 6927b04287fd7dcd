package dev.ferry.lab.run.server;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.jspecify.annotations.Nullable;

/**
 * The lines with which a bench and a bench server begin a connection. Each is a word and what
 * belongs to it. When the server of a row has been started, the lines are those of {@link
 * ServerLine}.
 *
 * <pre>
 * server: ferry-bench NONCE
 * bench:  hello PROOF VERSION COMMIT
 * server: welcome, or refused REASON
 * bench:  environment HEAP COLLECTOR    server: environment JSON
 * or      start JSON                    server: have, or send; then the bench sends the file
 * </pre>
 */
final class ControlLine {
  /** The first line, with a value that the proof of the token depends on. */
  static final String GREETING = "ferry-bench";

  static final String HELLO = "hello";
  static final String WELCOME = "welcome";
  static final String REFUSED = "refused";

  /** Asks for the environment of the server's machine. */
  static final String ENVIRONMENT = "environment";

  /** Asks for the server of a row. */
  static final String START = "start";

  /** The server has the file of the row. */
  static final String HAVE = "have";

  /** The server needs the file of the row. */
  static final String SEND = "send";

  /** No line of a client before it is known, and no request, is longer. */
  static final int MOST_REQUEST_BYTES = 1 << 14;

  static final ObjectMapper JSON =
      // The fields are the components of the records.
      JsonMapper.builder().disable(MapperFeature.AUTO_DETECT_IS_GETTERS).build();

  private ControlLine() {}

  static String of(String word, String rest) {
    return rest.isEmpty() ? word : word + " " + rest;
  }

  /** Returns what follows the word of a line; null if the line has another word, or is none. */
  static @Nullable String rest(@Nullable String line, String word) {
    if (line == null) {
      return null;
    }
    return line.equals(word)
        ? ""
        : line.startsWith(word + " ") ? line.substring(word.length() + 1) : null;
  }
}
