package dev.ferry.suites.rival.apache;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.suites.rival.EndingStream;
import dev.ferry.suites.rival.InterruptRegion;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * Files over the blocking client of Apache HttpClient 5, HTTP/1.1: copies on the caller's thread.
 *
 * <p>It tries nothing twice, since a body that was sent is gone. After an interrupt the calling
 * thread's interrupt status is set. Thread-safe.
 */
public final class ApacheHttpCarrier extends HttpCarrier {
  private final CloseableHttpClient client;

  /**
   * Connects, lazily, in plain text, with the client's defaults: session buffers of 8 KiB, five
   * connections, so that more transfers at once wait; copies of the chunk size. Tuned: session
   * buffers of 64 KiB that larger reads and writes bypass, a pool of 256 connections, no cookies or
   * authentication on its own, and copies of at least 256 KiB.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   * @param tls null for plain text
   */
  public ApacheHttpCarrier(String host, int port, boolean tuned, @Nullable SSLContext tls) {
    super(host, port, "apache", tuned, tls != null);
    this.client = tuned ? ApacheClients.tuned(tls) : ApacheClients.plain();
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    HttpUriRequestBase request =
        new HttpUriRequestBase(
            outgoing.method(),
            URI.create((tls() ? "https://" : "http://") + server() + outgoing.rawPath()));
    outgoing.fields().forEach(request::setHeader);
    InterruptRegion region = new InterruptRegion(request::cancel);
    Payload payload = outgoing.payload();
    if (payload != null) {
      request.setEntity(new FileEntity(payload, arrays(), region));
    }
    if (outgoing.expectContinue()) {
      request.setConfig(ApacheClients.requests(true));
    }
    try {
      call.during(request::cancel);
      region.enter();
      ClassicHttpResponse response = client.executeOpen(null, request, null);
      return new IncomingResponse(
          response.getCode(),
          name -> value(response.getFirstHeader(name)),
          HttpProtocol.HTTP_1_1,
          new EndingStream(body(response), request::cancel));
    } catch (IOException | IllegalStateException e) {
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    } finally {
      region.leave();
    }
  }

  private static InputStream body(ClassicHttpResponse response) throws IOException {
    HttpEntity entity = response.getEntity();
    InputStream content = entity == null ? InputStream.nullInputStream() : entity.getContent();
    return new FilterInputStream(content) {
      @Override
      public void close() throws IOException {
        super.close();
        response.close();
      }
    };
  }

  private static @Nullable String value(@Nullable Header header) {
    return header == null ? null : header.getValue();
  }

  @Override
  protected void release() {
    client.close(CloseMode.IMMEDIATE);
  }
}
