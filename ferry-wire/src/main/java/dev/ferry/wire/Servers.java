package dev.ferry.wire;

import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.wire.internal.HostName;
import dev.ferry.wire.internal.contract.BasePath;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one store, which all have the same files, and what this process knows of them: a
 * server that failed is left for a time, which grows from one second to a minute while it fails
 * again. Clients that are given the same object share that knowledge.
 *
 * <p>The servers are the addresses of a list, or those that a host name has: a name with several
 * IPv4 addresses, or else with several IPv6 addresses, stands for as many servers. The addresses of
 * the other family, which may be those of the same servers, are used while all of these have
 * failed. A name with one address of each family stands for one server. Names are looked up when
 * they are needed, and again some seconds after a failure; if that fails, a name keeps the servers
 * that it had. Thread-safe.
 *
 * <p>A client that is made while there is {@linkplain #isSingle only one} stays a client of that
 * one, even if the name has several addresses later. Make another client then.
 */
public final class Servers {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final Duration LOOKUP_AFTER = Duration.ofSeconds(5);

  /**
   * An address as it was given, with its host in the form to connect to: {@code 127.1} is {@code
   * 127.0.0.1}, and a name of other letters is in ASCII ({@code xn--...}).
   *
   * @param host a host name or an IP address, without brackets
   * @param port from 1 to 65535
   */
  public record Address(String host, int port) {
    /**
     * Creates an address.
     *
     * @throws IllegalArgumentException if the host is neither a name nor an address, or the port is
     *     out of range
     */
    public Address {
      host = HostName.canonical(host);
      if (port < 1 || port > 65_535) {
        throw new IllegalArgumentException(
            "'" + host + "', port " + port + ": no address of a server");
      }
    }

    /** Written out, as is {@link #hashCode}: that of a record is linked at run time, 4 ms. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Address that && port == that.port && host.equals(that.host);
    }

    @Override
    public int hashCode() {
      return 31 * host.hashCode() + port;
    }

    /** Returns {@code host:port}, with an IPv6 address in brackets. */
    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * One server.
   *
   * @param address the address that led to it, which its certificate is for
   * @param ip the address to connect to; null to look the host up
   */
  public record Endpoint(Address address, @Nullable InetAddress ip) {
    /**
     * Returns the addresses to connect to, of which any leads to the server. This may look the host
     * up.
     */
    public List<InetSocketAddress> socketAddresses() throws UnknownHostException {
      InetAddress[] all =
          ip == null ? InetAddress.getAllByName(address.host()) : new InetAddress[] {ip};
      return Stream.of(all).map(one -> new InetSocketAddress(one, address.port())).toList();
    }

    /** Returns the host to connect to: the IP address if it is known. */
    public String host() {
      return ip == null ? address.host() : ip.getHostAddress();
    }

    /** Written out as that of {@link Address}. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Endpoint that
          && address.equals(that.address)
          && Objects.equals(ip, that.ip);
    }

    @Override
    public int hashCode() {
      return 31 * address.hashCode() + Objects.hashCode(ip);
    }

    @Override
    public String toString() {
      return ip == null ? address.toString() : address + " (" + ip.getHostAddress() + ")";
    }
  }

  /** Finds the addresses of a host name. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] of(String host) throws UnknownHostException;
  }

  /** How long a server is left. */
  private record Pause(long length, long end) {}

  private final List<Address> addresses;
  private final String basePath;
  private final Lookup lookup;
  private final LongSupplier clock;

  // The lock of this object guards the following.
  private final Map<Endpoint, Pause> left = new HashMap<>();
  private List<Endpoint> endpoints = List.of();
  private long lookedUp;
  private boolean stale = true;
  private boolean lookingUp;
  private int turn;

  /** Held during lookups; never acquired by a thread that has the lock of this object. */
  private final ReentrantLock lookups = new ReentrantLock();

  Servers(List<Address> addresses, Lookup lookup, LongSupplier clock, int turn) {
    this(addresses, "", lookup, clock, turn);
  }

  private Servers(
      List<Address> addresses, String basePath, Lookup lookup, LongSupplier clock, int turn) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("no address of a server; give one at least");
    }
    Map<String, Address> seen = new HashMap<>();
    for (Address address : addresses) {
      if (seen.put(address.toString().toLowerCase(Locale.ROOT), address) != null) {
        throw new IllegalArgumentException(address + ": is in the list twice; leave out one");
      }
    }
    this.addresses = List.copyOf(addresses);
    this.basePath = basePath.isEmpty() ? "" : BasePath.parse(basePath).value();
    this.lookup = lookup;
    this.clock = clock;
    this.turn = turn;
  }

  /**
   * Names servers. Calls go to them in turn; the first one is chosen at random.
   *
   * @throws IllegalArgumentException if there is none, or one twice
   */
  public static Servers of(List<Address> addresses) {
    return of(addresses, "");
  }

  /**
   * Names servers that are below a path of their addresses, behind a proxy. Clients of gRPC do not
   * heed it.
   *
   * @param basePath the path, such as {@code /ferry}; empty for none
   * @throws IllegalArgumentException if there is no server, or one twice, or the path is malformed
   */
  public static Servers of(List<Address> addresses, String basePath) {
    int first = ThreadLocalRandom.current().nextInt(1 << 20);
    return new Servers(addresses, basePath, InetAddress::getAllByName, System::nanoTime, first);
  }

  /** Names one server, or those that a host name has. */
  public static Servers of(String host, int port) {
    return of(List.of(new Address(host, port)));
  }

  /** The addresses as they were given. */
  public List<Address> addresses() {
    return addresses;
  }

  /** The path below which the servers are at their addresses; empty if there is none. */
  public String basePath() {
    return basePath;
  }

  /** Whether there is only one server. This may look its host name up. */
  public boolean isSingle() {
    return endpoints().size() == 1;
  }

  /**
   * Returns all servers. This may look host names up, or wait while another thread looks them up.
   */
  public List<Endpoint> endpoints() {
    lookups.lock();
    try {
      return lookUpIfDue();
    } finally {
      lookups.unlock();
    }
  }

  private List<Endpoint> lookUpIfDue() {
    List<Endpoint> before;
    synchronized (this) {
      before = endpoints;
      if (!isLookupDue()) {
        return before;
      }
      // A failure during the lookup calls for another one.
      stale = false;
    }
    Set<Endpoint> all = new LinkedHashSet<>();
    for (Address address : addresses) {
      all.addAll(servers(address, before));
    }
    List<Endpoint> found = List.copyOf(all);
    synchronized (this) {
      endpoints = found;
      left.keySet().retainAll(new HashSet<>(found));
      lookedUp = clock.getAsLong();
    }
    return found;
  }

  private synchronized boolean isLookupDue() {
    return endpoints.isEmpty() || (stale && clock.getAsLong() - lookedUp >= LOOKUP_AFTER.toNanos());
  }

  /**
   * Returns the servers known so far. If there are any, this does not wait: a lookup that is due
   * runs on a thread of its own.
   */
  private List<Endpoint> known() {
    synchronized (this) {
      if (!endpoints.isEmpty()) {
        if (isLookupDue() && !lookingUp) {
          lookingUp = true;
          Thread unused = DaemonThreads.start("ferry-lookup", this::lookUpAside);
        }
        return endpoints;
      }
    }
    return endpoints();
  }

  private void lookUpAside() {
    try {
      List<Endpoint> unused = endpoints();
    } finally {
      synchronized (this) {
        lookingUp = false;
      }
    }
  }

  /**
   * Has host names looked up again when the servers are needed next, but not within seconds of the
   * last lookup.
   */
  public synchronized void lookUpAgain() {
    stale = true;
  }

  /**
   * Returns the servers of an address.
   *
   * @param before the servers known so far
   */
  private List<Endpoint> servers(Address address, List<Endpoint> before) {
    List<Endpoint> itself = List.of(new Endpoint(address, null));
    if (HostName.isAddress(address.host()) || HostName.isThisMachine(address.host())) {
      return itself;
    }
    InetAddress[] all;
    try {
      all = lookup.of(address.host());
    } catch (UnknownHostException e) {
      // A call says so. The host may have an address later; until then, the servers that it had
      // may still run.
      lookUpAgain();
      List<Endpoint> kept =
          before.stream().filter(server -> server.address().equals(address)).toList();
      return kept.isEmpty() ? itself : kept;
    }
    // The own name of a machine often has an address of loopback, too.
    boolean local = Stream.of(all).allMatch(InetAddress::isLoopbackAddress);
    List<Endpoint> four = new ArrayList<>();
    List<Endpoint> six = new ArrayList<>();
    for (InetAddress ip : new LinkedHashSet<>(List.of(all))) {
      if (local || !ip.isLoopbackAddress()) {
        (ip instanceof Inet4Address ? four : six).add(new Endpoint(address, ip));
      }
    }
    if (four.size() > 1) {
      return Stream.concat(four.stream(), six.stream()).toList();
    }
    return six.size() > 1 ? Stream.concat(six.stream(), four.stream()).toList() : itself;
  }

  /**
   * Returns all servers in the order in which to try them for the next call: the next one in turn,
   * the other ones that did not fail, those at addresses of the other family that did not fail, and
   * those that are left for now, the one first whose time is over first. Once servers are known,
   * this does not wait for a lookup.
   */
  public List<Endpoint> inTurn() {
    return inTurn(known());
  }

  private synchronized List<Endpoint> inTurn(List<Endpoint> all) {
    long now = clock.getAsLong();
    Set<Address> names = new HashSet<>();
    List<Endpoint> inTurn = new ArrayList<>();
    List<Endpoint> others = new ArrayList<>();
    boolean four = false;
    for (Endpoint server : all) {
      boolean isIpv4 = server.ip() instanceof Inet4Address;
      if (names.add(server.address())) {
        four = isIpv4;
      }
      (isIpv4 == four ? inTurn : others).add(server);
    }
    turn = Math.floorMod(turn, inTurn.size()) + 1;
    Collections.rotate(inTurn, 1 - turn);
    inTurn.addAll(others);
    inTurn.sort(Comparator.comparingLong(server -> Math.max(0, remaining(server, now))));
    return inTurn;
  }

  private long remaining(Endpoint server, long now) {
    Pause pause = left.get(server);
    return pause == null ? 0 : pause.end - now;
  }

  /** Records that a server could not be reached, or said that it does not serve. */
  public synchronized void failed(Endpoint server) {
    long now = clock.getAsLong();
    Pause before = left.get(server);
    if (remaining(server, now) > 0) {
      // Another call that began before has failed, too.
      return;
    }
    long length =
        before == null
            ? FIRST_PAUSE.toNanos()
            : Math.min(2 * before.length, LONGEST_PAUSE.toNanos());
    left.put(server, new Pause(length, now + length));
    lookUpAgain();
  }

  /** Records that a server responded. */
  public synchronized void served(Endpoint server) {
    left.remove(server);
  }

  /** Returns the addresses, separated by commas. */
  @Override
  public String toString() {
    return addresses.stream().map(Address::toString).collect(Collectors.joining(", "));
  }
}
