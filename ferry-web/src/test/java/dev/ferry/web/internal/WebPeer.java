package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Round;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFormat;
import java.util.List;
import java.util.stream.Stream;

/** A client of gRPC-Web that the contracts run with. */
record WebPeer(WebFormat format, HttpProtocol protocol) {
  /** Rounds in which each test meets each format and each protocol. */
  static Stream<Round<WebPeer>> rounds() {
    return Round.of(
        Stream.of(WebFormat.values())
            .flatMap(
                format ->
                    Stream.of(HttpProtocol.values()).map(protocol -> new WebPeer(format, protocol)))
            .toList(),
        peer -> List.of(peer.format, peer.protocol));
  }

  Carrier connect(String host, int port) {
    return WebCarrier.connect(host, port, format, protocol);
  }

  @Override
  public String toString() {
    return format + " " + protocol;
  }
}
