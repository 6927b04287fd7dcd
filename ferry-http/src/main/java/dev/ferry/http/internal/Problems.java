package dev.ferry.http.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.contract.RetryHints;
import java.io.IOException;
import java.io.InputStream;

/** Parses problem details (RFC 9457) on a client. */
public final class Problems {
  /** Maximum number of bytes read from an error response. */
  private static final int MAX_PROBLEM_BYTES = 64 * 1024;

  private static final int MOVED = 301;

  private Problems() {}

  /**
   * Throws the error of a response that is not successful. Reads its body. The response to a HEAD
   * of a folder without its slash is successful: it has the facts of the folder.
   *
   * @param name the requested name, for messages
   * @throws FerryException with the error that the server states, or else with the meaning of the
   *     status
   */
  public static void throwUnlessSuccess(int status, Fields fields, InputStream in, String name)
      throws IOException {
    boolean folder = status == MOVED && HttpRoutes.YES.equals(fields.get(HttpRoutes.DIRECTORY));
    if ((status >= 200 && status < 300) || folder) {
      return;
    }
    byte[] body = in.readNBytes(MAX_PROBLEM_BYTES);
    String type = fields.get(HttpRoutes.ERROR);
    String detail = HttpRoutes.detail(fields.get(HttpRoutes.ERROR_DETAIL));
    String media = fields.get("Content-Type");
    if (media != null && media.startsWith(HttpRoutes.PROBLEM_JSON)) {
      JsonNode problem = readProblem(body);
      type = problem.path("type").asText(type);
      detail = problem.path("detail").asText(detail);
    }
    ErrorKind kind = Errors.fromHttp(status, type);
    FerryException failure =
        new FerryException(
            kind,
            // A Ferry server states the kind of every error.
            type == null ? Outage.FOREIGN : null,
            detail.isEmpty()
                ? name + ": " + Errors.wireName(kind).replace('-', ' ') + " (HTTP " + status + ")"
                : detail,
            null);
    throw RetryHints.add(failure, fields.get("Retry-After"), fields.get("Date"));
  }

  private static JsonNode readProblem(byte[] body) {
    // Not a constant: to make it takes 25 ms of a cold start, and most commands see no problem.
    ObjectMapper json = new ObjectMapper();
    try {
      return json.readTree(body);
    } catch (IOException e) {
      // A response to HEAD has no body, and the body of a foreign server is arbitrary. The status
      // is sufficient.
      return json.createObjectNode();
    }
  }
}
