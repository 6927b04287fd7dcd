package dev.ferry.lab.suite;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where the servers of rows and ceilings listen, and their clients connect to. */
public final class ServerHost {
  private static final String PROPERTY = "ferry.lab.server.host";
  private static final String LOOPBACK = "127.0.0.1";

  private ServerHost() {}

  /** Returns the flag with which a fork knows an IP address of its servers. */
  public static String flag(String address) {
    return "-D" + PROPERTY + "=" + address;
  }

  /**
   * Returns the IP address in this fork: that of the loopback, unless the ends have a wire or are
   * on two machines.
   */
  public static String name() {
    return System.getProperty(PROPERTY, LOOPBACK);
  }

  /** Returns the address in this fork. */
  public static InetAddress address() {
    try {
      return InetAddress.getByName(name());
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(name() + " is not an IP address", e);
    }
  }
}
