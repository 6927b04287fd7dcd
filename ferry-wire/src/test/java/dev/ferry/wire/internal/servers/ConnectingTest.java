package dev.ferry.wire.internal.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.Background;
import dev.ferry.core.Outage;
import dev.ferry.core.RefusingPort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ConnectingTest {
  private static final Duration LONG = Duration.ofMinutes(5);

  private final List<SocketChannel> waiting = new ArrayList<>();
  private ServerSocket good;
  private ServerSocket full;
  private RefusingPort closed;
  private InetSocketAddress refusing;

  @BeforeEach
  void start() throws IOException {
    good = listen();
    full = listen();
    // The system drops what comes when as many connections wait as a server wants.
    while (waiting.size() < 4) {
      SocketChannel one = SocketChannel.open();
      waiting.add(one);
      one.configureBlocking(false);
      one.connect(full.getLocalSocketAddress());
    }
    closed = new RefusingPort();
    refusing = closed.address();
  }

  @AfterEach
  void stop() throws IOException {
    for (SocketChannel one : waiting) {
      one.close();
    }
    good.close();
    full.close();
    closed.close();
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  private static InetSocketAddress address(ServerSocket server) {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  private static Background<SocketChannel> started(
      Connecting connecting, List<InetSocketAddress> addresses) {
    return Background.start(() -> connecting.to(addresses, LONG));
  }

  @Test
  void to_firstRefusesAndSecondHangs_isConnectedToTheThird() throws Exception {
    try (SocketChannel channel =
        new Connecting().to(List.of(refusing, address(full), address(good)), LONG)) {
      assertThat(channel.getRemoteAddress()).isEqualTo(address(good));
      assertThat(channel.isBlocking()).isTrue();
      good.accept().getOutputStream().write('x');
      assertThat(channel.read(ByteBuffer.allocate(9))).isEqualTo(1);
    }
  }

  @Test
  void to_allRefuse_isRefused() {
    for (List<InetSocketAddress> all : List.of(List.of(refusing), List.of(refusing, refusing))) {
      assertThatThrownBy(() -> new Connecting().to(all, LONG)).isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void to_noneAnswers_timesOut() {
    assertThatThrownBy(
            () ->
                new Connecting().to(List.of(address(full), address(full)), Duration.ofMillis(300)))
        .isInstanceOf(SocketTimeoutException.class)
        .satisfies(e -> assertThat(Outage.ofConnecting(e)).isEqualTo(Outage.NO_CONNECTION));
  }

  @Test
  void close_whileItConnects_endsIt() throws Exception {
    for (List<InetSocketAddress> all :
        List.of(List.of(address(full)), List.of(address(full), address(full)))) {
      Connecting connecting = new Connecting();
      Background<SocketChannel> running = started(connecting, all);
      // Begun or not.
      connecting.close();
      assertThatThrownBy(running::result).isInstanceOf(AsynchronousCloseException.class);
    }
  }

  @Test
  void interrupt_whileItConnects_endsIt() {
    Background<SocketChannel> running =
        started(new Connecting(), List.of(address(full), address(full)));
    running.interrupt();
    assertThatThrownBy(running::result).isInstanceOf(ClosedByInterruptException.class);
  }
}
