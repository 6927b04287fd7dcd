package dev.ferry.calls.http;

import dev.ferry.contract.CallRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.netty.handler.codec.http.HttpMethod;
import java.util.List;

/** What can be asked for, and how. */
enum CallRoute {
  /** One row, by its index. */
  ROW,
  /** The first rows. */
  ROWS,
  /** The first items. */
  ITEMS,
  /** A page of users. */
  USERS,
  /** One log record, by its number. */
  LOG_RECORD,
  /** The log. */
  LOGS;

  private static final List<HttpMethod> READING = List.of(HttpMethod.GET, HttpMethod.HEAD);
  private static final List<HttpMethod> WRITING = List.of(HttpMethod.POST);
  private static final String ROW_PREFIX = CallRoutes.ROWS + "/";
  private static final String LOG_PREFIX = CallRoutes.LOGS + "/";

  /**
   * The route of a path.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} where there is none
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

  /** The methods it is asked with, in the order they are named in. */
  List<HttpMethod> methods() {
    return this == LOGS ? WRITING : READING;
  }

  /** The part of a path behind the one slash that has something before and behind it. */
  static String last(String path) {
    return path.substring(path.indexOf('/', 1) + 1);
  }
}
