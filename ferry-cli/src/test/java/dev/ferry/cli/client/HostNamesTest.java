package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.cli.CommandLines;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.Peers;
import dev.ferry.cli.Servers;
import dev.ferry.core.Generated;
import dev.ferry.core.Round;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcSetup;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.library.Protocol;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.HostName;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.zerocopy.EventLoops;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The hosts that users name: they connect, or the line says what is wrong. */
final class HostNamesTest {
  private static final List<String> NAMES =
      List.of("my_service", "web.1", "-x", "xn--bcher-kva.example", "localhost", "localhost.");

  /** How users may write them, and an address. */
  private static final List<String> HOSTS =
      List.of("my_service", "web.1", "-x", "Bücher.example", "localhost.", "127.1");

  /** Parts of names and addresses, which make hosts more often than not. */
  private static final List<String> HOST_PARTS =
      List.of(
          "a",
          "Z",
          "0",
          "1",
          "127",
          "256",
          "4294967296",
          "-",
          "_",
          ".",
          ".",
          "my_service",
          "web",
          "localhost",
          "\u00fc",
          "\u00df",
          "\u65e5\u672c",
          "\u3002",
          "xn--",
          "[::1]",
          "[fe80::1%lo]",
          "[",
          "]",
          "::1",
          "%",
          "%6c",
          "@",
          " ",
          "\\",
          "~",
          "*",
          "'",
          "\ud83d\ude00",
          "\u200d");

  private static final Transport TRANSPORT = GrpcSetup.ofClient().transport();
  private static final EventLoops LOOPS = new EventLoops("ferry-host-names", 1);

  @TempDir Path root;
  @TempDir Path local;

  /** Returns the flags of a JVM that knows these hosts alone, and asks no name server. */
  private static List<String> flags(Path folder) throws IOException {
    Path hosts =
        Files.write(
            folder.resolve("hosts"), NAMES.stream().map(name -> "127.0.0.1 " + name).toList());
    return List.of("-Djdk.net.hosts.file=" + hosts);
  }

  private Servers start(ServerSettings settings) throws Exception {
    Files.writeString(root.resolve("f"), "contents");
    return Servers.start(LocalFileStore.open(root), settings.withHostNames(NAMES));
  }

  private void assertEachFindsTheFile(List<List<String>> commands) throws Exception {
    assertEachFindsTheFile(flags(local), commands);
  }

  private void assertEachFindsTheFile(List<String> flags, List<List<String>> commands)
      throws Exception {
    assertFindTheFile(CommandLines.run(local, flags, commands), commands);
  }

  private static void assertFindTheFile(List<Outcome> outcomes, List<List<String>> commands) {
    for (int i = 0; i < outcomes.size(); i++) {
      assertThat(outcomes.get(i).err()).as("%s", commands.get(i)).isEmpty();
      assertThat(outcomes.get(i).out()).as("%s", commands.get(i)).contains("f");
    }
  }

  @Test
  @Timeout(300)
  void host_thatUrisDoNotTake_isConnectedToAlsoByAPinnedKey() throws Exception {
    ServerSettings tls =
        ServerSettings.defaults().withTls(TestCertificates.server(TestCertificates.loopback()));
    try (Servers servers = start(ServerSettings.defaults());
        Servers secured = start(tls)) {
      String pin = "--pin=" + ClientTls.pin(TestCertificates.loopback().getCertificate());
      List<List<String>> commands = new ArrayList<>();
      for (String host : HOSTS) {
        for (CarrierChoice carrier : CarrierChoice.values()) {
          String server = host + ":" + servers.port(carrier);
          commands.add(List.of("ls", "--server=" + server, "--carrier=" + carrier, "--retries=0"));
          server = host + ":" + secured.port(carrier);
          commands.add(List.of("ls", "--server=" + server, "--carrier=" + carrier, "--tls", pin));
        }
        commands.add(List.of("ls", "ferry://" + host + ":" + servers.grpc().port() + "/"));
        commands.add(List.of("stat", "http://" + host + ":" + servers.http().port() + "/files/f"));
      }
      assertEachFindsTheFile(commands);
    }
  }

