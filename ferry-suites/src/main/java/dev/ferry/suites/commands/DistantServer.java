package dev.ferry.suites.commands;

import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.suite.RowServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A server behind a network of a round-trip time and a rate, by a relay of this process: programs
 * that are not of this JVM meet it, without the rights that {@code --network} needs.
 *
 * <p>All connections share the rate of each direction. A new connection waits one round trip. The
 * relay loses nothing and lets a connection begin at the full rate, so TCP's own start is not part
 * of it.
 */
final class DistantServer implements RowServer {
  private static final int SEGMENT_BYTES = 16 * 1024;

  /** What a direction of a connection holds: more than any of the networks does. */
  private static final int WINDOW_BYTES = 8 << 20;

  /** How far a sender may be ahead of the network, so that a late wake-up costs no rate. */
  private static final long QUEUE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final RowServer server;
  private final InetAddress address;
  private final ServerSocket listening;
  private final long oneWayNanos;
  private final Link requests;
  private final Link responses;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private DistantServer(RowServer server, String host, Network network) throws IOException {
    this.server = server;
    address = InetAddress.getByName(host);
    listening = new ServerSocket(0, 0, address);
    oneWayNanos = (long) (network.rttMillis() * 1e6 / 2);
    requests = new Link(network);
    responses = new Link(network);
    start(this::accept);
  }

  /**
   * Starts a relay to a server on a host of this machine.
   *
   * @param server closed with the relay, also if the relay does not start
   */
  static RowServer start(RowServer server, String host, Network network) throws IOException {
    try {
      return new DistantServer(server, host, network);
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  /** One direction of the network. */
  private static final class Link {
    private final double nanosPerByte;
    private long free = System.nanoTime();

    Link(Network network) {
      Double mbit = network.rateMbit();
      nanosPerByte = mbit == null ? 0 : 8e3 / mbit;
    }

    /** Returns when the last of some bytes has left, in the time of {@link System#nanoTime}. */
    synchronized long send(int bytes) {
      long now = System.nanoTime();
      free = (free - now > 0 ? free : now) + (long) (bytes * nanosPerByte);
      return free;
    }
  }

  /** Bytes on their way; none for the end of a direction. */
  private record Segment(byte[] bytes, long arrival) {}

  private interface Task {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException | InterruptedException e) {
                // An end has gone. The other one sees its own connection end, and says so.
                return;
              }
            },
            "distant-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    // Closed after a failure, so that clients are refused and do not wait.
    try (listening) {
      while (true) {
        Socket client = listening.accept();
        long established = System.nanoTime() + 2 * oneWayNanos;
        start(() -> connect(client, established));
      }
    }
  }

  private void connect(Socket client, long established) throws IOException, InterruptedException {
    try (client;
        Socket origin = new Socket(address, server.port())) {
      sockets.add(client);
      client.setTcpNoDelay(true);
      origin.setTcpNoDelay(true);
      sleepUntil(established);
      Direction request = new Direction(client, origin, requests);
      Direction response = new Direction(origin, client, responses);
      request.start();
      response.start();
      request.done.acquire();
      response.done.acquire();
    } finally {
      sockets.remove(client);
    }
  }

  private static void sleepUntil(long nanoTime) throws InterruptedException {
    for (long left = nanoTime - System.nanoTime(); left > 0; left = nanoTime - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }

  /** One direction of a connection. */
  private final class Direction {
    private final Socket from;
    private final Socket to;
    private final Link link;
    private final BlockingQueue<Segment> onTheWay = new LinkedBlockingQueue<>();
    private final Semaphore window = new Semaphore(WINDOW_BYTES);
    final Semaphore done = new Semaphore(0);

    Direction(Socket from, Socket to, Link link) {
      this.from = from;
      this.to = to;
      this.link = link;
    }

    void start() {
      DistantServer.start(this::send);
      DistantServer.start(this::receive);
    }

    private void send() throws IOException, InterruptedException {
      byte[] buffer = new byte[SEGMENT_BYTES];
      try {
        for (int read = from.getInputStream().read(buffer);
            read > 0;
            read = from.getInputStream().read(buffer)) {
          window.acquire(read);
          long sent = link.send(read);
          onTheWay.add(new Segment(Arrays.copyOf(buffer, read), sent + oneWayNanos));
          sleepUntil(sent - QUEUE_NANOS);
        }
      } finally {
        onTheWay.add(new Segment(new byte[0], link.send(0) + oneWayNanos));
      }
    }

    private void receive() throws IOException, InterruptedException {
      try {
        while (true) {
          Segment next = onTheWay.take();
          sleepUntil(next.arrival());
          if (next.bytes().length == 0) {
            to.shutdownOutput();
            return;
          }
          to.getOutputStream().write(next.bytes());
          window.release(next.bytes().length);
        }
      } catch (IOException e) {
        from.close();
        throw e;
      } finally {
        // A sender that waits goes on, and meets the closed connection.
        window.release(WINDOW_BYTES);
        done.release();
      }
    }
  }

  @Override
  public int port() {
    return listening.getLocalPort();
  }

  @Override
  public void close() {
    try (server) {
      listening.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("the relay does not stop: " + e.getMessage(), e);
    }
  }
}
