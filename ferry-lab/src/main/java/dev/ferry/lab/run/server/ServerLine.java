package dev.ferry.lab.run.server;

import org.jspecify.annotations.Nullable;

/**
 * The lines that a fork and its server process exchange. A request is one word, followed by a name
 * if it is about a file. A response is the same word, followed by figures if there are any.
 *
 * <p>Responses start with a marker, because a JVM prints warnings to the same stream.
 */
final class ServerLine {
  /** The prefix of every response. */
  private static final String MARK = "ferry-server: ";

  /** Response without a request: the server listens on the port that follows. */
  static final String READY = "ready";

  /** Response without a request: the server did not start, for the reason that follows. */
  static final String FAILED = "failed";

  /** Request to start the meters, just before an operation. */
  static final String START = "start";

  /** Request to stop the meters. The response contains the resource use. */
  static final String STOP = "stop";

  /** Request for the nanoseconds that the compiler has worked so far. */
  static final String COMPILED = "compiled";

  /** Request for a garbage collection. */
  static final String COLLECT = "collect";

  /**
   * Request for the size and the digest of an upload. Its name follows, also in the next request.
   */
  static final String READ = "read";

  /** Request to delete an upload. */
  static final String DELETE = "delete";

  /** Request to make a file one that nobody has read yet. Its name follows. */
  static final String RENEW = "renew";

  /**
   * Request for the small files that the server has left for its client, such as a certificate. The
   * response has a name and the content in Base64, for each of them.
   */
  static final String LEFT = "left";

  /** The end of the lines of a server on another machine: the exit code of its JVM follows. */
  static final String EXIT = "exit";

  private ServerLine() {}

  static String answer(String word, String figures) {
    return MARK + word + " " + figures;
  }

  /** Returns what follows the word of a response; null if the line is not such a response. */
  static @Nullable String figures(String line, String word) {
    String head = MARK + word + " ";
    return line.startsWith(head) ? line.substring(head.length()) : null;
  }

  static boolean isAnswer(String line) {
    return line.startsWith(MARK);
  }
}
