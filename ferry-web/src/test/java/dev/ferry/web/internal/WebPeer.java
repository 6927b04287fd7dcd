package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFiles;
import dev.ferry.web.WebFormat;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Servers;
import dev.ferry.wire.internal.TestCertificates;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A client of gRPC-Web that the contracts run with. */
record WebPeer(WebFormat format, HttpProtocol protocol, boolean tls) {
  /** Rounds in which each test meets each format and each protocol. */
  static Stream<Round<WebPeer>> rounds() {
    return rounds(all(false).toList());
  }

  /** The same, in plain text and over TLS. */
  static Stream<Round<WebPeer>> roundsWithTls() {
    return rounds(Stream.concat(all(false), all(true)).toList());
  }

  private static Stream<Round<WebPeer>> rounds(List<WebPeer> peers) {
    return Round.of(peers, peer -> List.of(peer.format, peer.protocol, peer.tls));
  }

  private static Stream<WebPeer> all(boolean tls) {
    return Stream.of(WebFormat.values())
        .flatMap(
            format ->
                Stream.of(HttpProtocol.values())
                    .map(protocol -> new WebPeer(format, protocol, tls)));
  }

  /** What a server of it needs. */
  ServerSettings settings() {
    ServerSettings settings = ServerSettings.defaults();
    return tls ? settings.withTls(TestCertificates.server(TestCertificates.loopback())) : settings;
  }

  Carrier connect(String host, int port) {
    return WebFiles.connect(host, port, format, protocol, tls ? TestCertificates.client() : null);
  }

  Carrier connect(Servers servers, @Nullable ClientTls clientTls) {
    return WebFiles.connect(servers, format, protocol, clientTls, null);
  }

  @Override
  public String toString() {
    return format + " " + protocol + (tls ? " TLS" : "");
  }
}
