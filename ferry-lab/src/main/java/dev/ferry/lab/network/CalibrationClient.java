package dev.ferry.lab.network;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.network.Calibration;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.suite.ServerHost;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The client of a calibration, a process at the client's end of the wire. Its arguments are the
 * ports of the server and the network as JSON; it prints a {@link Calibration} as JSON. It ends
 * when its standard input ends: over a wire whose process has ended, it would wait for minutes.
 * Used by one thread.
 */
final class CalibrationClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final long PING_MILLIS = 2_000;
  private static final int LEAST_PINGS = 30;
  private static final int MOST_PINGS = 1_000;

  /** One in this many pings more come first, to load classes and compile. */
  private static final int WARM_UP = 4;

  private static final long FLOOD_MILLIS = 1_500;
  private static final double FLOOD = 1.1;

  /** A datagram of this size is a packet of 1500 bytes, the MTU of the wire. */
  private static final int LARGE = 1_472;

  private static final int SMALL = 100;
  private static final int HEADERS = 28;
  private static final int BITS = 8;
  private static final double BITS_PER_MBIT = 1e6;
  private static final double PERCENT = 100;

  /** Faster than this only TCP fills the wire, since the kernel passes its segments on together. */
  private static final double MOST_DATAGRAM_MBIT = 1_000;

  /** So many losses have a standard deviation of 5 %. */
  private static final double LOSSES = 400;

  private static final long LEAST_DATAGRAMS = 10_000;
  private static final long LOSS_SECONDS = 4;
  private static final double MOST_DATAGRAMS_PER_SECOND = 50_000;
  private static final int STREAM_BYTES = 1 << 18;

  private final Network network;
  private final InetAddress host = ServerHost.address();
  private final int streamPort;
  private final int datagramPort;
  private final Socket control;
  private final DataInputStream in;
  private final DataOutputStream out;

  private CalibrationClient(Network network, int streamPort, int datagramPort) throws IOException {
    this.network = network;
    this.streamPort = streamPort;
    this.datagramPort = datagramPort;
    this.control = new Socket(host, streamPort);
    control.setTcpNoDelay(true);
    this.in = new DataInputStream(control.getInputStream());
    this.out = new DataOutputStream(control.getOutputStream());
  }

  /** Calibrates. */
  @SuppressWarnings("SystemOut") // The run reads it.
  public static void main(String[] arguments) throws IOException {
    Daemon.start("ferry-calibration-end", CalibrationClient::endWithInput);
    CalibrationClient client =
        new CalibrationClient(
            JSON.readValue(arguments[2], Network.class),
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]));
    System.out.println(JSON.writeValueAsString(client.calibrate()));
    client.control.close();
  }

  private static void endWithInput() {
    try {
      while (System.in.read() >= 0) {
        // Only the end counts.
      }
    } catch (IOException e) {
      throw new IllegalStateException("no standard input", e);
    }
    Runtime.getRuntime().halt(1);
  }

  private Calibration calibrate() throws IOException {
    double[] millis =
        ping(
            (int)
                Math.max(
                    LEAST_PINGS,
                    Math.min(MOST_PINGS, PING_MILLIS / Math.max(1, network.rttMillis()))));
    long datagrams = datagrams();
    double loss = loss(datagrams);
    Double asked = network.rateMbit();
    boolean udp = asked != null && asked <= MOST_DATAGRAM_MBIT;
    double rate = udp ? floodByDatagrams() : floodByStream();
    return new Calibration(
        millis[millis.length / 2],
        millis[(int) (millis.length * 0.99)],
        millis.length,
        rate * BITS / BITS_PER_MBIT,
        udp ? "udp" : "tcp",
        loss,
        datagrams);
  }

  /**
   * Returns round trips in milliseconds, sorted. There are fewer than this if losses make them
   * long.
   */
  private double[] ping(int count) throws IOException {
    byte[] request = new byte[1 + CalibrationServer.PING_BYTES];
    request[0] = CalibrationServer.ECHO;
    byte[] answer = new byte[CalibrationServer.PING_BYTES];
    double[] millis = new double[count];
    long end = System.nanoTime() + 2 * TimeUnit.MILLISECONDS.toNanos(PING_MILLIS);
    int taken = 0;
    for (int i = -count / WARM_UP; i < count; i++) {
      long start = System.nanoTime();
      if (taken >= LEAST_PINGS && start > end) {
        break;
      }
      out.write(request);
      in.readFully(answer);
      long nanos = System.nanoTime() - start;
      if (i >= 0) {
        millis[taken++] = nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
      }
    }
    double[] sorted = Arrays.copyOf(millis, taken);
    Arrays.sort(sorted);
    return sorted;
  }

  private double datagramsPerSecond() {
    // Half of the rate, so that no queue builds up.
    double most = network.rateBits() / 2.0 / BITS / (SMALL + HEADERS);
    return network.rateBits() == 0
        ? MOST_DATAGRAMS_PER_SECOND
        : Math.min(MOST_DATAGRAMS_PER_SECOND, most);
  }

  /** Returns how many datagrams show the loss well, or as many as there is time for. */
  private long datagrams() {
    double part = network.lossPercent() / PERCENT;
    double wanted = part == 0 ? LEAST_DATAGRAMS : Math.max(LEAST_DATAGRAMS, LOSSES / part);
    return (long) Math.min(wanted, LOSS_SECONDS * datagramsPerSecond());
  }

  /** Returns the loss of small datagrams in percent. */
  private double loss(long datagrams) throws IOException {
    long before = count();
    try (DatagramChannel channel = channel()) {
      send(channel, SMALL, datagramsPerSecond(), datagrams);
    }
    // The request comes behind the datagrams. It and the acknowledgements are a few packets.
    long arrived = count() - before;
    return Math.max(0, datagrams - arrived) * PERCENT / datagrams;
  }

  private long count() throws IOException {
    out.write(CalibrationServer.COUNT);
    return in.readLong();
  }

  /** Returns the bytes per second that arrive if datagrams flood the wire. */
  private double floodByDatagrams() throws IOException {
    watch();
    double kept = 1 - network.lossPercent() / PERCENT;
    double perSecond = FLOOD / kept * network.rateBits() / BITS / (LARGE + HEADERS);
    try (DatagramChannel channel = channel()) {
      send(channel, LARGE, perSecond, (long) (perSecond * FLOOD_MILLIS / 1_000));
    }
    return in.readDouble();
  }

  /** Returns the bytes per second that arrive if one connection floods the wire. */
  private double floodByStream() throws IOException {
    watch();
    try (Socket stream = new Socket(host, streamPort)) {
      OutputStream bytes = stream.getOutputStream();
      bytes.write(CalibrationServer.SINK);
      byte[] buffer = new byte[STREAM_BYTES];
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FLOOD_MILLIS);
      while (System.nanoTime() < end) {
        bytes.write(buffer);
      }
    }
    return in.readDouble();
  }

  private void watch() throws IOException {
    out.write(CalibrationServer.WATCH);
    out.writeLong(FLOOD_MILLIS + 2 * Math.round(network.rttMillis()));
    if (in.read() != CalibrationServer.WATCH) {
      throw new IOException("the server of the calibration does not watch");
    }
  }

  private DatagramChannel channel() throws IOException {
    return DatagramChannel.open().connect(new InetSocketAddress(host, datagramPort));
  }

  /** Sends datagrams at a rate: a few each millisecond, and no more than the queue holds. */
  private void send(DatagramChannel channel, int bytes, double perSecond, long count)
      throws IOException {
    ByteBuffer datagram = ByteBuffer.allocateDirect(bytes);
    long most = Math.max(1, network.queueBytes() / 2 / (bytes + HEADERS));
    long start = System.nanoTime();
    long sent = 0;
    while (sent < count) {
      double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
      long due = Math.min(count - sent, Math.min(most, (long) (seconds * perSecond) - sent));
      for (long i = 0; i < due; i++) {
        channel.write(datagram.rewind());
      }
      sent += Math.max(0, due);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1) / 2);
    }
  }
}
