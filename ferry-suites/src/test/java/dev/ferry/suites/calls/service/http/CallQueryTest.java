package dev.ferry.suites.calls.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What URIs request. */
class CallQueryTest {
  private static void assertFails(ErrorKind kind, ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(FerryException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageContaining(message);
  }

  @Test
  void numbers_ofPathAndQuery_areRead() throws Exception {
    CallQuery page = CallQuery.parse("/users?page=7&size=%33&other=x");
    assertThat(page.path()).isEqualTo(CallRoutes.USERS);
    assertThat(page.number("page")).isEqualTo(7);
    assertThat(page.number("size")).isEqualTo(3);
    assertThat(CallQuery.parse("/logs/-1").logRecord()).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rows?count=%zz", "/logs/%zz", "/no-such-route/%zz", "/rows?%=1"})
  void malformedUri_isRefused(String uri) {
    assertFails(ErrorKind.INVALID_REQUEST, () -> CallQuery.parse(uri), "malformed URI");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/log/1", "/logs", "/rows/1"})
  void pathWithoutALogRecord_isNotFound(String uri) throws Exception {
    CallQuery query = CallQuery.parse(uri);
    assertFails(ErrorKind.NOT_FOUND, query::logRecord, uri + ": no such route");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/rows", "/rows?counts=1", "/rows?count=1&count=2"})
  void numberThatIsNotThereOnce_isRequired(String uri) throws Exception {
    CallQuery query = CallQuery.parse(uri);
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () -> query.number("count"),
        "/rows needs one count, for instance ?count=10");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "1.5", "9223372036854775808"})
  void whatIsNoWholeNumber_isRefused(String text) throws Exception {
    CallQuery query = CallQuery.parse("/rows?count=" + text);
    String message = "count '" + text + "' is not a whole number";
    assertFails(ErrorKind.INVALID_REQUEST, () -> query.number("count"), message);
    CallQuery log = CallQuery.parse("/logs/" + text);
    assertFails(
        ErrorKind.INVALID_REQUEST,
        log::logRecord,
        "log record '" + text + "' is not a whole number");
  }
}
