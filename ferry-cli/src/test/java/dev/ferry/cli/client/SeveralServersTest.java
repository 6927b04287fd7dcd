package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Peers;
import dev.ferry.cli.ServeProcess;
import dev.ferry.cli.Servers;
import dev.ferry.core.Background;
import dev.ferry.core.Round;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands with the addresses of several servers. */
@Timeout(300)
final class SeveralServersTest {
  private static final int BYTES = Round.times(24_000_000, 40_000_000);

  /** Bytes of a transfer after which its server is killed. */
  private static final int SOME = 12_000_000;

  private static final Pattern PORTS =
      Pattern.compile("(?:grpc +|http +http://)127\\.0\\.0\\.1:(\\d+)[ /].*");

  @TempDir Path temporary;

  private static Outcome assertRuns(String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.err()).isEmpty();
    return outcome;
  }

  private static void assertRefused(String message, String... command) {
    Outcome outcome = Outcome.of(command);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @Test
  void commands_withSeveralAddresses_runAtAnyOfThem() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("root"));
    Path file = Files.writeString(temporary.resolve("file"), "hello");
    Path folder = Files.createDirectory(temporary.resolve("folder"));
    Files.writeString(folder.resolve("a"), "a");
    try (Servers one = Servers.start(root);
        Servers two = Servers.start(root);
        Servers three = Servers.start(root)) {
      List<Servers> all = List.of(one, two, three);
      for (CarrierChoice carrier : CarrierChoice.values()) {
        String hosts = all.stream().map(s -> s.address(carrier)).collect(Collectors.joining(","));
        String server = "--server=" + hosts;
        String choice = "--carrier=" + carrier;
        assertRuns("put", file.toString(), "dir/file", "--parents", server, choice);
        assertRuns("stat", "dir/file", server, choice);
        assertRuns("mv", "dir/file", "dir/b", server, choice);
        assertRuns("get", "dir/b", temporary + "/b", "--force", server, choice);
        assertThat(temporary.resolve("b")).hasContent("hello");
        boolean grpc = carrier == CarrierChoice.GRPC;
        String tree = (grpc ? "ferry://" + hosts : "http://" + hosts + "/files") + "/dir/";
        assertRuns("sync", folder.toString(), tree, "--delete", choice);
        assertThat(assertRuns("ls", "dir", server, choice).out()).endsWith(" dir/a\n");
        assertRuns("get", "-r", "dir", temporary + "/back", "--force", server, choice);
        assertThat(temporary.resolve("back/a")).hasContent("a");
        assertRuns("rm", "dir/a", "dir", server, choice);
      }
      String grpc = one.address(CarrierChoice.GRPC) + "," + two.address(CarrierChoice.GRPC);
      String turned = two.address(CarrierChoice.GRPC) + "," + one.address(CarrierChoice.GRPC);
      assertRuns("put", file.toString(), "ferry://" + grpc + "/x");
      assertRuns("mv", "ferry://" + grpc + "/x", "ferry://" + turned + "/y");
      assertRuns("rm", "ferry://" + grpc + "/y");
    }
  }

  @Test
  void ls_malformedList_saysWhatIsWrong() {
    assertRefused("--server: 'a,,b': an address is missing next to a comma", "ls", "--server=a,,b");
    assertRefused("'a,': an address is missing next to a comma", "ls", "ferry://a,/x");
    assertRefused("'a,b:0': 'b:0': port 0 is not from 1 to 65535", "ls", "ferry://a,b:0/x");
    assertRefused("'a, b': ' b' is not HOST, HOST:PORT", "ls", "--server=a, b");
    assertRefused("a:7080: is in the list twice; leave out one", "ls", "ferry://a,b,a:7080/");
    assertRefused("A:7080: is in the list twice", "ls", "--server=a,A:7080", "--carrier=http");
  }

  @Test
  void ls_noServerOfTheListRuns_namesAll() throws Exception {
    String hosts = "127.0.0.1:" + Peers.nobody() + ",127.0.0.1:" + Peers.nobody();
    for (CarrierChoice carrier : CarrierChoice.values()) {
      Outcome outcome =
          Outcome.of("ls", "--server=" + hosts, "--carrier=" + carrier, "--retries=0");
      assertThat(outcome.err())
          .contains("none of " + hosts.replace(",", ", ") + " can be used: connection refused")
          .endsWith("is 'ferry serve' running there?\n")
          .hasLineCount(1);
    }
  }

  /** A process of a server, with a proxy before each of its ports. */
  private record Node(Process process, TcpProxy grpc, TcpProxy http) {
    static Node of(Process process) throws IOException {
      var out = process.inputReader();
      return new Node(process, proxy(out.readLine()), proxy(out.readLine()));
    }

    private static TcpProxy proxy(String line) throws IOException {
      Matcher ports = PORTS.matcher(line);
      assertThat(ports.matches()).as(line).isTrue();
      TcpProxy proxy = new TcpProxy(Integer.parseInt(ports.group(1)));
      proxy.holdAfter(SOME);
      return proxy;
    }

    TcpProxy proxy(CarrierChoice carrier) {
      return carrier == CarrierChoice.GRPC ? grpc : http;
    }

    boolean holds(CarrierChoice carrier) {
      return bytes(proxy(carrier)) >= SOME;
    }

    static long bytes(TcpProxy proxy) {
      return proxy.requestedBytes() + proxy.respondedBytes();
    }

    /** Kills the process, and closes its connections as the system does. */
    void kill() throws Exception {
      boolean unused = process.destroyForcibly().waitFor(120, TimeUnit.SECONDS);
      grpc.close();
      http.close();
    }
  }

  /** Runs a command, kills the server that has the transfer, and lets the others go on. */
  private static Outcome killing(List<Node> nodes, CarrierChoice carrier, String... command)
      throws Exception {
    String hosts =
        nodes.stream().map(n -> n.proxy(carrier).address()).collect(Collectors.joining(","));
    List<String> whole = new ArrayList<>(List.of(command));
    whole.addAll(List.of("--server=" + hosts, "--carrier=" + carrier));
    Background<Outcome> running = Background.start(() -> Outcome.of(whole.toArray(String[]::new)));
    while (nodes.stream().noneMatch(node -> node.holds(carrier))) {
      Thread.sleep(5);
    }
    Node active = nodes.stream().filter(node -> node.holds(carrier)).findFirst().orElseThrow();
    active.kill();
    nodes.remove(active);
    for (Node node : nodes) {
      node.grpc.release();
      node.http.release();
    }
    return running.result();
  }

  @Test
  void transfers_serverIsKilled_goOnAtAnother() throws Exception {
    Path root = Files.createDirectory(temporary.resolve("root"));
    Path file = TestFiles.write(temporary.resolve("file"), TestFiles.incompressible(BYTES, 1));
    List<Node> nodes = new ArrayList<>();
    try {
      List<Process> processes = new ArrayList<>();
      for (int i = 0; i < Round.times(3, 4); i++) {
        processes.add(ServeProcess.start(root));
      }
      for (Process process : processes) {
        nodes.add(Node.of(process));
      }
      List<Node> all = List.copyOf(nodes);
      Outcome put = killing(nodes, CarrierChoice.GRPC, "put", file.toString(), "up");
      assertThat(put.exitCode()).as(put.err()).isZero();
      assertThat(put.err()).contains("; trying another server");
      assertThat(Files.mismatch(file, root.resolve("up"))).isEqualTo(-1);
      assertThat(all.stream().mapToLong(node -> Node.bytes(node.grpc)).sum())
          .isLessThan(BYTES + SOME - 1_000_000);

      Path back = temporary.resolve("back");
      for (Node node : nodes) {
        node.http.holdAfter(SOME);
      }
      Outcome get = killing(nodes, CarrierChoice.HTTP, "get", "up", back.toString());
      assertThat(get.exitCode()).as(get.err()).isZero();
      assertThat(get.err()).contains("; trying another server");
      assertThat(Files.mismatch(file, back)).isEqualTo(-1);
      assertThat(all.stream().mapToLong(node -> Node.bytes(node.http)).sum())
          .isLessThan(BYTES + SOME - 1_000_000);
    } finally {
      for (Node node : nodes) {
        node.kill();
      }
    }
  }
}
