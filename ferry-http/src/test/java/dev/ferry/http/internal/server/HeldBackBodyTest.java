package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.Refusals;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.timeout.IdleStateHandler;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time in which the server does not read a body is none in which its client is silent. */
final class HeldBackBodyTest {
  private static final int LIMIT_SECONDS = 60;

  private final EmbeddedConnection channel =
      EmbeddedConnection.open(
          this::handle,
          new Refusals(),
          new BodyMemory(Long.MAX_VALUE),
          new IdleStateHandler(true, 0, 0, LIMIT_SECONDS, TimeUnit.SECONDS));

  private @Nullable Exchange exchange;
  private boolean holdsBack;

  /** Takes one part, and more when the test says so. */
  private static final class Parts implements Exchange.Body {
    @Override
    public boolean receive(ByteBuf buffer, boolean last) {
      buffer.release();
      return false;
    }

    @Override
    public void trailers(HttpHeaders fields) {}

    @Override
    public void abort() {}
  }

  @BeforeEach
  void begin() {
    channel.freezeTime();
    channel.send("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nfirst");
  }

  private void handle(Exchange begun) throws FerryException {
    exchange = begun;
    begun.goesOnWith(
        new Exchange.Work() {
          @Override
          public boolean holdsBack() {
            return holdsBack;
          }
        });
    begun.receive(new Parts());
    holdsBack = true;
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void goOn() {
    holdsBack = false;
    Objects.requireNonNull(exchange).resume();
  }

  private void pass(double limits) {
    channel.advanceTimeBy(
        (long) (limits * TimeUnit.SECONDS.toNanos(LIMIT_SECONDS)), TimeUnit.NANOSECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void silence_afterTheServerHeldBack_isCountedFromThen() {
    pass(0.9);
    goOn();
    pass(0.9);
    assertThat(channel.received()).isEmpty();
    pass(0.2);
    assertThat(channel.received()).startsWith("HTTP/1.1 408 ");
  }

  @Test
  void silence_afterTheServerHeldBackForLonger_isCountedFromThen() {
    pass(1.1);
    pass(0.8);
    goOn();
    pass(0.9);
    assertThat(channel.received()).isEmpty();
    pass(0.2);
    assertThat(channel.received()).startsWith("HTTP/1.1 408 ");
  }
}