  @Test
  @Timeout(120)
  void thisMachine_isReachedWithoutAProxy() throws Exception {
    Path token = TestFiles.permit(Files.writeString(local.resolve("token"), "secret"), "rw-------");
    try (Servers servers = start(ServerSettings.defaults());
        ServerSocket proxy = new ServerSocket(0)) {
      List<String> flags = new ArrayList<>(flags(local));
      for (String scheme : List.of("http", "https")) {
        flags.add("-D" + scheme + ".proxyHost=127.0.0.1");
        flags.add("-D" + scheme + ".proxyPort=" + proxy.getLocalPort());
      }
      flags.add("-Dhttp.nonProxyHosts=none");
      List<List<String>> commands = new ArrayList<>();
      for (String host : List.of("localhost", "127.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]")) {
        for (CarrierChoice carrier : CarrierChoice.values()) {
          String server = "--server=" + host + ":" + servers.port(carrier);
          commands.add(List.of("ls", server, "--carrier=" + carrier, "--token-file=" + token));
        }
      }
      assertEachFindsTheFile(flags, commands);
      proxy.setSoTimeout(1);
      assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(proxy::accept);
    }
  }

  @Test
  @Timeout(120)
  void name_withAddressesOfBothFamilies_isReachedByTheOneThatAnswers() throws Exception {
    List<String> flags = new ArrayList<>(flags(local));
    Files.writeString(
        local.resolve("hosts"), "127.0.0.1 localhost.\n::1 localhost.\n::1 web.1\n127.0.0.1 web.1");
    flags.add("-Djava.net.preferIPv6Addresses=true");
    List<List<String>> commands = new ArrayList<>();
    List<List<String>> refused = new ArrayList<>();
    List<Outcome> outcomes;
    try (Servers servers = start(ServerSettings.defaults())) {
      for (String host : List.of("localhost.", "web.1")) {
        for (CarrierChoice carrier : CarrierChoice.values()) {
          String choice = "--carrier=" + carrier;
          String server = "--server=" + host + ":";
          commands.add(List.of("ls", server + servers.port(carrier), choice, "--retries=0"));
          refused.add(List.of("ls", server + Peers.nobody(), choice, "--retries=0"));
        }
      }
      outcomes =
          CommandLines.run(
              local, flags, Stream.concat(commands.stream(), refused.stream()).toList());
    }
    assertFindTheFile(outcomes.subList(0, commands.size()), commands);
    for (Outcome outcome : outcomes.subList(commands.size(), outcomes.size())) {
      assertThat(outcome.err())
          .contains("connection refused at ")
          .contains(" (::1, 127.0.0.1); is");
    }
  }

  @Test
  void address_ofAnyForm_isTakenByEachClientOrRefused() {
    Generated.check(5_000, input -> assertIsTakenOrRefused(address(input)));
  }

  private static void assertIsTakenOrRefused(String address) {
    FileAddress parsed;
    try {
      parsed = FileAddress.parse(address);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    for (dev.ferry.wire.Servers.Address server : parsed.servers(Protocol.HTTP)) {
      assertThat(new dev.ferry.wire.Servers.Address(server.host(), 1).host())
          .isEqualTo(server.host());
      if (HostName.fitsUri(server.host())) {
        assertThat(URI.create("http://" + server + "/").getHost()).isNotNull();
      }
      TRANSPORT.connect(server.host(), server.port(), LOOPS).build().shutdownNow();
    }
  }

  @Test
  void command_withAnyAddress_isNoInternalError() {
    int hosts = Round.times(10, 30);
    Generated.check(
        1, input -> assertIsNoInternalError(input.list(hosts, hosts, () -> host(input))));
  }

  private static void assertIsNoInternalError(List<String> hosts) throws Exception {
    int port = Peers.nobody();
    Path folder = Files.createTempDirectory(Path.of("target"), "hosts");
    List<List<String>> commands = new ArrayList<>();
    for (CarrierChoice carrier : CarrierChoice.values()) {
      for (String host : hosts) {
        commands.add(
            List.of("ls", "--server=" + host + ":" + port, "--carrier=" + carrier, "--retries=0"));
      }
    }
    List<Outcome> outcomes = CommandLines.run(folder, flags(folder), commands);
    for (int i = 0; i < commands.size(); i++) {
      assertThat(outcomes.get(i).exitCode()).as("%s", outcomes.get(i)).isIn(2, 6);
      assertThat(outcomes.get(i).err()).as("%s", commands.get(i)).doesNotContain("internal error");
    }
  }

  private static String address(Generated input) {
    return input.of("ferry", "ferrys", "http", "https")
        + "://"
        + host(input)
        + input.of("", ":", ":7", ":0", ":65535", ":99999", ",localhost")
        + input.of("", "/", "/files/f", "/%zz");
  }

  private static String host(Generated input) {
    return input.joined(1, 4, () -> input.of(HOST_PARTS));
  }
}
