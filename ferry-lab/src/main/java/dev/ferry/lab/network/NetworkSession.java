package dev.ferry.lab.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.model.network.WireCounters;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The network of a run: its wire, and what bare sockets measure of it. Used by one thread. */
public final class NetworkSession implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Network network;
  private final Wire wire;
  private final List<Calibration> earlier;
  private final List<Calibration> calibrations = new ArrayList<>();
  private @Nullable WireCounters counters;
  private @Nullable String failure;

  NetworkSession(Network network, Wire wire, List<Calibration> earlier) {
    this.network = network;
    this.wire = wire;
    this.earlier = List.copyOf(earlier);
  }

  /**
   * Makes a network.
   *
   * @param folder an existing folder for temporary files
   * @param earlier what an interrupted start of the run has measured; empty for a new run
   * @throws LabException if that is not possible here, with the reason and the remedy
   */
  public static NetworkSession open(Network network, Path folder, List<Calibration> earlier)
      throws LabException, IOException {
    return new NetworkSession(network, Wire.open(network, folder), earlier);
  }

  /** Returns how processes get to the ends of the wire. */
  public WireEnds ends() {
    return wire.ends();
  }

  /**
   * Measures the network by bare sockets, after the rows. A failure is a reason for no verdicts.
   */
  public void calibrateAtEnd() {
    try {
      calibrate();
    } catch (IOException e) {
      failure = "the network could not be measured after the rows: " + Reason.of(e);
    }
  }

  /**
   * Measures the network by bare sockets.
   *
   * @throws IOException if that is not possible
   */
  public void calibrate() throws IOException {
    counters = wire.counters();
    CompletableFuture<?> forwarder = wire.ends().onExit();
    Process server = java(wire.ends().server(command(CalibrationServer.class)), forwarder);
    try (BufferedReader ports = server.inputReader(StandardCharsets.UTF_8)) {
      String line = ports.readLine();
      if (line == null) {
        throw new IOException("the server of the calibration does not start");
      }
      List<String> command = command(CalibrationClient.class);
      command.addAll(List.of(line.split(" ", -1)));
      command.add(JSON.writeValueAsString(network));
      Process client = java(wire.ends().client(command), forwarder);
      try (BufferedReader answers = client.inputReader(StandardCharsets.UTF_8)) {
        String answer = answers.readLine();
        if (answer == null) {
          throw new IOException(
              forwarder.isDone()
                  ? "the wire's process ended early"
                  : "the calibration of the network failed");
        }
        calibrations.add(JSON.readValue(answer, Calibration.class));
      } finally {
        client.destroyForcibly();
      }
    } finally {
      server.destroyForcibly();
    }
    counters = wire.counters();
  }

  private List<String> command(Class<?> main) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.addAll(wire.ends().flags());
    command.addAll(List.of("-cp", System.getProperty("java.class.path", ""), main.getName()));
    return command;
  }

  /** Starts a process that does not wait for packets when the forwarder has ended. */
  private static Process java(List<String> command, CompletableFuture<?> forwarder)
      throws IOException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    CompletableFuture<?> unused = forwarder.thenRun(process::destroyForcibly);
    return process;
  }

  /**
   * Returns the network with what has been measured so far.
   *
   * @param ended whether no further rows will be run
   */
  public NetworkRun run(boolean ended) {
    List<Calibration> all = new ArrayList<>(earlier);
    all.addAll(calibrations);
    return new NetworkRun(
        network,
        wire.ready().congestion(),
        network.offload(),
        wire.ready().freshConnections(),
        all,
        counters,
        reason(ended));
  }

  private @Nullable String reason(boolean ended) {
    if (failure != null) {
      return failure;
    }
    for (Calibration each : earlier) {
      String reason = CalibrationCheck.reason(network, List.of(each), false);
      if (reason != null) {
        return reason;
      }
    }
    return CalibrationCheck.reason(network, calibrations, ended);
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
