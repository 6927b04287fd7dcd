package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Transfers the source over one persistent connection. The only protocol is a number from which
 * both ends derive the name of the target.
 *
 * <p>The server has its own thread, or a process of its own; the client is the caller. A download
 * ends when the client has renamed its file. An upload ends when the server has reported that it
 * has renamed its file.
 */
final class SocketCeiling implements CeilingOperation.Task {
  private final Direction direction;
  private final SocketWay way;
  private final Workplace workplace;
  private final SocketEnd client;

  /** Null if it is in another process. */
  private final @Nullable SocketService server;

  private final FreshFiles targets;

  private SocketCeiling(
      CeilingRequest request,
      Workplace workplace,
      SocketEnd client,
      @Nullable SocketService server) {
    this.direction = request.direction();
    this.way = request.way();
    this.workplace = workplace;
    this.client = client;
    this.server = server;
    this.targets = SocketService.targets(request, workplace);
  }

  /**
   * Connects the two ends.
   *
   * @param port the port of a {@link MachineSuite} in another process; 0 for a server in this
   *     process
   */
  static SocketCeiling open(Direction direction, SocketWay way, Workplace workplace, int port)
      throws IOException {
    CeilingRequest request = new CeilingRequest(direction, way);
    if (port != 0) {
      SocketChannel channel = SocketChannel.open(new InetSocketAddress(ServerHost.address(), port));
      try {
        request.write(channel);
        return new SocketCeiling(request, workplace, new SocketEnd(channel, way), null);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    }
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(listener.getLocalAddress());
      SocketChannel server = null;
      try {
        server = listener.accept();
        SocketEnd end = new SocketEnd(client, way);
        return new SocketCeiling(
            request, workplace, end, SocketService.start(request, workplace, server));
      } catch (IOException | RuntimeException e) {
        client.close();
        if (server != null) {
          server.close();
        }
        throw e;
      }
    }
  }

  /** The same with a connection for each operation, which is made in its time. */
  static CeilingOperation.Task connecting(
      Direction direction, SocketWay way, Workplace workplace, int port) {
    FreshFiles targets = SocketService.targets(new CeilingRequest(direction, way), workplace);
    return new CeilingOperation.Task() {
      @Override
      public void prepare() {
        targets.prepare();
      }

      @Override
      public void run(int operation) throws IOException {
        try (SocketCeiling connection = open(direction, way, workplace, port)) {
          connection.move(targets.number(operation));
        }
      }

      @Override
      public void check(int operation) throws IOException {
        targets.check(operation, workplace, direction);
      }
    };
  }

  @Override
  public void prepare() {
    targets.prepare();
  }

  @Override
  public void run(int operation) throws IOException {
    move(targets.number(operation));
  }

  /** Transfers the source to the target with a number. */
  void move(long number) throws IOException {
    try {
      client.writeNumber(number);
      if (direction == Direction.DOWNLOAD) {
        targets.write(number, file -> client.receive(file, workplace.size()));
      } else {
        client.send(workplace.source(), way);
        client.awaitAnswer();
      }
    } catch (IOException e) {
      IOException cause = server == null ? null : server.failure();
      throw cause == null ? e : cause;
    }
  }

  /** Runs an operation without a check. Returns its duration in nanoseconds. */
  long trial() throws IOException {
    prepare();
    long start = System.nanoTime();
    run(0);
    long nanos = System.nanoTime() - start;
    workplace.targets(direction).delete(targets.name(targets.number(0)));
    return nanos;
  }

  @Override
  public void check(int operation) throws IOException {
    targets.check(operation, workplace, direction);
  }

  @Override
  public void close() throws IOException {
    if (server == null) {
      client.close();
      return;
    }
    try (server) {
      client.close();
    }
  }
}
