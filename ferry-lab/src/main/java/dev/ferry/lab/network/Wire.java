package dev.ferry.lab.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.WireCounters;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network between two ends on this machine. A process forwards packets between two TUN devices,
 * each in a network namespace of its own. It ends when its standard input ends, so it never
 * outlives this process, and namespaces and devices end with it. Used by one thread.
 */
public final class Wire implements AutoCloseable {
  /** The maximum time for an orderly end. */
  private static final int END_SECONDS = 5;

  /** All other lines are messages of failures. */
  private static final String JSON_START = "{";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;
  private final WireEnds ends;
  private Ready ready = new Ready("unknown", false);

  private Wire(Process process) {
    this.process = process;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.ends = new WireEnds(process.pid());
  }

  /**
   * What the forwarder says when it is ready.
   *
   * @param congestion the congestion control of connections over the wire
   * @param freshConnections whether a connection starts without what the kernel has learned of the
   *     path by earlier ones
   */
  public record Ready(String congestion, boolean freshConnections) {}

  /**
   * Makes a network.
   *
   * @param folder an existing folder in which the forwarder is compiled; nothing remains in it
   * @throws LabException if that is not possible here, with the reason and the remedy
   */
  public static Wire open(Network network, Path folder) throws LabException, IOException {
    Path temporary = Files.createTempDirectory(folder, "ferry-wire-");
    try {
      return start(network, WireProgram.compile(temporary));
    } finally {
      WireProgram.delete(temporary);
    }
  }

  /** Makes a network by a forwarder that has been compiled. */
  static Wire start(Network network, Path program) throws LabException, IOException {
    String congestion = network.congestion();
    Wire wire =
        new Wire(
            new ProcessBuilder(
                    program.toString(),
                    "forward",
                    Long.toString(network.delayNanos()),
                    Long.toString(network.rateBits()),
                    Long.toString(network.lossPerMillion()),
                    Long.toString(network.queueBytes()),
                    network.offload() ? "1" : "0",
                    congestion == null ? "default" : congestion)
                .redirectErrorStream(true)
                .start());
    try {
      wire.awaitReady();
      return wire;
    } catch (LabException | IOException | RuntimeException e) {
      wire.close();
      throw e;
    }
  }

  private void awaitReady() throws LabException, IOException {
    String line = answers.readLine();
    if (line == null || !line.startsWith(JSON_START)) {
      throw LabException.unavailable(
          ("--network cannot make its wire here: %s. It needs Linux with /dev/net/tun, and user"
                  + " namespaces (does 'unshare -Urn true' work?), or root (sudo), or a container"
                  + " (docker run --privileged)")
              .formatted(line == null ? "the forwarder ended" : line.replaceFirst("^wire: ", "")),
          null);
    }
    ready = JSON.readValue(line, Ready.class);
  }

  /** Returns what the forwarder said when it was ready. */
  public Ready ready() {
    return ready;
  }

  /** Returns how processes get to the ends. */
  public WireEnds ends() {
    return ends;
  }

  /**
   * Returns what has been counted so far.
   *
   * @throws IOException if the forwarder has ended
   */
  public WireCounters counters() throws IOException {
    try {
      requests.write('\n');
      requests.flush();
    } catch (IOException e) {
      throw new IOException("the wire's process ended early", e);
    }
    return JSON.readValue(answer(), WireCounters.class);
  }

  private String answer() throws IOException {
    @Nullable String line = answers.readLine();
    if (line == null) {
      throw new IOException("the wire's process ended early");
    }
    if (!line.startsWith(JSON_START)) {
      throw new IOException("the wire failed: " + line);
    }
    return line;
  }

  /**
   * Ends the network. Processes at its ends keep their namespaces, but reach each other no more.
   */
  @Override
  public void close() throws IOException {
    try (answers) {
      end();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }

  /** Closes the standard input of the forwarder, which then ends. */
  private void end() {
    try {
      requests.close();
    } catch (IOException e) {
      // It has ended before it read the last request.
      process.destroyForcibly();
    }
  }
}
