package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.ferry.wire.Servers.Address;
import dev.ferry.wire.Servers.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ServersTest {
  private final Map<String, InetAddress[]> names = new HashMap<>();
  private final List<String> asked = new ArrayList<>();
  private long now = Long.MAX_VALUE - 1000;

  private Servers servers(String... hosts) {
    return new Servers(
        Stream.of(hosts).map(host -> new Address(host, 7070)).toList(),
        this::lookUp,
        () -> now,
        Integer.MAX_VALUE);
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    asked.add(host);
    InetAddress[] found = names.get(host);
    if (found == null) {
      throw new UnknownHostException(host);
    }
    return found;
  }

  private void name(String host, String... literals) throws UnknownHostException {
    InetAddress[] all = new InetAddress[literals.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(literals[i]);
    }
    names.put(host, all);
  }

  private static List<String> hosts(List<Endpoint> servers) {
    return servers.stream().map(Endpoint::host).toList();
  }

  private void pass(double seconds) {
    now += (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  @Test
  void inTurn_allLive_beginsWithAnotherOneEachTime() {
    Servers servers = servers("10.0.0.1", "10.0.0.2", "10.0.0.3");
    List<String> first = hosts(servers.inTurn());
    List<String> firsts =
        Stream.concat(
                Stream.of(first.get(0)),
                IntStream.range(0, 5).mapToObj(i -> hosts(servers.inTurn()).get(0)))
            .toList();
    assertThat(first).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2", "10.0.0.3");
    assertThat(firsts.subList(0, 3)).doesNotHaveDuplicates();
    assertThat(firsts.subList(3, 6)).isEqualTo(firsts.subList(0, 3));
    assertThat(asked).isEmpty();
  }

  @Test
  void failed_againAndAgain_leavesTheServerForTwiceAsLongUntilItServes() {
    Servers servers = servers("10.0.0.1", "10.0.0.2");
    Endpoint bad = servers.endpoints().get(0);
    for (double pause : new double[] {1, 2, 4, 8, 16, 32, 60, 60}) {
      servers.failed(bad);
      // Other calls that fail at the same time count once.
      servers.failed(bad);
      pass(pause - 0.1);
      assertThat(servers.inTurn().get(1)).isEqualTo(bad);
      assertThat(servers.inTurn().get(1)).isEqualTo(bad);
      pass(0.2);
      assertThat(List.of(servers.inTurn().get(0), servers.inTurn().get(0))).contains(bad);
    }
    servers.served(bad);
    servers.failed(bad);
    pass(1.1);
    assertThat(List.of(servers.inTurn().get(0), servers.inTurn().get(0))).contains(bad);
  }

  @Test
  void inTurn_allFailed_beginsWithTheOneThatFailedFirst() {
    Servers servers = servers("10.0.0.1", "10.0.0.2", "10.0.0.3");
    List<Endpoint> all = servers.endpoints();
    for (int i : new int[] {2, 0, 1}) {
      servers.failed(all.get(i));
      pass(0.1);
    }
    assertThat(servers.inTurn()).containsExactly(all.get(2), all.get(0), all.get(1));
  }

  @Test
  void endpoints_nameWithSeveralAddressesOfAFamily_isAsManyServers() throws Exception {
    name("four", "192.0.2.1", "192.0.2.2", "2001:db8::1");
    name("six", "192.0.2.9", "2001:db8::1", "2001:db8::2");
    name("both", "192.0.2.1", "2001:db8::1");
    name("localhost", "127.0.0.1", "127.0.0.2");
    name("own", "127.0.1.1", "192.0.2.1");
    assertThat(hosts(servers("four").endpoints()))
        .containsExactly("192.0.2.1", "192.0.2.2", "2001:db8:0:0:0:0:0:1");
    assertThat(hosts(servers("six").endpoints()))
        .containsExactly("2001:db8:0:0:0:0:0:1", "2001:db8:0:0:0:0:0:2", "192.0.2.9");
    assertThat(servers("four").endpoints().get(0).address().host()).isEqualTo("four");
    for (String single : List.of("both", "localhost", "own", "unknown", "10.0.0.1")) {
      assertThat(servers(single).isSingle()).as(single).isTrue();
      assertThat(hosts(servers(single).endpoints())).containsExactly(single);
    }
    assertThat(hosts(servers("four", "both").endpoints()))
        .containsExactly("192.0.2.1", "192.0.2.2", "2001:db8:0:0:0:0:0:1", "both");
  }

  @Test
  void inTurn_nameWithAddressesOfBothFamilies_endsWithTheOtherFamilyUntilAllOthersFailed()
      throws Exception {
    name("n", "192.0.2.1", "2001:db8::1", "192.0.2.2");
    Servers servers = servers("n");
    List<Endpoint> all = servers.endpoints();
    assertThat(List.of(servers.inTurn(), servers.inTurn()))
        .containsExactlyInAnyOrder(all, List.of(all.get(1), all.get(0), all.get(2)));
    servers.failed(all.get(0));
    assertThat(servers.inTurn()).containsExactly(all.get(1), all.get(2), all.get(0));
    servers.failed(all.get(1));
    assertThat(servers.inTurn().get(0)).isEqualTo(all.get(2));
  }

  @Test
  void endpoints_afterAFailure_areLookedUpAgainAfterSomeSeconds() throws Exception {
    name("n", "192.0.2.1", "192.0.2.2");
    Servers servers = servers("n");
    servers.failed(servers.endpoints().get(0));
    name("n", "192.0.2.2", "192.0.2.3");
    pass(4);
    assertThat(hosts(servers.endpoints())).containsExactly("192.0.2.1", "192.0.2.2");
    pass(2);
    assertThat(hosts(servers.endpoints())).containsExactly("192.0.2.2", "192.0.2.3");
    pass(100);
    assertThat(servers.inTurn()).hasSize(2);
    assertThat(asked).hasSize(2);
  }

  @Test
  void endpoints_lookupFailsLater_keepTheServersUntilOneSucceeds() throws Exception {
    name("n", "192.0.2.1", "192.0.2.2");
    name("m", "192.0.2.8", "192.0.2.9");
    Servers servers = servers("n", "m");
    servers.failed(servers.endpoints().get(0));
    names.remove("n");
    name("m", "192.0.2.7", "192.0.2.8");
    pass(6);
    assertThat(hosts(servers.endpoints()))
        .containsExactly("192.0.2.1", "192.0.2.2", "192.0.2.7", "192.0.2.8");
    name("n", "192.0.2.2", "192.0.2.3");
    pass(6);
    assertThat(hosts(servers.endpoints()))
        .containsExactly("192.0.2.2", "192.0.2.3", "192.0.2.7", "192.0.2.8");
  }

  @Test
  void inTurn_lookupAgain_runsOnceAndKeepsNoCallWaiting() throws Exception {
    Semaphore permitted = new Semaphore(0);
    AtomicInteger lookups = new AtomicInteger();
    InetAddress[] old = {InetAddress.getByName("192.0.2.1"), InetAddress.getByName("192.0.2.2")};
    InetAddress[] later = {InetAddress.getByName("192.0.2.3"), old[0]};
    Servers servers =
        new Servers(
            List.of(new Address("n", 7070)),
            host -> {
              if (lookups.incrementAndGet() == 1) {
                return old;
              }
              permitted.acquireUninterruptibly();
              return later;
            },
            () -> now,
            0);
    assertThat(hosts(servers.inTurn())).containsExactly("192.0.2.1", "192.0.2.2");
    pass(6);
    servers.lookUpAgain();
    for (int i = 0; i < 3; i++) {
      assertThat(hosts(servers.inTurn())).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
    }
    while (lookups.get() < 2) {
      Thread.sleep(1);
    }
    permitted.release();
    assertThat(hosts(servers.endpoints())).containsExactly("192.0.2.3", "192.0.2.1");
    assertThat(lookups).hasValue(2);
  }

  @Test
  void of_noAddressOrOneTwice_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> servers())
        .withMessage("no address of a server; give one at least");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> servers("files.example", "b", "Files.example"))
        .withMessage("Files.example:7070: is in the list twice; leave out one");
    assertThatIllegalArgumentException().isThrownBy(() -> new Address("a", 0));
  }
}
