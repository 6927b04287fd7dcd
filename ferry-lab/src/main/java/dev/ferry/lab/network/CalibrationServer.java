package dev.ferry.lab.network;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.suite.ServerHost;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * The server of a calibration, a process at the server's end of the wire. It answers requests of
 * one connection at a time and ends when its standard input ends.
 *
 * <p>What arrives it takes from the counters of its device: a process that reads datagrams would
 * lose some whenever it has no processor for a millisecond.
 */
final class CalibrationServer {
  /** The requests, one byte each. */
  static final int ECHO = 'e';

  static final int COUNT = 'c';
  static final int WATCH = 'w';
  static final int SINK = 's';

  static final int PING_BYTES = 64;

  private static final int SINK_BYTES = 1 << 20;
  private static final long PERIOD_MILLIS = 5;

  /**
   * The rate is that between these parts of what arrives, when the flood neither starts nor ends.
   */
  private static final double FROM = 0.1;

  private static final double TO = 0.9;

  private CalibrationServer() {}

  /** Prints the ports of TCP and UDP in a line, and serves. */
  @SuppressWarnings("SystemOut") // The client of the calibration gets the ports from it.
  public static void main(String[] arguments) throws IOException {
    InetSocketAddress any = new InetSocketAddress(ServerHost.address(), 0);
    ServerSocket listener = new ServerSocket();
    listener.bind(any);
    // Nobody reads it. Without it, the kernel would answer each datagram with an error.
    DatagramSocket datagrams = new DatagramSocket(any);
    System.out.println(listener.getLocalPort() + " " + datagrams.getLocalPort());
    Daemon.start(
        "ferry-calibration-acceptor",
        () -> {
          try {
            while (true) {
              Socket connection = listener.accept();
              Daemon.start("ferry-calibration", () -> serve(connection));
            }
          } catch (IOException e) {
            if (!listener.isClosed()) {
              throw new IllegalStateException("no connection of a calibration", e);
            }
          }
        });
    while (System.in.read() >= 0) {
      // Only the end counts.
    }
    datagrams.close();
    listener.close();
  }

  private static void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(connection.getInputStream());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      byte[] buffer = new byte[PING_BYTES];
      for (int request = in.read(); request >= 0; request = in.read()) {
        switch (request) {
          case ECHO -> {
            in.readFully(buffer);
            out.write(buffer);
          }
          case COUNT -> out.writeLong(DeviceCounters.read(WireEnds.DEVICE).receivedPackets());
          case WATCH -> {
            long millis = in.readLong();
            out.write(WATCH);
            out.writeDouble(bytesPerSecond(millis));
          }
          case SINK -> {
            byte[] sink = new byte[SINK_BYTES];
            while (in.read(sink) >= 0) {
              // Only the counters of the device count.
            }
          }
          default -> throw new IOException("unknown request " + request);
        }
      }
    } catch (EOFException e) {
      // The calibration has ended.
      return;
    } catch (IOException e) {
      throw new IllegalStateException("a calibration ended early", e);
    }
  }

  /** Returns the rate of a flood that is about to start. */
  private static double bytesPerSecond(long millis) throws IOException {
    int count = (int) (millis / PERIOD_MILLIS);
    long[] times = new long[count];
    long[] bytes = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = System.nanoTime();
      bytes[i] = DeviceCounters.read(WireEnds.DEVICE).receivedBytes();
      try {
        Thread.sleep(PERIOD_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    long all = bytes[count - 1] - bytes[0];
    int from = first(bytes, bytes[0] + (long) (FROM * all));
    int to = first(bytes, bytes[0] + (long) (TO * all));
    return to <= from
        ? 0
        : (double) (bytes[to] - bytes[from])
            * TimeUnit.SECONDS.toNanos(1)
            / (times[to] - times[from]);
  }

  private static int first(long[] values, long least) {
    int i = 0;
    while (values[i] < least) {
      i++;
    }
    return i;
  }
}
