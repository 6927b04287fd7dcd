package dev.ferry.suites.rival.jetty;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.HttpExchange;
import dev.ferry.suites.rival.HttpFileClient;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Files over Jetty's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its threads read and write both
 * socket and file.
 *
 * <p>Its idle timeouts are off: they would end a long wait for a digest or a disk. It decodes
 * nothing on its own. Thread-safe.
 */
public final class JettyFileClient extends HttpFileClient {
  /**
   * What every server takes. Jetty sends as large frames as the server has announced, and does so
   * before it has said that it heard: Netty refuses them then.
   */
  private static final int HTTP2_FRAME_BYTES = 16 * 1024;

  private static final int TUNED_POOLED_BYTES = 1024 * 1024;
  private static final int TUNED_STREAM_WINDOW = 16 * 1024 * 1024;

  private final Buffers uploads = Buffers.direct();
  private final HttpClient client;
  private final int maxBuffer;

  /**
   * Connects, lazily, in plain text, with Jetty's defaults: reads of 16 KiB over HTTP/1.1, of 8 KiB
   * over HTTP/2, whose frames have 16 KiB and windows 8 MiB; buffers of the chunk size. Tuned:
   * tuned as its documentation says: response buffers (HTTP/2: input buffers and frames) of 256
   * KiB, which its pool of buffers must be told to keep, windows of 16 MiB for a stream and 32 MiB
   * for all; buffers of 256 KiB at least. Over HTTP/2 it uploads buffers of 16 KiB at most, tuned
   * or not, because it does not wait for larger frames to be agreed.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public JettyFileClient(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, tuned, false);
    maxBuffer = protocol == HttpProtocol.H2C ? HTTP2_FRAME_BYTES : Integer.MAX_VALUE;
    client = new HttpClient(transport(protocol, tuned));
    client.setIdleTimeout(0);
    client.setConnectTimeout(Carrier.CONNECT_TIMEOUT.toMillis());
    client.setFollowRedirects(false);
    if (tuned) {
      client.setByteBufferPool(new ArrayByteBufferPool(0, -1, TUNED_POOLED_BYTES));
      client.setResponseBufferSize(TUNED_BYTES);
    }
    LifeCycle.start(client);
    client.getContentDecoderFactories().clear();
  }

  private static HttpClientTransport transport(HttpProtocol protocol, boolean tuned) {
    if (protocol == HttpProtocol.HTTP_1_1) {
      return new HttpClientTransportOverHTTP();
    }
    HTTP2Client http2 = new HTTP2Client(new ClientConnector());
    http2.setStreamIdleTimeout(0);
    if (tuned) {
      http2.setInputBufferSize(TUNED_BYTES);
      http2.setMaxFrameSize(TUNED_BYTES);
      http2.setInitialStreamRecvWindow(TUNED_STREAM_WINDOW);
      http2.setInitialSessionRecvWindow(2 * TUNED_STREAM_WINDOW);
    }
    return new HttpClientTransportOverHTTP2(http2);
  }

  @Override
  protected void send(HttpExchange exchange) throws InterruptedException, ExecutionException {
    Request request =
        client
            .newRequest(exchange.uri())
            .method(exchange.method())
            .headers(fields -> exchange.fields().forEach((name, value) -> fields.put(name, value)))
            .onResponseHeaders(
                response ->
                    exchange.begin(
                        protocol(response), response.getStatus(), response.getHeaders()::get))
            .onResponseContentSource(
                (response, source) -> write(source, exchange, response.getRequest()));
    SentFile file = exchange.body();
    if (file != null) {
      int bufferSize = Math.min(file.bufferSize(), maxBuffer);
      request.body(new JettyUpload(file, bufferSize, uploads));
    }
    CompletableFuture<Void> done = new CompletableFuture<>();
    request.send(
        result -> {
          if (result.isFailed()) {
            done.completeExceptionally(result.getFailure());
          } else {
            done.complete(null);
          }
        });
    Void unused = done.get();
  }

  private static HttpProtocol protocol(Response response) {
    return response.getVersion() == HttpVersion.HTTP_2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1;
  }

  /** Passes on what has arrived, in the buffers that it was read into, and asks for more. */
  private static void write(Content.Source source, HttpExchange exchange, Request request) {
    while (true) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        source.demand(() -> write(source, exchange, request));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        // The result has it.
        return;
      }
      try {
        exchange.write(chunk.getByteBuffer());
      } catch (IOException e) {
        request.abort(e);
        return;
      } finally {
        chunk.release();
      }
      if (chunk.isLast()) {
        return;
      }
    }
  }

  @Override
  public void close() {
    LifeCycle.stop(client);
  }
}
