package dev.ferry.wire.internal.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;

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
  private static final int PROBE_MILLIS = 800;

  private Reachability() {}

  /**
   * Connects and closes the connection again. Blocks for a second at most.
   *
   * @param server an address that is not resolved is reachable, since a name server that does not
   *     respond says nothing of the server
   */
  public static boolean of(SocketAddress server) {
    if (!(server instanceof InetSocketAddress address) || address.isUnresolved()) {
      return true;
    }
    try (Socket socket = new Socket()) {
      socket.connect(server, PROBE_MILLIS);
      return true;
    } catch (IOException e) {
      // Refused, no route, or no response: there is no server now.
      return false;
    }
  }
}
