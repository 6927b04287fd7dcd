package dev.ferry.cli.access;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.ServerSettings;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The address that a server listens on. A name is resolved once, so that the ports listen on the
 * address that was checked.
 *
 * @param host a name or an address, as given
 * @param address what it resolved to
 */
public record ListenAddress(String host, InetAddress address) {
  /**
   * Resolves a name.
   *
   * @throws FerryException if it has no address; the message is one line with the remedy
   */
  public static ListenAddress resolve(String host) throws FerryException {
    try {
      return new ListenAddress(host, InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      throw cannotListen("cannot listen on " + host + ": unknown host", "--host", e);
    }
  }

  /**
   * Returns the failure of a server that cannot listen. Its kind is that of wrong input: the exit
   * code for what cannot be reached is one of clients.
   *
   * @param why what the port says
   * @param options those that choose another place
   */
  public static FerryException cannotListen(String why, String options, Exception cause) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, why + "; choose another with " + options, cause);
  }

  /** Returns whether only this machine reaches it. */
  public boolean isLoopback() {
    return address.isLoopbackAddress();
  }

  /** Returns the address as a literal, which is not resolved again. */
  public String literal() {
    return address.getHostAddress();
  }

  /**
   * Returns a name or an address by which people can open the ports. That of a server which listens
   * on all addresses is its first host name, or else an address of this machine.
   */
  public String reachableBy(ServerSettings settings) {
    if (!address.isAnyLocalAddress()) {
      return host;
    }
    if (!settings.hostNames().isEmpty()) {
      return settings.hostNames().get(0);
    }
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(own -> own instanceof Inet4Address && !own.isLoopbackAddress())
          .map(InetAddress::getHostAddress)
          .findFirst()
          .orElse("localhost");
    } catch (SocketException e) {
      return "localhost";
    }
  }

  /**
   * Adds the name to the host names of a server. A server that listens on a literal address does
   * not know the name otherwise. If it accepts all names, it still does.
   */
  public ServerSettings named(ServerSettings settings) {
    List<String> names = settings.hostNames();
    boolean acceptsAll = !isLoopback() && names.isEmpty();
    boolean literal = host.equals(literal()) || host.indexOf(':') >= 0;
    return acceptsAll || literal
        ? settings
        : settings.withHostNames(Stream.concat(names.stream(), Stream.of(host)).toList());
  }
}
