package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.Refusals;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are kept as a whole have a share of the memory of the port. */
final class SmallBodyTest {
  private static final int MOST = 1024 * 1024;

  private final List<EmbeddedConnection> open = new ArrayList<>();
  private final List<Integer> taken = new ArrayList<>();
  private final BodyMemory memory = new BodyMemory(8L * MOST);

  @AfterEach
  void close() {
    open.forEach(EmbeddedConnection::finishAndReleaseAll);
  }

  private void handle(Exchange exchange) {
    exchange.receive(
        new SmallBody(
            exchange,
            MOST,
            () -> new FerryException(ErrorKind.TOO_LARGE, "too large"),
            (same, body, trailers) -> {
              taken.add(SmallBody.bytes(body).length);
              same.respond(Responses.without(HttpResponseStatus.NO_CONTENT));
            }));
  }

  /** Begins a request, and sends a part of its body. */
  private EmbeddedConnection begin(long announced, int sent) {
    EmbeddedConnection channel = EmbeddedConnection.open(this::handle, new Refusals(), memory);
    open.add(channel);
    channel.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + announced + "\r\n\r\n");
    channel.send("x".repeat(sent));
    return channel;
  }

  @Test
  void body_inParts_isTakenAsAWhole() {
    EmbeddedConnection channel = begin(MOST, MOST / 2);
    channel.send("x".repeat(MOST / 2));

    assertThat(taken).containsExactly(MOST);
    assertThat(channel.received()).startsWith("HTTP/1.1 204 ");
  }

  @Test
  void bodies_ofOneClient_haveNoMoreThanItsShare() {
    EmbeddedConnection first = begin(MOST, MOST / 2);
    EmbeddedConnection second = begin(MOST, MOST / 2);

    assertThat(first.received()).isEmpty();
    assertThat(second.received())
        .startsWith("HTTP/1.1 429 ")
        .contains("too many requests with incomplete bodies of this user or address");
  }

  @Test
  void bodies_thatAreAnnouncedAlone_takeNothing() {
    EmbeddedConnection announced = begin(MOST, SmallBody.FREE);
    EmbeddedConnection sent = begin(MOST, MOST / 2);

    assertThat(announced.received()).isEmpty();
    assertThat(sent.received()).isEmpty();
  }

  @Test
  void share_isGivenBack_withTheResponseAndWithTheConnection() {
    EmbeddedConnection answered = begin(MOST, MOST / 2);
    answered.send("x".repeat(MOST / 2));
    assertThat(answered.received()).startsWith("HTTP/1.1 204 ");
    EmbeddedConnection cut = begin(MOST, MOST / 2);
    assertThat(cut.received()).isEmpty();
    boolean unused = cut.finishAndReleaseAll();

    assertThat(begin(MOST, MOST / 2).received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {MOST + 1, 1L << 31, Long.MAX_VALUE})
  void body_thatIsAnnouncedTooLarge_isRefusedAtOnceAndTakesNothing(long announced) {
    assertThat(begin(announced, 1).received()).startsWith("HTTP/1.1 413 ");
    assertThat(begin(MOST, MOST / 2).received()).isEmpty();
    assertThat(begin(MOST, MOST / 2).received()).startsWith("HTTP/1.1 429 ");
  }
}
