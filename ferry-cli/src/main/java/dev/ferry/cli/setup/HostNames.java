package dev.ferry.cli.setup;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The names and addresses under which clients may reach a server of this machine. */
final class HostNames {
  /** What a certificate takes: letters, digits and hyphens. */
  private static final Pattern NAME =
      Pattern.compile(
          "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

  private HostNames() {}

  /**
   * Returns the given names, and those of this machine.
   *
   * @param given host names or literal addresses; they come first
   * @return without brackets around IPv6 addresses; not empty
   * @throws IllegalArgumentException if a given name cannot stand in a certificate
   */
  static List<String> with(List<String> given) throws SocketException {
    Set<String> names = new LinkedHashSet<>();
    for (String name : given) {
      String bare = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
      if (!isAddress(bare) && !NAME.matcher(bare).matches()) {
        throw new IllegalArgumentException(
            "'" + name + "' cannot stand in a certificate; use letters, digits, hyphens and dots");
      }
      names.add(bare);
    }
    try {
      String own = InetAddress.getLocalHost().getHostName();
      if (NAME.matcher(own).matches()) {
        names.add(own);
      }
    } catch (UnknownHostException e) {
      // The machine has a name that leads nowhere, so that no client uses it.
    }
    names.addAll(addresses());
    names.add("localhost");
    return List.copyOf(names);
  }

  /** Returns the addresses of this machine that mean the same on every network. */
  private static List<String> addresses() throws SocketException {
    List<String> found = new ArrayList<>();
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      network
          .inetAddresses()
          .filter(address -> !address.isLinkLocalAddress())
          .map(InetAddress::getHostAddress)
          .map(address -> address.replaceFirst("%.*", ""))
          .forEach(found::add);
    }
    return found;
  }

  /** Whether the text is a literal address, without brackets. */
  static boolean isAddress(String host) {
    return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
  }
}
