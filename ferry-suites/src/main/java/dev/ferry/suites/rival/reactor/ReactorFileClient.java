package dev.ferry.suites.rival.reactor;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClient.RequestSender;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/**
 * Files over reactor-netty's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its event loops read
 * the socket, and uploads up to two buffers ahead of the socket. Threads of Reactor's that may
 * block write downloads to the file, from the buffers they were read into. Thread-safe.
 */
public final class ReactorFileClient extends HttpFileClient {
  private static final int CONNECTIONS = 256;

  /** Buffers of a download that wait for the file. */
  private static final int AHEAD = 16;

  private static final int TUNED_WINDOW = 16 * 1024 * 1024;
  private static final Duration STOP = Duration.ofSeconds(2);

  private final LoopResources loops =
      LoopResources.create("ferry-reactor", LoopResources.DEFAULT_IO_WORKER_COUNT, true);
  private final ConnectionProvider connections =
      ConnectionProvider.builder("ferry-reactor").maxConnections(CONNECTIONS).build();
  private final HttpClient client;

  /**
   * Connects, lazily, in plain text, with the defaults of reactor-netty, among them windows of 64
   * KiB over HTTP/2; buffers of the chunk size. Tuned, it is as fast as its options make it: reads
   * of up to 512 KiB, a socket that takes a mebibyte at once, over HTTP/2 frames of 256 KiB and
   * windows of 16 MiB, no second attempts; buffers of 256 KiB at least.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public ReactorFileClient(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, tuned, false);
    HttpClient plain =
        HttpClient.create(connections)
            .runOn(loops)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                Math.toIntExact(Carrier.CONNECT_TIMEOUT.toMillis()))
            .protocol(
                protocol == HttpProtocol.H2C
                    ? reactor.netty.http.HttpProtocol.H2C
                    : reactor.netty.http.HttpProtocol.HTTP11);
    client = tuned ? tune(plain, protocol) : plain;
  }

  private static HttpClient tune(HttpClient client, HttpProtocol protocol) {
    HttpClient tuned =
        client
            .disableRetry(true)
            .httpResponseDecoder(decoder -> decoder.maxChunkSize(TUNED_BYTES))
            .option(
                ChannelOption.RECVBUF_ALLOCATOR,
                new AdaptiveRecvByteBufAllocator(16 * 1024, TUNED_BYTES, 2 * TUNED_BYTES))
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(2 * TUNED_BYTES, 4 * TUNED_BYTES));
    return protocol == HttpProtocol.H2C
        ? tuned.http2Settings(
            settings -> settings.initialWindowSize(TUNED_WINDOW).maxFrameSize(TUNED_BYTES))
        : tuned;
  }

  @Override
  protected void send(HttpExchange exchange) {
    SentFile file = exchange.body();
    RequestSender request =
        client
            .headers(
                fields -> {
                  exchange.fields().forEach((name, value) -> fields.set(name, value));
                  if (file != null && file.length() >= 0) {
                    fields.set(HttpHeaderNames.CONTENT_LENGTH, file.length());
                  }
                })
            .request(HttpMethod.valueOf(exchange.method()))
            .uri(exchange.uri());
    ResponseReceiver<?> receiver =
        file == null ? request : request.send((head, out) -> new ReactorUpload(file, out).send());
    Void unused =
        receiver
            .responseConnection((head, connection) -> begin(head, connection, exchange))
            // Threads that may block.
            .publishOn(Schedulers.boundedElastic(), AHEAD)
            .<Void>handle((buffer, out) -> write(buffer, exchange, out))
            .doOnDiscard(ByteBuf.class, ReferenceCountUtil::release)
            .blockLast();
  }

  private static ByteBufFlux begin(
      HttpClientResponse response, Connection connection, HttpExchange exchange) {
    boolean http2 = connection.channel() instanceof Http2StreamChannel;
    if (http2) {
      connection.channel().pipeline().addFirst(FlushOnRead.INSTANCE);
    }
    exchange.begin(
        http2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1,
        response.status().code(),
        response.responseHeaders()::get);
    return connection.inbound().receive().retain();
  }

  private static void write(ByteBuf buffer, HttpExchange exchange, SynchronousSink<Void> out) {
    try {
      exchange.write(buffer.nioBuffer());
    } catch (IOException e) {
      out.error(e);
    } finally {
      buffer.release();
    }
  }

  @Override
  public void close() {
    connections
        .disposeLater()
        .onErrorComplete()
        .then(loops.disposeLater(Duration.ZERO, STOP))
        .subscribe();
  }
}
