package dev.ferry.suites.calls.service.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;

/** The parsed URI of a request: the route, and the numbers in its path and query. */
final class CallQuery {
  private final CallRoute route;
  private final String path;
  private final Map<String, List<String>> parameters;

  private CallQuery(String path, Map<String, List<String>> parameters) throws FerryException {
    this.route = CallRoute.of(path);
    this.path = path;
    this.parameters = parameters;
  }

  /**
   * Parses a URI.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or with
   *     {@link ErrorKind#NOT_FOUND} if no route has its path
   */
  static CallQuery parse(String text) throws FerryException {
    QueryStringDecoder uri = new QueryStringDecoder(text);
    String path;
    Map<String, List<String>> parameters;
    try {
      path = uri.path();
      parameters = uri.parameters();
    } catch (IllegalArgumentException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "malformed URI: " + e.getMessage(), e);
    }
    return new CallQuery(path, parameters);
  }

  CallRoute route() {
    return route;
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
   * Returns the number at the end of the path.
   *
   * @param name the name of the number, for the error
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is not a number
   */
  long numberInPath(String name) throws FerryException {
    return number(name, CallRoute.last(path));
  }

  private static long number(String name, String text) throws FerryException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, name + " '" + text + "' is no whole number", e);
    }
  }
}
