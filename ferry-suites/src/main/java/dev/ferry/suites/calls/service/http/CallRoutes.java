package dev.ferry.suites.calls.service.http;

/**
 * Small calls over HTTP with JSON.
 *
 * <ul>
 *   <li>{@code GET /rows?count=N}: the first N rows as an array of {@code number, name}; with
 *       {@code Accept: application/x-ndjson}, any number of rows, one JSON object per line, sent as
 *       they are generated;
 *   <li>{@code GET /items?count=N}: the first N items, an array of {@code id, name, price};
 *   <li>{@code GET /users?page=P&size=S}: a page of users, an array of {@code userName, email, age,
 *       address, createdMillis};
 *   <li>{@code POST /logs}: appends a record of {@code message, level, category, timestampMillis};
 *       the response {@code {"number": 0}} is the record's number, sent after the record is stored;
 *   <li>{@code GET /logs/{number}}: the record with this number.
 * </ul>
 *
 * <p>Other methods and other paths get status 404. The body of an error is a problem (RFC 9457),
 * whose {@code type} names its kind.
 *
 * <p>Times are milliseconds since 1970-01-01T00:00:00Z. Ranges are the same as over gRPC.
 */
public final class CallRoutes {
  /** Path of rows. */
  public static final String ROWS = "/rows";

  /** Path of items. */
  public static final String ITEMS = "/items";

  /** Path of users. */
  public static final String USERS = "/users";

  /** Path of log records. */
  public static final String LOGS = "/logs";

  /** Query parameter: number of rows or items. */
  public static final String COUNT = "count";

  /** Query parameter: page number, from 0. */
  public static final String PAGE = "page";

  /** Query parameter: users per page. */
  public static final String SIZE = "size";

  /** Media type of newline-delimited JSON. */
  public static final String NDJSON = "application/x-ndjson";

  /** Media type of the body of an error. */
  static final String PROBLEM = "application/problem+json";

  /**
   * Maximum bytes of a request body. The longest log record fits, even if all its characters are
   * escaped.
   */
  public static final int MAX_BODY = 512 * 1024;

  private CallRoutes() {}
}
