package dev.ferry.suites.rival.apache;

import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MessageHeaders;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * Files over the blocking client of Apache HttpClient 5, HTTP/1.1: copies on the caller's thread.
 * It tries nothing twice. Thread-safe.
 */
public final class ApacheFileClient extends HttpFileClient {
  private final CloseableHttpClient client;
  private final Buffers buffers = Buffers.arrays();

  /**
   * Connects, lazily, with the client's defaults: session buffers of 8 KiB, five connections, so
   * that more transfers at once wait; copies of the chunk size. Tuned: session buffers of 64 KiB
   * that larger reads and writes bypass, a pool of 256 connections, no cookies or authentication on
   * its own, and copies of at least 256 KiB.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   * @param ssl null for plain text; only a tuned client has it
   */
  public ApacheFileClient(String host, int port, boolean tuned, @Nullable ClientSsl ssl) {
    super(host, port, tuned, ssl != null);
    this.client = tuned ? ApacheClients.tuned(ssl) : ApacheClients.plain();
  }

  @Override
  protected void send(HttpExchange exchange) throws IOException {
    HttpUriRequestBase request = new HttpUriRequestBase(exchange.method(), exchange.uri());
    exchange.fields().forEach(request::setHeader);
    SentFile file = exchange.body();
    if (file != null) {
      request.setEntity(new EntityTemplate(file.length(), null, null, out -> copy(file, out)));
    }
    client.execute(
        request,
        response -> {
          exchange.begin(HttpProtocol.HTTP_1_1, response.getCode(), name -> value(response, name));
          HttpEntity entity = response.getEntity();
          if (entity != null) {
            copy(entity.getContent(), exchange);
          }
          return null;
        });
  }

  static @Nullable String value(MessageHeaders response, String name) {
    Header field = response.getFirstHeader(name);
    return field == null ? null : field.getValue();
  }

  private void copy(SentFile file, OutputStream out) throws IOException {
    ByteBuffer buffer = buffers.take(file.bufferSize());
    try {
      for (boolean last = false; !last; ) {
        last = file.fill(buffer.clear());
        out.write(buffer.array(), 0, buffer.position());
      }
    } finally {
      buffers.give(buffer);
    }
  }

  private void copy(InputStream in, HttpExchange exchange) throws IOException {
    ByteBuffer buffer = buffers.take(exchange.bufferSize());
    try {
      for (int n; (n = in.readNBytes(buffer.array(), 0, buffer.capacity())) > 0; ) {
        exchange.write(buffer.clear().limit(n));
      }
    } finally {
      buffers.give(buffer);
    }
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
