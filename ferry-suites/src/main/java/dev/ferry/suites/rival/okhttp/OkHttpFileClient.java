package dev.ferry.suites.rival.okhttp;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Files over OkHttp, HTTP/1.1 or HTTP/2 by prior knowledge, on the caller's thread.
 *
 * <p>OkHttp's timeouts are off: they would end a long wait for a digest or a disk. Thread-safe.
 */
public final class OkHttpFileClient extends HttpFileClient {
  private static final int TUNED_IDLE_CONNECTIONS = 64;
  private static final int TUNED_KEEP_MINUTES = 5;

  private final Buffers buffers;
  private final ConnectionPool pool;
  private final OkHttpClient client;

  /**
   * Connects, lazily, in plain text, with OkHttp's defaults and copies of the chunk size between
   * its buffers and arrays. Tuned, it is as fast as it gets: one client and one pool of connections
   * for all transfers, as its documentation advises, which keeps as many idle ones as may run at
   * once; no second attempts; and copies of 256 KiB at least between its buffers and direct ones,
   * as its {@code BufferedSource} and {@code BufferedSink} take. Its windows of HTTP/2, 16 MiB, and
   * its segments, 8 KiB, are fixed.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public OkHttpFileClient(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, tuned, false);
    buffers = tuned ? Buffers.direct() : Buffers.arrays();
    pool =
        tuned
            ? new ConnectionPool(TUNED_IDLE_CONNECTIONS, TUNED_KEEP_MINUTES, TimeUnit.MINUTES)
            : new ConnectionPool();
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .connectionPool(pool)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .connectTimeout(Carrier.CONNECT_TIMEOUT)
            .followRedirects(false)
            .protocols(
                List.of(
                    protocol == HttpProtocol.H2C
                        ? Protocol.H2_PRIOR_KNOWLEDGE
                        : Protocol.HTTP_1_1));
    if (tuned) {
      builder.retryOnConnectionFailure(false);
    }
    client = builder.build();
  }

  @Override
  protected void send(HttpExchange exchange) throws IOException {
    Request.Builder request = new Request.Builder().url(exchange.uri().toString());
    exchange.fields().forEach(request::header);
    SentFile file = exchange.body();
    request.method(exchange.method(), file == null ? null : new Body(file));
    try (Response response = client.newCall(request.build()).execute()) {
      exchange.begin(protocol(response), response.code(), response::header);
      copy(response.body().source(), exchange);
    }
  }

  private static HttpProtocol protocol(Response response) {
    return response.protocol() == Protocol.H2_PRIOR_KNOWLEDGE
        ? HttpProtocol.H2C
        : HttpProtocol.HTTP_1_1;
  }

  private void copy(BufferedSource source, HttpExchange exchange) throws IOException {
    ByteBuffer buffer = buffers.take(exchange.bufferSize());
    try {
      for (boolean more = true; more; ) {
        buffer.clear();
        while (more && buffer.hasRemaining()) {
          more = source.read(buffer) >= 0;
        }
        exchange.write(buffer.flip());
      }
    } finally {
      buffers.give(buffer);
    }
  }

  /** A file that OkHttp has written to its sink. */
  private final class Body extends RequestBody {
    private final SentFile file;

    Body(SentFile file) {
      this.file = file;
    }

    @Override
    public @Nullable MediaType contentType() {
      return null;
    }

    @Override
    public long contentLength() {
      return file.length();
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      file.restart();
      ByteBuffer buffer = buffers.take(file.bufferSize());
      try {
        for (boolean last = false; !last; ) {
          last = file.fill(buffer.clear());
          sink.write(buffer.flip());
        }
      } finally {
        buffers.give(buffer);
      }
    }
  }

  @Override
  public void close() {
    client.dispatcher().executorService().shutdown();
    pool.evictAll();
  }
}
