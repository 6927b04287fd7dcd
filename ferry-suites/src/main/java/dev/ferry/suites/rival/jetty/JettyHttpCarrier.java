package dev.ferry.suites.rival.jetty;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
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
 * Files over Jetty's client, HTTP/1.1 or HTTP/2 by prior knowledge. Its threads read the socket and
 * uploads. The caller's thread writes downloads to the file, from the buffers they were read into.
 *
 * <p>Its idle timeouts are off: they would end a long wait for a digest or a disk. It decodes
 * nothing on its own. After an interrupt the calling thread's interrupt status is set. Thread-safe.
 */
public final class JettyHttpCarrier extends HttpCarrier {
  /**
   * What every server takes. Jetty sends as large frames as the server has announced, and does so
   * before it has said that it heard: Netty refuses them then.
   */
  private static final int HTTP2_FRAME_BYTES = 16 * 1024;

  private static final int TUNED_POOLED_BYTES = 1024 * 1024;
  private static final int TUNED_STREAM_WINDOW = 16 * 1024 * 1024;

  private final CopyBuffers uploads = CopyBuffers.direct();
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
  public JettyHttpCarrier(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, "jetty", tuned);
    maxBuffer = protocol == HttpProtocol.H2C ? HTTP2_FRAME_BYTES : Integer.MAX_VALUE;
    client = new HttpClient(transport(protocol, tuned));
    client.setIdleTimeout(0);
    client.setConnectTimeout(CONNECT_TIMEOUT.toMillis());
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
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    requireOpen();
    Request request =
        client
            .newRequest(URI.create("http://" + server() + outgoing.rawPath()))
            .method(outgoing.method())
            .headers(fields -> outgoing.fields().forEach((name, value) -> fields.put(name, value)));
    Payload payload = outgoing.payload();
    if (payload != null) {
      int bufferSize = Math.min(payload.bufferSize(), maxBuffer);
      request.body(new JettyUpload(payload, bufferSize, uploads));
    }
    CompletableFuture<IncomingResponse> head = new CompletableFuture<>();
    Runnable abort = () -> request.abort(new IOException("given up"));
    request.onResponseContentSource(
        (response, source) -> head.complete(incoming(response, source, abort)));
    call.during(abort::run);
    try {
      return call.await(
          () -> {
            request.send(
                result -> {
                  Throwable failure = result.getFailure();
                  if (failure != null) {
                    // Its ends of file are not those of a gzip stream.
                    head.completeExceptionally(new IOException(failure.getMessage(), failure));
                  }
                });
            return head;
          });
    } catch (RejectedExecutionException | IllegalStateException e) {
      // The client was closed meanwhile.
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    }
  }

  private static IncomingResponse incoming(
      Response response, Content.Source source, Runnable abort) {
    return new IncomingResponse(
        response.getStatus(),
        name -> response.getHeaders().get(name),
        response.getVersion() == HttpVersion.HTTP_2 ? HttpProtocol.H2C : HttpProtocol.HTTP_1_1,
        new JettyBody(source, abort));
  }

  @Override
  protected void release() {
    LifeCycle.stop(client);
  }
}
