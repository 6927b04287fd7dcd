package dev.ferry.web.internal;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.util.concurrent.Future;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 connections. Each serves one call at a time. Idle connections are kept for later calls.
 */
final class Http1Connections implements WebConnections {
  private static final int MAX_HEADERS = 32 * 1024;
  private static final int MAX_CHUNK_BYTES = 1024 * 1024;
  private static final String LAST = "last";

  private final WebSockets sockets;
  private final Deque<Channel> idle = new ConcurrentLinkedDeque<>();

  Http1Connections(WebSockets sockets) {
    this.sockets = sockets;
  }

  @Override
  public Place place() {
    Channel connection = takeIdle();
    EventLoop loop = connection == null ? sockets.next() : connection.eventLoop();
    return new Place(loop, connection);
  }

  private @Nullable Channel takeIdle() {
    Channel connection = idle.pollFirst();
    while (connection != null && !connection.isActive()) {
      connection = idle.pollFirst();
    }
    return connection;
  }

  @Override
  public void open(Place place, WebExchange exchange) {
    Channel kept = place.idle();
    if (kept != null && kept.isActive()) {
      begin(kept, exchange, true);
      return;
    }
    Future<Channel> connected = sockets.connect(place.loop(), Http1Connections::setUp);
    connected.addListener(
        f -> {
          if (f.isSuccess()) {
            begin(connected.getNow(), exchange, false);
          } else {
            exchange.failed(f.cause());
          }
        });
  }

  private static void setUp(Channel channel) {
    HttpDecoderConfig limits =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(MAX_HEADERS)
            .setMaxHeaderSize(MAX_HEADERS)
            // The default would split the data of one read into chunks of 8 KiB.
            .setMaxChunkSize(MAX_CHUNK_BYTES);
    channel
        .pipeline()
        .addLast(new HttpClientCodec(limits, false, false))
        .addLast(LAST, new UnaskedClose());
  }

  private static void begin(Channel connection, WebExchange exchange, boolean reused) {
    connection.pipeline().addBefore(LAST, null, exchange);
    exchange.opened(connection, reused);
  }

  @Override
  public void release(Channel connection, boolean reusable) {
    if (!reusable || !connection.isActive()) {
      connection.close();
      return;
    }
    idle.addFirst(connection);
    connection.closeFuture().addListener(f -> idle.remove(connection));
  }

  @Override
  public void close() {
    sockets.close();
  }
}
