package dev.ferry.suites.calls.service.http;

import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.calls.service.CallContract;
import dev.ferry.suites.calls.service.DataRow;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.HttpClientTransport;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.client.transport.HttpClientTransportOverHTTP;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** A client with small windows: unread bytes stay at the server. */
final class SlowHttpClient implements AutoCloseable {
  private static final int WINDOW = 64 * 1024;
  private static final int SECONDS = 60;

  private final HttpClient client;
  private final String server;

  SlowHttpClient(int port, HttpProtocol protocol) {
    server = "127.0.0.1:" + port;
    client = new HttpClient(transport(protocol));
    LifeCycle.start(client);
  }

  private static HttpClientTransport transport(HttpProtocol protocol) {
    ClientConnector connector = new ClientConnector();
    connector.setReceiveBufferSize(WINDOW);
    if (protocol == HttpProtocol.HTTP_1_1) {
      return new HttpClientTransportOverHTTP(connector);
    }
    HTTP2Client http2 = new HTTP2Client(connector);
    http2.setInitialStreamRecvWindow(WINDOW);
    return new HttpClientTransportOverHTTP2(http2);
  }

  /** Requests rows in one response. */
  CallContract.SlowReader rows(int rows) {
    Request request =
        client
            .newRequest("http://" + server + CallRoutes.ROWS)
            .param(CallRoutes.COUNT, String.valueOf(rows));
    InputStreamResponseListener listener = new InputStreamResponseListener();
    request.send(listener);
    return new CallContract.SlowReader() {
      @Override
      public void awaitHead() throws Exception {
        Response head = listener.get(SECONDS, TimeUnit.SECONDS);
        if (head.getStatus() != 200) {
          try (InputStream problem = listener.getInputStream()) {
            throw HttpCallClient.problem(server, head.getStatus(), problem);
          }
        }
      }

      @Override
      public int readOn() throws IOException {
        try (InputStream body = listener.getInputStream()) {
          return CallJson.ROWS.<List<DataRow>>readValue(body).size();
        }
      }

      @Override
      public void cut() {
        request.abort(new IOException("cut"));
      }
    };
  }

  @Override
  public void close() {
    LifeCycle.stop(client);
  }
}
