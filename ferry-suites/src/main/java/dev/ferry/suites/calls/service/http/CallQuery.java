package dev.ferry.suites.calls.service.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;

/**
 * The parsed URI of a request.
 *
 * @param parameters the values of its query by their names
 */
record CallQuery(String path, Map<String, List<String>> parameters) {
  private static final String LOG_PREFIX = CallRoutes.LOGS + "/";

  /**
   * Parses a URI.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed
   */
  static CallQuery parse(String text) throws FerryException {
    QueryStringDecoder uri = new QueryStringDecoder(text);
    try {
      return new CallQuery(uri.path(), uri.parameters());
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "malformed URI: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the number of a query parameter.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} unless there is exactly one
   *     value, which is a number
   */
  long number(String name) throws FerryException {
    List<String> values = parameters.getOrDefault(name, List.of());
    if (values.size() != 1) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + " needs one " + name + ", for instance ?" + name + "=10");
    }
    return number(name, values.get(0));
  }

  /**
   * Returns the number of the log record that the path names.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if the path names none, or with {@link
   *     ErrorKind#INVALID_REQUEST} if it is not a number
   */
  long logRecord() throws FerryException {
    if (!path.startsWith(LOG_PREFIX)) {
      throw notFound();
    }
    return number("log record", path.substring(LOG_PREFIX.length()));
  }

  /** The error that no route has this path and the method of the request. */
  FerryException notFound() {
    return new FerryException(
        ErrorKind.NOT_FOUND,
        path
            + ": no such route; there are GET /rows, GET /items, GET /users, POST /logs and"
            + " GET /logs/{number}");
  }

  private static long number(String name, String text) throws FerryException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, name + " '" + text + "' is not a whole number", e);
    }
  }
}
