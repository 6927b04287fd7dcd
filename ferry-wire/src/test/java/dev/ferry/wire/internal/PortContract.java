package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.wire.ConnectionCounter;
import dev.ferry.wire.ServerSettings;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What each port of a server keeps, whichever stack it is built on. */
@Timeout(300)
public abstract class PortContract {
  private static final byte[] NONE = new byte[0];
  private static final int ENHANCE_YOUR_CALM = 0xb;
  private static final String CRLF = "\r\n";

  /** More than is free, and little enough to be sent in no time. */
  private static final int FLOOD = 300_000;

  /** A server's port. */
  public interface Port extends AutoCloseable {
    int port();

    Refusals refused();

    @Override
    void close();
  }

  /** Starts a server of an empty store. */
  protected abstract Port start(ServerSettings settings) throws Exception;

  /** Whether the port takes HTTP/1.1 as well. */
  protected boolean speaksHttp1() {
    return true;
  }

  /**
   * The logger of a library that logs warnings about clients, which Ferry cannot change; null for
   * none.
   */
  protected @Nullable String loggerOfTheStack() {
    return null;
  }

  private static ServerSettings connections(int max, int maxPerAddress) {
    return ServerSettings.defaults().withConnections(new ConnectionCounter(max, maxPerAddress));
  }

  /** Connects by HTTP/2, and waits for the server's SETTINGS. */
  private static RawHttp2 connect(Port port) throws IOException {
    RawHttp2 raw = RawHttp2.open(port.port());
    raw.await(RawHttp2.SETTINGS);
    return raw;
  }

  private static boolean isLetIn(Port port, String from) throws IOException {
    InetAddress address = InetAddress.getByName(from);
    try (RawHttp2 raw = new RawHttp2(new Socket("127.0.0.1", port.port(), address, 0))) {
      raw.send(RawHttp2.PREFACE);
      raw.send(RawHttp2.SETTINGS, 0, 0, NONE);
      raw.await(RawHttp2.SETTINGS);
      return true;
    } catch (EOFException | SocketException closed) {
      return false;
    }
  }

  @Test
  void connections_overTheLimit_areClosedUntilOneEnds() throws Exception {
    ServerSettings settings = connections(2, 2);
    try (Port port = start(settings)) {
      try (RawHttp2 first = connect(port);
          RawHttp2 second = connect(port)) {
        assertThat(isLetIn(port, "127.0.0.1")).isFalse();
        assertThat(port.refused().of(Refusals.Reason.TOO_MANY_CONNECTIONS)).isEqualTo(1);
        assertThat(settings.connections().open()).isEqualTo(2);
      }
      while (settings.connections().open() > 0) {
        Thread.sleep(5);
      }
      assertThat(isLetIn(port, "127.0.0.1")).isTrue();
    }
  }

