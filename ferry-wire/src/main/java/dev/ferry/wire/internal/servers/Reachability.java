package dev.ferry.wire.internal.servers;

import dev.ferry.wire.Servers.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;

/**
 * Whether a server takes connections, as far as its operating system says.
 *
 * <p>The operating system of a busy server still takes connections, so slow disks and long digests
 * end no call; so does that of a process that is stopped, whose calls only the stall timeout ends.
 */
public final class Reachability {
  /**
   * The time in which one of several servers has to take a connection. A lost packet of the
   * handshake is sent again after one second.
   */
  public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  /**
   * The first probe begins after half a second of silence and the second after one, so that a
   * vanished machine is left within two seconds. A packet that is lost fails one of them alone.
   */
  private static final Duration PROBE = Duration.ofMillis(800);

  private Reachability() {}

  /**
   * Connects and closes the connection again. Blocks for a second at most.
   *
   * @param server one whose name cannot be looked up is reachable, since a name server that does
   *     not respond says nothing of the server
   */
  public static boolean of(Endpoint server) {
    try {
      return of(server.socketAddresses());
    } catch (UnknownHostException e) {
      return true;
    }
  }

  /** Connects to any of the resolved addresses of a server, and closes the connection again. */
  public static boolean of(List<InetSocketAddress> server) {
    try (SocketChannel unused = new Connecting().to(server, PROBE)) {
      return true;
    } catch (IOException e) {
      // Refused, no route, or no response: there is no server now.
      return false;
    }
  }
}
