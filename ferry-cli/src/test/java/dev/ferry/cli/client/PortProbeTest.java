package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Peers;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.ProbeResult.Kind;
import java.net.ProxySelector;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class PortProbeTest {
  private static final int PATIENCE_MILLIS = 60_000;

  private static ProbeResult at(int port) {
    return new PortProbe(Servers.HOST, port, false, PATIENCE_MILLIS).run();
  }

  @Test
  void at_everyPortOfFerry_knowsIt(@TempDir Path root) throws Exception {
    try (Servers servers = Servers.start(root)) {
      assertThat(at(servers.grpc().port())).isEqualTo(new ProbeResult(Kind.HTTP2_ONLY, ""));
      assertThat(at(servers.http().port())).isEqualTo(new ProbeResult(Kind.FERRY_HTTP, ""));
    }
  }

  @Test
  void at_serversThatAreNotFerry_saysWhatTheyAre() throws Exception {
    try (Peers peers = new Peers()) {
      assertThat(at(peers.greeting("SSH-2.0-OpenSSH_9.2p1\r\n")))
          .isEqualTo(new ProbeResult(Kind.GREETING, "SSH-2.0-OpenSSH_9.2p1"));
      assertThat(at(peers.greeting("220 \u001b[31mmail" + "x".repeat(100) + "\r\n")).words())
          .isEqualTo("220 \\x1b[31mmail" + "x".repeat(44) + "...");
      assertThat(at(peers.http("nginx/1.22.1")))
          .isEqualTo(new ProbeResult(Kind.OTHER_HTTP, "nginx/1.22.1"));
      assertThat(at(peers.http("nginx", 502)))
          .isEqualTo(new ProbeResult(Kind.PROXY_WITHOUT_SERVER, "nginx"));
      assertThat(at(peers.redirecting("https://files.example.org/files/")))
          .isEqualTo(new ProbeResult(Kind.ELSEWHERE, "https://files.example.org/files/"));
      assertThat(at(peers.tls())).isEqualTo(new ProbeResult(Kind.TLS, ""));
      assertThat(new PortProbe(Servers.HOST, peers.silent(), false, 300).run())
          .isEqualTo(new ProbeResult(Kind.SILENCE, ""));
      assertThat(at(peers.closing())).isEqualTo(new ProbeResult(Kind.CLOSES, ""));
      assertThat(at(Peers.nobody())).isEqualTo(new ProbeResult(Kind.NOBODY, ""));
    }
  }

  @Test
  void at_hostBehindAProxy_isNotReachedWithout() {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        ProxyVariables.of(Map.of("all_proxy", "127.0.0.1:9", "no_proxy", "127.0.0.0/8"), before));
    try {
      assertThat(ProbeResult.at("far.invalid", 80, false))
          .isEqualTo(new ProbeResult(Kind.PROXIED, ""));
    } finally {
      ProxySelector.setDefault(before);
    }
  }
}