  @Test
  void connections_ofOneAddressOverItsLimit_areClosedAndOthersNot() throws Exception {
    try (Port port = start(connections(10, 1));
        RawHttp2 first = connect(port)) {
      assertThat(isLetIn(port, "127.0.0.1")).isFalse();
      assertThat(isLetIn(port, "127.0.0.2")).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PRI * HT", RawHttp2.PREFACE, "G", "GET /files/a HTTP/1.1\r\nHost: "})
  void handshake_notWholeInTime_closesTheConnection(String sent) throws Exception {
    ServerSettings settings =
        ServerSettings.defaults().withHandshakeTimeout(Duration.ofMillis(200));
    try (Port port = start(settings);
        RawHttp2 raw = new RawHttp2(port.port())) {
      raw.send(sent);
      raw.awaitClose();
      assertThat(port.refused().of(Refusals.Reason.NO_HANDSHAKE)).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void handshake_settingsNotAcknowledged_closesTheConnection() throws Exception {
    ServerSettings settings =
        ServerSettings.defaults().withHandshakeTimeout(Duration.ofMillis(200));
    try (Port port = start(settings);
        RawHttp2 raw = new RawHttp2(port.port())) {
      raw.send(RawHttp2.PREFACE);
      try {
        raw.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
      } catch (SocketException e) {
        // A busy machine took longer than the server waits.
      }
      raw.awaitClose();
      assertThat(port.refused().of(Refusals.Reason.NO_HANDSHAKE)).isEqualTo(1);
    }
  }

  @Test
  void connection_withoutAStream_isClosedAlthoughItPings() throws Exception {
    ServerSettings settings = ServerSettings.defaults().withIdleTimeout(Duration.ofSeconds(1));
    try (Port port = start(settings);
        RawHttp2 raw = connect(port)) {
      Thread pings = new Thread(() -> pingForEver(raw));
      pings.start();
      answerPingsUntilClosed(raw);
      pings.join();
      assertThat(port.refused().of(Refusals.Reason.NO_HANDSHAKE)).isZero();
      assertThat(port.refused().of(Refusals.Reason.FLOOD)).isZero();
    }
  }

  /** As a client does: a server that closes waits a while for the answer to a ping. */
  private static void answerPingsUntilClosed(RawHttp2 raw) throws IOException {
    try {
      while (true) {
        RawHttp2.Frame frame = raw.next();
        if (frame.type() == RawHttp2.PING && (frame.flags() & RawHttp2.ACK) == 0) {
          raw.send(RawHttp2.PING, RawHttp2.ACK, 0, frame.payload());
        }
      }
    } catch (EOFException | SocketException closed) {
      return;
    }
  }

  private static void pingForEver(RawHttp2 raw) {
    try {
      while (true) {
        raw.send(RawHttp2.PING, 0, 0, new byte[8]);
        // Many in the time after which it is idle.
        Thread.sleep(50);
      }
    } catch (IOException | InterruptedException closed) {
      return;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HTTP/1.1\r\nX: "})
  void http1_withoutANextRequest_isClosed(String begun) throws Exception {
    assumeTrue(speaksHttp1());
    ServerSettings settings = ServerSettings.defaults().withIdleTimeout(Duration.ofSeconds(1));
    try (Port port = start(settings);
        RawHttp2 raw = new RawHttp2(port.port())) {
      raw.send("HEAD /files/none HTTP/1.1" + CRLF + "Host: localhost" + CRLF + CRLF);
      raw.readHead();
      raw.send(begun);
      raw.awaitClose();
    }
  }

  @Test
  void pings_asOftenAsClientsLike_areAnsweredWithAndWithoutARequest() throws Exception {
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      for (int i = 0; i < 400; i++) {
        if (i == 200) {
          raw.call(1, "Upload");
        }
        raw.send(RawHttp2.PING, 0, 0, new byte[8]);
      }
      for (int answers = 0; answers < 400; ) {
        RawHttp2.Frame frame = raw.next();
        assertThat(frame.type()).isNotEqualTo(RawHttp2.GOAWAY);
        answers += frame.type() == RawHttp2.PING ? 1 : 0;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SETTINGS, 4, 0, 0, 0",
    "acknowledged SETTINGS, 4, 1, 0, 0",
    "PING, 6, 0, 0, 8",
    "acknowledged PING, 6, 1, 0, 8",
    "PRIORITY, 2, 0, 5, 5",
    "WINDOW_UPDATE of the connection, 8, 0, 0, 4",
    "unknown, 200, 0, 0, 0",
    "unknown of a stream, 200, 0, 1, 3",
  })
  void flood_ofFramesThatMoveNothing_isEndedCalmly(
      String name, int type, int flags, int stream, int length) throws Exception {
    byte[] payload = new byte[length];
    if (length > 0) {
      payload[length - 1] = 1;
    }
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      floodAndAwaitGoAway(port, raw, type, flags, stream, payload);
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "8, 4"})
  void flood_ofEmptyData_isEndedCalmly(int flags, int length) throws Exception {
    byte[] padding = new byte[length];
    if (length > 0) {
      padding[0] = (byte) (length - 1);
    }
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      raw.call(1, "Upload");
      floodAndAwaitGoAway(port, raw, RawHttp2.DATA, flags, 1, padding);
    }
  }

  @Test
  void flood_ofWindowUpdatesOfAStreamThatEnded_isEndedCalmly() throws Exception {
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      raw.call(1, "Upload");
      raw.resetStream(1);
      byte[] one = {0, 0, 0, 1};
      floodAndAwaitGoAway(port, raw, RawHttp2.WINDOW_UPDATE, 0, 1, one);
    }
  }

  @Test
  void flood_ofResetsOfAStreamThatEnded_isEndedCalmly() throws Exception {
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      raw.call(1, "Upload");
      raw.resetStream(1);
      floodAndAwaitGoAway(port, raw, RawHttp2.RST_STREAM, 0, 1, new byte[4]);
    }
  }

  @Test
  void flood_ofCallsThatAreResetAtOnce_isEndedCalmly() throws Exception {
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = connect(port)) {
      RawHttp2.Frame frame;
      int stream = 1;
      do {
        assertThat(stream).isLessThan(FLOOD);
        try {
          for (int i = 0; i < 10; i++, stream += 2) {
            raw.call(stream, "Upload");
            raw.resetStream(stream);
          }
          // The GOAWAY of a server that closes a connection with many bytes unread may get lost,
          // so the client waits after each few calls.
          raw.send(RawHttp2.SETTINGS, 0, 0, NONE);
        } catch (SocketException closed) {
          // Frames that were sent before can still be read.
        }
        frame = raw.awaitAcknowledgedSettings();
      } while (frame.type() != RawHttp2.GOAWAY);
      assertThat(frame.error()).isEqualTo(ENHANCE_YOUR_CALM);
    }
  }

  @Test
  void upgrade_withFramesBeforeItsResponse_isNoWayPastTheLimits() throws Exception {
    assumeTrue(speaksHttp1());
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = new RawHttp2(port.port())) {
      raw.send(
          "GET /files/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
              + RawHttp2.PREFACE);
      raw.send(RawHttp2.SETTINGS, 0, 0, NONE);
      try {
        raw.flood(FLOOD, RawHttp2.PING, 0, 0, new byte[8]);
      } catch (SocketException closed) {
        // As it is to be.
      }
      raw.awaitClose();
    }
  }

