package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Transfers the source over one persistent connection. The only protocol is a number from which
 * both ends derive the name of the target.
 *
 * <p>The server has its own thread; the client is the caller. A download ends when the client has
 * renamed its file. An upload ends when the server has reported that it has renamed its file.
 */
final class SocketCeiling implements CeilingOperation.Part {
  private final Direction direction;
  private final SocketWay way;
  private final Workplace workplace;
  private final SocketEnd client;
  private final SocketEnd server;
  private final Thread serverThread;
  private final FreshFile.Names targets;
  private volatile @Nullable IOException serverFailure;

  private SocketCeiling(
      Direction direction, SocketWay way, Workplace workplace, SocketEnd client, SocketEnd server) {
    this.direction = direction;
    this.way = way;
    this.workplace = workplace;
    this.client = client;
    this.server = server;
    Path folder = direction == Direction.DOWNLOAD ? workplace.client() : workplace.store();
    this.targets = new FreshFile.Names(folder);
    this.serverThread = new Thread(this::serve, "ferry-ceiling-server");
    serverThread.setDaemon(true);
  }

  static SocketCeiling open(Direction direction, SocketWay way, Workplace workplace)
      throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(listener.getLocalAddress());
      SocketChannel server = null;
      try {
        server = listener.accept();
        SocketCeiling ceiling =
            new SocketCeiling(
                direction, way, workplace, new SocketEnd(client, way), new SocketEnd(server, way));
        ceiling.serverThread.start();
        return ceiling;
      } catch (IOException | RuntimeException e) {
        client.close();
        if (server != null) {
          server.close();
        }
        throw e;
      }
    }
  }

  @Override
  public void prepare() {
    targets.prepare();
  }

  @Override
  public void run(int operation) throws IOException {
    long number = targets.number(operation);
    try {
      client.writeNumber(number);
      if (direction == Direction.DOWNLOAD) {
        targets.of(number).write(file -> client.receive(file, workplace.size()));
      } else {
        send(client);
        client.awaitAnswer();
      }
    } catch (IOException e) {
      IOException cause = serverFailure;
      throw cause == null ? e : cause;
    }
  }

  private void send(SocketEnd end) throws IOException {
    if (way.sendfile()) {
      end.transfer(workplace.source());
    } else {
      end.send(workplace.source());
    }
  }

  private void serve() {
    // The thread closes its end of the connection for any reason of its end, so that the client
    // does not wait forever.
    try (server) {
      try {
        Pin.pinServerThread();
        while (true) {
          answerOne(server.readNumber());
        }
      } catch (IOException e) {
        // Set before the connection is closed, because the client reads it as soon as the
        // connection fails.
        serverFailure = e;
      }
    } catch (IOException e) {
      serverFailure = e;
    }
  }

  private void answerOne(long n) throws IOException {
    if (direction == Direction.DOWNLOAD) {
      send(server);
    } else {
      targets.of(n).write(file -> server.receive(file, workplace.size()));
      server.answer();
    }
  }

  /** Runs an operation without a check. Returns its duration in nanoseconds. */
  long trial() throws IOException {
    prepare();
    long start = System.nanoTime();
    run(0);
    long nanos = System.nanoTime() - start;
    Files.delete(targets.of(targets.number(0)).target());
    return nanos;
  }

  @Override
  public void check(int operation) throws IOException {
    targets.of(targets.number(operation)).check(workplace);
  }

  @Override
  public void close() throws IOException {
    try (server) {
      client.close();
    }
    try {
      serverThread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the ceiling's server ended");
    }
  }
}
