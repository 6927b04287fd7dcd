package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFormat;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that cannot be reached, fall silent or go away, for clients of gRPC-Web. */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({"GRPC_WEB,HTTP_1_1", "GRPC_WEB,H2C", "GRPC_WEB_TEXT,HTTP_1_1", "GRPC_WEB_TEXT,H2C"})
class WebOutageTest extends OutageContract {
  @Parameter(0)
  WebFormat format = WebFormat.GRPC_WEB;

  @Parameter(1)
  HttpProtocol protocol = HttpProtocol.H2C;

  @Override
  protected Server serve(FileStore store) throws FerryException {
    return server(WebFilesServer.start(store, "127.0.0.1", 0));
  }

  static Server server(WebFilesServer server) {
    return new Server() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Override
  protected Carrier connect(String host, int port) {
    return WebCarrier.connect(host, port, format, protocol);
  }
}
