package dev.ferry.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class CallReportTest {
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  private final CallReport report = new CallReport("a/b", "host:7070", OPTIONS, true);

  static Stream<Arguments> failedConnections() {
    return Stream.of(
        Arguments.of(
            Outage.REFUSED,
            "connection refused at host:7070",
            new ConnectException("finishConnect(..) failed: Connection refused: /127.0.0.1:1")),
        Arguments.of(
            Outage.REFUSED,
            "connection refused at host:7070",
            // That of java.net.http.
            caused(new ConnectException(), new ClosedChannelException())),
        Arguments.of(
            Outage.NO_SUCH_HOST,
            "host: no such host",
            caused(new ConnectException(), new UnresolvedAddressException())),
        Arguments.of(
            Outage.NO_SUCH_HOST, "host: no such host", new UnknownHostException("host: -2")),
        Arguments.of(
            Outage.NO_ROUTE,
            "no network leads to host:7070",
            new ConnectException("Network is unreachable")),
        Arguments.of(
            Outage.NO_ROUTE,
            "no network leads to host:7070",
            new NoRouteToHostException("No route to host")),
        Arguments.of(
            Outage.NO_CONNECTION,
            "no connection to host:7070 in 10 s",
            new HttpConnectTimeoutException("HTTP connect timed out")),
        Arguments.of(
            Outage.NO_CONNECTION,
            "no connection to host:7070 in 10 s",
            new SocketTimeoutException("Connect timed out")),
        Arguments.of(
            Outage.NO_CONNECTION,
            "no connection to host:7070 in 10 s",
            new ConnectException("Connection timed out")),
        Arguments.of(
            Outage.NO_CONNECTION,
            "no connection to host:7070 in 10 s",
            // That of Netty, which is a ConnectException there.
            new IOException("connection timed out after 10000 ms: host/192.0.2.1:7070")),
        Arguments.of(
            Outage.LOST,
            "a/b: connection to host:7070 lost before the first byte",
            // ETIMEDOUT of an established connection, of the JDK and of Netty.
            new IOException("Connection timed out")),
        Arguments.of(
            Outage.LOST,
            "a/b: connection to host:7070 lost before the first byte",
            new IOException("recvAddress(..) failed with error(-110): Connection timed out")),
        Arguments.of(
            Outage.LOST,
            "a/b: connection to host:7070 lost before the first byte",
            new SocketException("Connection reset by peer")),
        Arguments.of(
            Outage.LOST,
            "a/b: connection to host:7070 lost before the first byte",
            new IOException("HTTP/1.1 header parser received no bytes")));
  }

  private static IOException caused(IOException failure, Throwable cause) {
    failure.initCause(cause);
    return failure;
  }

  @ParameterizedTest
  @MethodSource("failedConnections")
  void failedConnection_anyReason_isNamed(Outage outage, String message, IOException cause) {
    FerryException failure =
        report.failedConnection(ErrorKind.UNAVAILABLE, new IOException("io exception", cause));

    assertThat(failure).hasMessage(message);
    assertThat(failure.outage()).isEqualTo(outage);
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
  }

  @Test
  void lost_inTheMiddle_saysHowFarItGot() {
    report.update(41_000_000, 200_000_000);
    assertThat(report.lost(ErrorKind.INCOMPLETE, null))
        .hasMessage("a/b: connection lost after 41.0 MB of 200.0 MB");
    report.update(41, 1000);
    assertThat(report.lost(ErrorKind.INCOMPLETE, null))
        .hasMessage("a/b: connection lost after 41 of 1000 bytes");
    report.update(41_000_000, -1);
    assertThat(report.lost(ErrorKind.INCOMPLETE, null))
        .hasMessage("a/b: connection lost after 41.0 MB");
  }

  @Test
  void stalled_anywhere_saysForHowLongAndHowFarItGot() {
    assertThat(report.stalled()).hasMessage("a/b: no response from host:7070 for 60 s");
    report.update(0, 200_000_000);
    assertThat(report.stalled()).hasMessage("a/b: no byte for 60 s: 0.0 MB of 200.0 MB");
    report.update(41_000_000, 200_000_000);
    assertThat(report.stalled()).hasMessage("a/b: no byte for 60 s: 41.0 MB of 200.0 MB");
    report.update(200_000_000, 200_000_000);
    assertThat(report.stalled()).hasMessage("a/b: no response for 64 s after 200.0 MB of 200.0 MB");
    assertThat(report.stalled().outage()).isEqualTo(Outage.STALLED);
  }

  @Test
  void overdue_anywhere_saysTheLimitAndHowFarItGot() {
    assertThat(report.overdue(null))
        .hasMessage("a/b: not finished in 30 s: no response from host:7070");
    report.update(41_000_000, 200_000_000);
    assertThat(report.overdue(null)).hasMessage("a/b: not finished in 30 s: 41.0 MB of 200.0 MB");
    assertThat(report.overdue(null).kind()).isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
    assertThat(report.overdue(null).outage()).isEqualTo(Outage.OVERDUE);
  }

  @Test
  void messages_ofTheRoot_haveNoEmptyName() {
    CallReport root = new CallReport("", "host:7070", OPTIONS, true);
    assertThat(root.stalled()).hasMessage("no response from host:7070 for 60 s");
  }

  @Test
  void time_anyLength_isInTheUnitThatFits() {
    assertThat(Amounts.time(Duration.ofMillis(500))).isEqualTo("500 ms");
    assertThat(Amounts.time(Duration.ofSeconds(60))).isEqualTo("60 s");
    assertThat(Amounts.time(Duration.ofMillis(1500))).isEqualTo("1.5 s");
    assertThat(Amounts.time(Duration.ofSeconds(125))).isEqualTo("125 s");
    assertThat(Amounts.time(Duration.ofMinutes(5))).isEqualTo("5 min");
  }
}
