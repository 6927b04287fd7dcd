package dev.ferry.lab.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.ferry.core.Round;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.model.network.WireCounters;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The wire of a run. Skipped where namespaces and devices cannot be made, with the reason. */
final class WireTest {
  private static final int PATIENCE_SECONDS = 60;
  private static final String SERVER = "198.18.0.2";
  private static final int FLOOD_BYTES = 1 << 20;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static Path program;

  @TempDir Path folder;

  @BeforeAll
  static void requireWires(@TempDir Path once) throws Exception {
    String obstacle = Namespaces.obstacle(once);
    assumeThat(obstacle).as(obstacle).isNull();
    program = WireProgram.compile(once);
  }

  private static NetworkSession session(String network, Calibration... earlier) throws Exception {
    return new NetworkSession(Networks.parse(network), wire(network), List.of(earlier));
  }

  private static Wire wire(String network) throws Exception {
    return Wire.start(Networks.parse(network), program);
  }

  @Test
  void calibrate_lossAndRate_packetsCrossAndAreLostAndCounted() throws Exception {
    Network network = Networks.parse("rtt=2ms,rate=20mbit,loss=3%,queue=64KiB,congestion=cubic");
    try (NetworkSession session = NetworkSession.open(network, folder, List.of())) {
      session.calibrate();
      NetworkRun run = session.run(false);

      assertThat(run.congestion()).isEqualTo("cubic");
      assertThat(run.offload()).isFalse();
      assertThat(run.calibrations()).hasSize(1);
      Calibration measured = run.calibrations().get(0);
      // A packet cannot be early; how late it is depends on the machine.
      assertThat(measured.rttP99Millis()).isGreaterThanOrEqualTo(measured.rttP50Millis());
      assertThat(measured.rttP50Millis()).isGreaterThan(1);
      assertThat(measured.lossPercent()).isPositive();
      assertThat(measured.rateMbit()).isPositive().isLessThan(25);
      WireCounters counters = Objects.requireNonNull(run.wire());
      assertThat(counters.client().lost()).isPositive();
      assertThat(counters.client().overflowed()).isPositive();
      assertThat(counters.client().bytes()).isPositive();
      assertThat(counters.client().retransmitted()).isPositive();
      assertThat(counters.server().packets()).isPositive();
      assertThat(counters.server().retransmitted()).isPositive();
      assertThat(counters.cpuNanos()).isPositive();
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void calibrate_noLoss_takesSegmentsTogetherAndLosesNothing() throws Exception {
    try (NetworkSession session = session("rtt=1ms,queue=64MiB")) {
      session.calibrate();
      NetworkRun run = session.run(false);

      WireCounters counters = Objects.requireNonNull(run.wire());
      assertThat(run.calibrations().get(0).rateBy()).isEqualTo("tcp");
      assertThat(counters.client().segments()).isGreaterThan(counters.client().packets());
      assertThat(counters.client().lost()).isZero();
      assertThat(counters.client().refused()).isZero();
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void calibrate_forwarderDies_fails() throws Exception {
    try (NetworkSession session = session("rtt=20ms")) {
      ProcessHandle forwarder = ProcessHandle.of(session.ends().pid()).orElseThrow();
      Set<String> namespaces = Namespaces.of(forwarder.pid());
      FutureTask<Boolean> kill =
          new FutureTask<>(
              () -> {
                // The forwarder and both ends of the calibration.
                Namespaces.awaitMembers(3, namespaces);
                return forwarder.destroyForcibly();
              });
      new Thread(kill, "kill-forwarder").start();

      assertThatThrownBy(session::calibrate)
          .isInstanceOf(IOException.class)
          .hasMessage("the wire's process ended early");
      assertThat(kill.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      Namespaces.awaitEmpty(namespaces);
    }
  }

  @Test
  void roundTrips_exchangesOverTheWire_areCountedWithTheConnection() throws Exception {
    int exchanges = 5;
    try (Wire wire = wire("rtt=20ms")) {
      SharedCounters counters = SharedCounters.of(wire.ends());
      double trips = exchange(wire, Exchanges.class, exchanges, counters::roundTrips);

      assertThat(trips).isEqualTo(1 + exchanges);
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void retransmittedBytes_lossyWire_areThoseThatWereLost() throws Exception {
    try (Wire wire = wire("rtt=1ms,loss=2%")) {
      SharedCounters counters = SharedCounters.of(wire.ends());
      double bytes = exchange(wire, Flood.class, FLOOD_BYTES, counters::retransmittedBytes);

      // Of 700 packets one is lost for certain, and no wire loses most of them.
      assertThat(bytes).isBetween(1.0, FLOOD_BYTES / 2.0);
      assertThat(wire.counters().client().lost()).isPositive();
    }
  }

  /**
   * The wire is long: a forwarder that waits for a processor looks like a loss on a short one. One
   * that waits for very long looks like it on any.
   */
  @Test
  void retransmittedBytes_wireWithoutLoss_areNone() throws Exception {
    try (Wire wire = wire("rtt=50ms")) {
      SharedCounters counters = SharedCounters.of(wire.ends());
      double bytes = exchange(wire, Flood.class, FLOOD_BYTES, counters::retransmittedBytes);
      for (int again = 0; bytes > 0 && again < 2; again++) {
        bytes = exchange(wire, Flood.class, FLOOD_BYTES, counters::retransmittedBytes);
      }

      assertThat(bytes).isZero();
      assertThat(wire.counters().client().bytes()).isGreaterThan(FLOOD_BYTES);
    }
  }

  /**
   * Runs a client with an {@link Echo} at the other end.
   *
   * @param argument the second of the client, after the port
   * @param counter what is read before the client starts and after it has ended
   * @return how much the counter has grown
   */
  private static double exchange(Wire wire, Class<?> main, int argument, DoubleSupplier counter)
      throws Exception {
    Process server = started(wire.ends().server(java(Echo.class)));
    try (BufferedReader lines = server.inputReader(StandardCharsets.UTF_8)) {
      String port = lines.readLine();
      double before = counter.getAsDouble();
      Process client = started(wire.ends().client(java(main, port, Integer.toString(argument))));

      assertThat(client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(client.exitValue()).isZero();
      return counter.getAsDouble() - before;
    } finally {
      server.destroyForcibly();
    }
  }

  private static List<String> java(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  private static Process started(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Responds to each first byte of what it reads by a byte. */
  static final class Echo {
    private Echo() {}

    @SuppressWarnings("SystemOut") // The test reads it.
    public static void main(String[] arguments) throws IOException {
      try (ServerSocket listener = new ServerSocket(0)) {
        System.out.println(listener.getLocalPort());
        try (Socket socket = listener.accept()) {
          socket.setTcpNoDelay(true);
          byte[] bytes = new byte[1 << 16];
          while (socket.getInputStream().read(bytes) > 0) {
            socket.getOutputStream().write(bytes[0]);
          }
        }
      }
    }
  }

  /** Sends bytes, each after the response to the one before. */
  static final class Exchanges {
    private Exchanges() {}

    public static void main(String[] arguments) throws IOException {
      try (Socket socket = new Socket(SERVER, Integer.parseInt(arguments[0]))) {
        socket.setTcpNoDelay(true);
        for (int i = 0; i < Integer.parseInt(arguments[1]); i++) {
          socket.getOutputStream().write(i);
          if (socket.getInputStream().read() != i) {
            throw new IOException("no response to byte " + i);
          }
        }
      }
    }
  }

  /** Sends many bytes, and waits until the other end has closed the connection. */
  static final class Flood {
    private Flood() {}

    public static void main(String[] arguments) throws IOException {
      try (Socket socket = new Socket(SERVER, Integer.parseInt(arguments[0]))) {
        socket.getOutputStream().write(new byte[Integer.parseInt(arguments[1])]);
        socket.shutdownOutput();
        if (socket.getInputStream().readAllBytes().length == 0) {
          throw new IOException("no response");
        }
      }
    }
  }

  @Test
  void run_resumed_hasWhatWasMeasuredBeforeTheInterruption() throws Exception {
    Calibration slow = new Calibration(50, 50, 30, 10, "tcp", 0, 10_000);
    try (NetworkSession session = session("rtt=1ms", slow)) {
      NetworkRun run = session.run(false);

      assertThat(run.calibrations()).containsExactly(slow);
      assertThat(run.reason()).endsWith("before the rows, the RTT was 50.00 ms and not 1.00");
    }
  }

  @Test
  void open_unknownCongestionControl_saysSoAndLeavesNothing() {
    assertThatThrownBy(() -> Wire.open(Networks.parse("rtt=1ms,congestion=teleport"), folder))
        .isInstanceOf(LabException.class)
        .hasMessageContaining("no route with congestion control teleport: ");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void close_processAtAnEnd_isWithoutNamespaceAfterItsEnd() throws Exception {
    Set<String> namespaces;
    Process atEnd;
    try (Wire wire = wire("metro")) {
      namespaces = Namespaces.of(wire.ends().pid());
      atEnd = new ProcessBuilder(wire.ends().client(List.of("cat"))).start();
      assertThat(namespaces).hasSize(2);
      Namespaces.awaitMember(atEnd.pid(), namespaces);
    }
    // What holds a namespace is its processes alone.
    assertThat(Namespaces.members(namespaces)).containsExactly(atEnd.pid());
    atEnd.getOutputStream().close();
    assertThat(atEnd.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(Namespaces.members(namespaces)).isEmpty();
  }

  static Stream<String> signals() {
    return Round.isThorough() ? Stream.of("SIGTERM", "SIGKILL") : Stream.of("SIGKILL");
  }

  @ParameterizedTest
  @MethodSource("signals")
  void parentEnds_atAnyMoment_leavesNothing(String signal) throws Exception {
    Process parent = started(java(Parent.class, folder.toString()));
    try (BufferedReader lines = parent.inputReader(StandardCharsets.UTF_8)) {
      long wire = Long.parseLong(lines.readLine());
      Set<String> namespaces = Namespaces.of(wire);
      // The wire's process and both ends of a calibration.
      Namespaces.awaitMembers(3, namespaces);
      assertThat(Namespaces.members(namespaces)).contains(wire);
      if (signal.equals("SIGTERM")) {
        parent.destroy();
      } else {
        parent.destroyForcibly();
      }
      parent.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      Namespaces.awaitEmpty(namespaces);
    } finally {
      parent.destroyForcibly();
    }
    assertThat(folder).isEmptyDirectory();
  }

  /** A process that opens a wire and calibrates it again and again. */
  static final class Parent {
    private Parent() {}

    @SuppressWarnings("SystemOut") // The test reads it.
    public static void main(String[] arguments) throws Exception {
      try (NetworkSession session =
          NetworkSession.open(Networks.parse("rtt=20ms"), Path.of(arguments[0]), List.of())) {
        System.out.println(session.ends().pid());
        while (true) {
          session.calibrate();
        }
      }
    }
  }
}
