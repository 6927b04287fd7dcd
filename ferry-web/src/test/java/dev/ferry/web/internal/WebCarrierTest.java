package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** The carrier contract for gRPC-Web in each format over each protocol. */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({"GRPC_WEB,HTTP_1_1", "GRPC_WEB,H2C", "GRPC_WEB_TEXT,HTTP_1_1", "GRPC_WEB_TEXT,H2C"})
class WebCarrierTest extends CarrierContract {
  @Parameter(0)
  WebFormat format = WebFormat.GRPC_WEB;

  @Parameter(1)
  HttpProtocol protocol = HttpProtocol.H2C;

  @Override
  protected Fixture open(FileStore store) throws FerryException {
    return new Pair(store, port -> WebCarrier.connect("127.0.0.1", port, format, protocol));
  }

  @Test
  void closed_carrier_isUnavailable() {
    WebCarrier carrier = WebCarrier.connect("127.0.0.1", 1, format, protocol);
    carrier.close();
    FerryException failure =
        catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
    assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
  }
}
