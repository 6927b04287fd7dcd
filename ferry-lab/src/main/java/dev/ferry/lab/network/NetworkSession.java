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
import org.jspecify.annotations.Nullable;

/** The network of a run: its wire, and what bare sockets measure of it. Used by one thread. */
public final class NetworkSession implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Network network;
  private final Wire wire;
  private final List<Calibration> calibrations = new ArrayList<>();
  private @Nullable WireCounters counters;
  private @Nullable String failure;

  private NetworkSession(Network network, Wire wire) {
    this.network = network;
    this.wire = wire;
  }

  /**
   * Makes a network.
   *
   * @param folder an existing folder for temporary files
   * @throws LabException if that is not possible here, with the reason and the remedy
   */
  public static NetworkSession open(Network network, Path folder) throws LabException, IOException {
    return new NetworkSession(network, Wire.open(network, folder));
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
    Process server = java(wire.ends().server(command(CalibrationServer.class)));
    try (BufferedReader ports = server.inputReader(StandardCharsets.UTF_8)) {
      String line = ports.readLine();
      if (line == null) {
        throw new IOException("the server of the calibration does not start");
      }
      List<String> command = command(CalibrationClient.class);
      command.addAll(List.of(line.split(" ", -1)));
      command.add(JSON.writeValueAsString(network));
      Process client = java(wire.ends().client(command));
      try (BufferedReader answers = client.inputReader(StandardCharsets.UTF_8)) {
        String answer = answers.readLine();
        if (answer == null) {
          throw new IOException("the calibration of the network failed");
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

  private static Process java(List<String> command) throws IOException {
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /**
   * Returns the network with what has been measured so far.
   *
   * @param ended whether no further rows will be run
   */
  public NetworkRun run(boolean ended) {
    return new NetworkRun(
        network,
        wire.ready().congestion(),
        network.offload(),
        wire.ready().freshConnections(),
        calibrations,
        counters,
        failure != null ? failure : CalibrationCheck.reason(network, calibrations, ended));
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
