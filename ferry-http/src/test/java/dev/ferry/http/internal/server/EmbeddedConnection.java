package dev.ferry.http.internal.server;

import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Requests;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.stream.Stream;

/** A connection of a client of HTTP/1.1 without a socket, whose time a test can move. */
final class EmbeddedConnection extends EmbeddedChannel {
  private static final SocketAddress CLIENT = new InetSocketAddress("127.0.0.1", 1);

  private EmbeddedConnection(ChannelHandler... handlers) {
    super(handlers);
  }

  /**
   * Opens a connection.
   *
   * @param first handlers before those of HTTP
   */
  static EmbeddedConnection open(
      RequestHandler requests, Refusals refusals, BodyMemory memory, ChannelHandler... first) {
    ServerSettings settings = ServerSettings.defaults();
    ConnectionHandler handler =
        new ConnectionHandler(
            requests,
            AccessRules.of(settings, false, new InetSocketAddress("localhost", 1)),
            new Requests(settings.listener()),
            new HttpServer.DateField(InstantSource.system()),
            memory);
    ChannelHandler http = new ProtocolChooser(settings, refusals, () -> handler);
    return new EmbeddedConnection(
        Stream.concat(Stream.of(first), Stream.of(http)).toArray(ChannelHandler[]::new));
  }

  @Override
  protected SocketAddress remoteAddress0() {
    return CLIENT;
  }

  /** Sends bytes of the client, a character each. */
  void send(String bytes) {
    writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    runPendingTasks();
  }

  /** Returns what the client has received and that was not returned before. */
  String received() {
    StringBuilder text = new StringBuilder();
    for (ByteBuf part = readOutbound(); part != null; part = readOutbound()) {
      text.append(part.toString(StandardCharsets.ISO_8859_1));
      part.release();
    }
    return text.toString();
  }
}
