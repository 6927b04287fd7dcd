package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.internal.Refusals;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.flow.FlowControlHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a client of HTTP/1.1 sends while it waits for a response waits in bounded memory. */
final class Http1BacklogTest {
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final Refusals refusals = new Refusals();
  private final Slow slow = new Slow();
  private final Waiting waiting = new Waiting();
  private final EmbeddedConnection channel =
      EmbeddedConnection.open(slow, refusals, new BodyMemory(Long.MAX_VALUE));

  /** Responds when it is told to. */
  private static final class Slow implements RequestHandler {
    private int begun;
    private @Nullable Exchange last;

    @Override
    public void handle(Exchange exchange) {
      begun++;
      last = exchange;
      exchange.goesOnWith(
          new Exchange.Work() {
            @Override
            public boolean busy() {
              return true;
            }
          });
    }

    void respond() {
      Objects.requireNonNull(last).respond(Responses.without(HttpResponseStatus.NO_CONTENT));
    }
  }

  /** Counts the messages that wait for the handler. */
  private static final class Waiting extends ChannelInboundHandlerAdapter {
    private int requests;
    private int messages;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      requests += message instanceof HttpRequest ? 1 : 0;
      messages++;
      context.fireChannelRead(message);
    }
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** Sends a request that is not responded to, and counts what waits behind it. */
  private void begin(String request) {
    channel.send(request);
    assertThat(slow.begun).isEqualTo(1);
    String queue = channel.pipeline().context(FlowControlHandler.class).name();
    channel.pipeline().addBefore(queue, "waiting", waiting);
  }

  private void respond() {
    slow.respond();
    channel.runPendingTasks();
  }

  @Test
  void requests_thousandsInOneRead_endTheConnectionAfterTheResponse() {
    begin(GET);
    channel.send(GET.repeat(14_000));
    assertThat(waiting.requests).isBetween(1_000, 2_048);
    assertThat(refusals.of(Refusals.Reason.FLOOD)).isEqualTo(1);

    respond();

    assertThat(channel.received())
        .startsWith("HTTP/1.1 204 ")
        .containsIgnoringCase("connection: close");
    assertThat(channel.isOpen()).isFalse();
    assertThat(slow.begun).isEqualTo(1);
  }

  @Test
  void requests_ofThousandsOfFields_endTheConnectionAfterTheResponse() {
    String fields = GET.replace("\r\n\r\n", "\r\n" + "a:b\r\n".repeat(3_000) + "\r\n");
    begin(GET);
    channel.send(fields.repeat(30));
    assertThat(waiting.requests).isLessThan(4);

    respond();

    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void requests_asManyAsFerrySendsAhead_areAllServed() {
    String fields = GET.replace("\r\n\r\n", "\r\n" + "ferry: 0123456789\r\n".repeat(15) + "\r\n");
    begin(fields);
    channel.send(fields.repeat(256));
    assertThat(waiting.requests).isEqualTo(256);

    for (int i = 0; i < 257; i++) {
      respond();
    }

    assertThat(slow.begun).isEqualTo(257);
    assertThat(channel.isOpen()).isTrue();
    assertThat(refusals.of(Refusals.Reason.FLOOD)).isZero();
  }

  @Test
  void body_inTinyChunks_isNotCounted() {
    begin("PUT / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    channel.send("1\r\nx\r\n".repeat(5_000) + "0\r\n\r\n");
    assertThat(waiting.messages).isGreaterThan(5_000);

    respond();
    channel.send(GET);

    assertThat(channel.received()).startsWith("HTTP/1.1 204 ");
    assertThat(slow.begun).isEqualTo(2);
  }
}
