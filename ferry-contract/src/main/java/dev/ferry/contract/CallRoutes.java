package dev.ferry.contract;

/**
 * Small calls over HTTP, as JSON.
 *
 * <ul>
 *   <li>{@code GET /rows/{index}}: a row, {@code {"number": 1, "name": "a"}};
 *   <li>{@code GET /rows?count=N}: the first rows, an array; with {@code Accept:
 *       application/x-ndjson} a line each, as they are made, however many;
 *   <li>{@code GET /items?count=N}: the first items, an array of {@code id, name, price};
 *   <li>{@code GET /users?page=P&size=S}: a page of users, an array of {@code userName, email, age,
 *       address, createdMillis};
 *   <li>{@code POST /logs}: writes a record of {@code message, level, category, timestampMillis};
 *       answered with {@code {"number": 0}}, its place in the log, when it is there;
 *   <li>{@code GET /logs/{number}}: the record of a place.
 * </ul>
 *
 * <p>What is there for GET is there for HEAD, without the body. Another method is 405 with {@code
 * Allow}, another path 404.
 *
 * <p>Times are milliseconds since 1970-01-01T00:00:00Z. What is out of range, and why, is the same
 * as over gRPC; errors are those of {@link HttpRoutes}.
 */
public final class CallRoutes {
  /** Rows. */
  public static final String ROWS = "/rows";

  /** Items. */
  public static final String ITEMS = "/items";

  /** Users. */
  public static final String USERS = "/users";

  /** Log records. */
  public static final String LOGS = "/logs";

  /** How many of them. */
  public static final String COUNT = "count";

  /** Which page, from 0. */
  public static final String PAGE = "page";

  /** Users of a page. */
  public static final String SIZE = "size";

  /** Media type of a line of JSON for each row. */
  public static final String NDJSON = "application/x-ndjson";

  /** Bytes of a request's body: the longest log record, every character of it escaped. */
  public static final int MAX_BODY = 512 * 1024;

  private CallRoutes() {}
}
