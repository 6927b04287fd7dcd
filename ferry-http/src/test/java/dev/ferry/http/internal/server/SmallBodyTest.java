package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that are kept as a whole have a share of the memory of the port. */
final class SmallBodyTest {
  private static final int MOST = 1024 * 1024;
  private static final SocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);

  private final List<EmbeddedChannel> open = new ArrayList<>();
  private final List<Integer> taken = new ArrayList<>();
  private final BodyWindows memory = new BodyWindows(8L * MOST);
  private final ServerSettings settings = ServerSettings.defaults();
  private final AccessRules rules =
      AccessRules.of(settings, false, new InetSocketAddress("localhost", 1));

  @AfterEach
  void close() {
    open.forEach(EmbeddedChannel::finishAndReleaseAll);
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

  private EmbeddedChannel connect() {
    ConnectionHandler handler =
        new ConnectionHandler(
            this::handle,
            rules,
            new Requests(settings.listener()),
            new HttpServer.DateField(InstantSource.system()),
            memory);
    EmbeddedChannel channel =
        new EmbeddedChannel(new ProtocolChooser(settings, new Refusals(), () -> handler)) {
          @Override
          protected SocketAddress remoteAddress0() {
            return CLIENT;
          }
        };
    open.add(channel);
    return channel;
  }

  /** Begins a request, and sends a part of its body. */
  private EmbeddedChannel begin(long announced, int sent) {
    EmbeddedChannel channel = connect();
    send(
        channel, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + announced + "\r\n\r\n");
    send(channel, "x".repeat(sent));
    return channel;
  }

  private static void send(EmbeddedChannel channel, String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    channel.runPendingTasks();
  }

  private static String received(EmbeddedChannel channel) {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }

  @Test
  void body_inParts_isTakenAsAWhole() {
    EmbeddedChannel channel = begin(MOST, MOST / 2);
    send(channel, "x".repeat(MOST / 2));

    assertThat(taken).containsExactly(MOST);
    assertThat(received(channel)).startsWith("HTTP/1.1 204 ");
  }

  @Test
  void bodies_ofOneClient_haveNoMoreThanItsShare() {
    EmbeddedChannel first = begin(MOST, MOST / 2);
    EmbeddedChannel second = begin(MOST, MOST / 2);

    assertThat(received(first)).isEmpty();
    assertThat(received(second))
        .startsWith("HTTP/1.1 429 ")
        .contains("too many requests with incomplete bodies of this user or address");
  }

  @Test
  void bodies_thatAreAnnouncedAlone_takeNothing() {
    EmbeddedChannel announced = begin(MOST, SmallBody.FREE);
    EmbeddedChannel sent = begin(MOST, MOST / 2);

    assertThat(received(announced)).isEmpty();
    assertThat(received(sent)).isEmpty();
  }

  @Test
  void share_isGivenBack_withTheResponseAndWithTheConnection() {
    EmbeddedChannel answered = begin(MOST, MOST / 2);
    send(answered, "x".repeat(MOST / 2));
    assertThat(received(answered)).startsWith("HTTP/1.1 204 ");
    EmbeddedChannel cut = begin(MOST, MOST / 2);
    assertThat(received(cut)).isEmpty();
    boolean unused = cut.finishAndReleaseAll();

    assertThat(received(begin(MOST, MOST / 2))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {MOST + 1, 1L << 31, Long.MAX_VALUE})
  void body_thatIsAnnouncedTooLarge_isRefusedAtOnceAndTakesNothing(long announced) {
    assertThat(received(begin(announced, 1))).startsWith("HTTP/1.1 413 ");
    assertThat(received(begin(MOST, MOST / 2))).isEmpty();
    assertThat(received(begin(MOST, MOST / 2))).startsWith("HTTP/1.1 429 ");
  }
}
