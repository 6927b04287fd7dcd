package dev.ferry.web;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import dev.ferry.grpc.ChannelCarrier;
import dev.ferry.grpc.MethodSetup;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebChannel.Running;

/** Files over gRPC-Web, handed off between files and Armeria's sockets. */
final class RawWebCarrier {
  private RawWebCarrier() {}

  /**
   * Takes a client's connections over.
   *
   * @param factory closed with the carrier
   * @param server {@code host:port}
   */
  static ChannelCarrier connect(
      ClientFactory factory,
      String server,
      WebFormat format,
      HttpProtocol protocol,
      MethodSetup<?> setup) {
    WebClient client =
        NoLimits.on(WebClient.builder(Schemes.of(protocol) + "://" + server).factory(factory))
            .build();
    boolean text = format == WebFormat.GRPC_WEB_TEXT;
    Running running = new Running();
    return ChannelCarrier.handOff(
        framing -> new RawChannel(client, server, text, framing, running),
        setup,
        protocol.wireName(),
        () -> {
          // A call whose answer is not read on would not hear that its connection was closed.
          running.close();
          ClientThreads.close(factory);
        });
  }
}