  @Test
  void upgrade_thenFlood_isEndedCalmly() throws Exception {
    assumeTrue(speaksHttp1());
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = new RawHttp2(port.port())) {
      raw.send(
          "GET /files/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
              + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 101");
      raw.send(RawHttp2.PREFACE);
      raw.send(RawHttp2.SETTINGS, 0, 0, NONE);
      raw.await(RawHttp2.SETTINGS);
      floodAndAwaitGoAway(port, raw, RawHttp2.PING, 0, 0, new byte[8]);
    }
  }

  @Test
  void garbage_ofManyKinds_isNotLogged() throws Exception {
    Random random = new Random(17);
    try (Warnings warnings = new Warnings();
        Port port = start(ServerSettings.defaults())) {
      for (int i = 0; i < 300; i++) {
        try (RawHttp2 raw = new RawHttp2(port.port())) {
          sendGarbage(raw, random, i % 5);
        } catch (SocketException closed) {
          // As it is to be.
        }
      }
      // All of it has been seen once this has a response.
      try (RawHttp2 raw = connect(port)) {
        raw.send(RawHttp2.PING, 0, 0, new byte[8]);
        raw.await(RawHttp2.PING);
      }
      String stack =
          "(?s)WARN(ING)? " + Pattern.quote(String.valueOf(loggerOfTheStack())) + "\\..*";
      assertThat(warnings.heard()).filteredOn(line -> !line.matches(stack)).isEmpty();
    }
  }

  private void sendGarbage(RawHttp2 raw, Random random, int kind) throws IOException {
    if (kind == 0) {
      raw.send(noise(random, 300));
      return;
    }
    if (kind == 1) {
      raw.send("GET " + noise(random, 60) + " HTTP/1.1\r\n" + noise(random, 60) + "\r\n\r\n");
      return;
    }
    raw.send(RawHttp2.PREFACE);
    raw.send(RawHttp2.SETTINGS, 0, 0, NONE);
    for (int i = 0; i < 20; i++) {
      byte[] payload = noise(random, 40).getBytes(StandardCharsets.ISO_8859_1);
      int stream = random.nextInt(12);
      if (kind == 2) {
        raw.send(random.nextInt(12), random.nextInt(256), stream, payload);
      } else if (kind == 3) {
        raw.request(2 * i + 1, random.nextBoolean(), "POST", "/" + noise(random, 20));
        raw.send(random.nextInt(12), random.nextInt(256), stream, payload);
      } else {
        raw.call(2 * i + 1, "Upload");
        raw.send(RawHttp2.DATA, random.nextInt(2), 2 * i + 1, payload);
        raw.send(RawHttp2.DATA, random.nextInt(2), stream, payload);
      }
    }
  }

  /** One char for each byte. */
  private static String noise(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static void floodAndAwaitGoAway(
      Port port, RawHttp2 raw, int type, int flags, int stream, byte[] payload) throws IOException {
    try {
      raw.flood(FLOOD, type, flags, stream, payload);
    } catch (SocketException closed) {
      // As expected: frames that were sent before can still be read.
    }
    assertThat(raw.await(RawHttp2.GOAWAY).error()).isEqualTo(ENHANCE_YOUR_CALM);
    assertThat(port.refused().of(Refusals.Reason.FLOOD)).isEqualTo(1);
  }
}
