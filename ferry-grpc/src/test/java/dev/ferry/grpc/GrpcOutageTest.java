package dev.ferry.grpc;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.OutageContract;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that cannot be reached, fall silent or go away, for gRPC on both transports. */
@ParameterizedClass(name = "{0}, OkHttp {1}")
@CsvSource({"DEFAULT,false", "RENTED_ARRAY,false", "ZERO_COPY,false", "ZERO_COPY,true"})
class GrpcOutageTest extends OutageContract {
  @Parameter(0)
  Method method = Method.ZERO_COPY;

  @Parameter(1)
  boolean okHttp;

  @Override
  protected Server serve(FileStore store) throws FerryException {
    GrpcFilesServer server = GrpcFilesServer.start(store, "127.0.0.1", 0, Method.ZERO_COPY);
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
    return okHttp
        ? GrpcCarrier.connectOkHttp(host, port, method)
        : GrpcCarrier.connect(host, port, method);
  }
}
