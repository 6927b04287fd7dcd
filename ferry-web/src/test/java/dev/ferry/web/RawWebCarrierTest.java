package dev.ferry.web;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.Method;
import dev.ferry.http.HttpProtocol;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The carrier contract for gRPC-Web handed off on both ends, and on one with stock on the other.
 */
@ParameterizedClass(name = "{0} {1}, server {2}")
@CsvSource({
  "GRPC_WEB,HTTP_1_1,ZERO_COPY",
  "GRPC_WEB,H2C,ZERO_COPY",
  "GRPC_WEB_TEXT,HTTP_1_1,ZERO_COPY",
  "GRPC_WEB_TEXT,H2C,ZERO_COPY",
  "GRPC_WEB,HTTP_1_1,DEFAULT",
  "GRPC_WEB_TEXT,H2C,RENTED_ARRAY"
})
class RawWebCarrierTest extends CarrierContract {
  @Parameter(0)
  WebFormat format = WebFormat.GRPC_WEB;

  @Parameter(1)
  HttpProtocol protocol = HttpProtocol.H2C;

  @Parameter(2)
  Method server = Method.ZERO_COPY;

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    return new Pair(
        store,
        server,
        port -> WebCarrier.connect("127.0.0.1", port, format, protocol, Method.ZERO_COPY));
  }
}
