package dev.ferry.suites.calls.service.http;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;

/** The routes and their methods. */
enum CallRoute {
  /** A row by its index. */
  ROW,
  /** The first rows. */
  ROWS,
  /** The first items. */
  ITEMS,
  /** A page of users. */
  USERS,
  /** A log record by its number. */
  LOG_RECORD,
  /** The log, for appending. */
  LOGS;

  private static final List<HttpMethod> READING = List.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final List<HttpMethod> WRITING = List.of(HttpMethod.POST);
  private static final String ROW_PREFIX = CallRoutes.ROWS + "/";
  private static final String LOG_PREFIX = CallRoutes.LOGS + "/";

  /**
   * Returns the route of a path.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if there is none
   */
  static CallRoute of(String path) throws FerryException {
    return switch (path) {
      case CallRoutes.ROWS -> ROWS;
      case CallRoutes.ITEMS -> ITEMS;
      case CallRoutes.USERS -> USERS;
      case CallRoutes.LOGS -> LOGS;
      default -> {
        if (path.startsWith(ROW_PREFIX)) {
          yield ROW;
        }
        if (path.startsWith(LOG_PREFIX)) {
          yield LOG_RECORD;
        }
        throw new FerryException(
            ErrorKind.NOT_FOUND,
            path
                + ": no such route; there are /rows, /rows/{index}, /items, /users, /logs and"
                + " /logs/{number}");
      }
    };
  }

  /** The allowed methods, in the order of the {@code Allow} field. */
  List<HttpMethod> methods() {
    return this == LOGS ? WRITING : READING;
  }

  /** The part of a path after its second slash. */
  static String last(String path) {
    return path.substring(path.indexOf('/', 1) + 1);
  }
}
