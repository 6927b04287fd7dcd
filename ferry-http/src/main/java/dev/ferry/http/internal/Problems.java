package dev.ferry.http.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.internal.PlainText;
import dev.ferry.wire.internal.contract.Errors;
import dev.ferry.wire.internal.contract.HttpRoutes;
import dev.ferry.wire.internal.contract.RetryHints;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses problem details (RFC 9457) on a client. */
public final class Problems {
  /** Maximum number of bytes read from an error response. */
  private static final int MAX_PROBLEM_BYTES = 64 * 1024;

  private static final int MOVED = 301;
  private static final Pattern QUERY = Pattern.compile("[?#].*", Pattern.DOTALL);

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
    // A response to HEAD has no body, and most commands see no other: they load no parser.
    if (body.length > 0 && media != null && media.startsWith(HttpRoutes.PROBLEM_JSON)) {
      Map<String, String> problem = members(body);
      type = problem.getOrDefault("type", type);
      detail = problem.getOrDefault("detail", detail);
    }
    ErrorKind kind = Errors.fromHttp(status, type);
    String message =
        detail.isEmpty() ? name + ": " + meaning(status, kind, fields.get("Location")) : detail;
    FerryException failure =
        type == null
            // A Ferry server states the kind of every error.
            ? new FerryException(kind, Outage.FOREIGN, message, null)
            : Errors.stated(kind, name, message, null);
    throw RetryHints.add(failure, fields.get("Retry-After"), fields.get("Date"));
  }

  /**
   * Says what a status means. A redirection is not followed: a token is for the server that the
   * user has named, and the body of an upload is sent once.
   *
   * @param location where the server redirects to; its query may be secret
   */
  private static String meaning(int status, ErrorKind kind, @Nullable String location) {
    if (location != null && status >= 300 && status < 400) {
      String address = PlainText.of(QUERY.matcher(location).replaceFirst(""));
      return "the server redirects to %s (HTTP %d); give the address of that server"
          .formatted(address, status);
    }
    return Errors.wireName(kind).replace('-', ' ') + " (HTTP " + status + ")";
  }

  /** The members of the problem that are no objects or arrays, as far as it can be read. */
  private static Map<String, String> members(byte[] body) {
    Map<String, String> members = new HashMap<>();
    try (JsonParser json = ListReader.JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return Map.of();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        JsonToken value = json.nextToken();
        if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
          members.put(name, json.getText());
        } else {
          json.skipChildren();
        }
      }
      return members;
    } catch (IOException e) {
      // The body of a foreign server is arbitrary, and may be cut. The status is sufficient.
      return members;
    }
  }
}
