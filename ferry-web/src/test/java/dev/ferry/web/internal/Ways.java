package dev.ferry.web.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All ways to reach files, with their servers. */
enum Ways {
  GRPC(ServedRequest.CarrierName.GRPC),
  HTTP(ServedRequest.CarrierName.HTTP_1_1),
  WEB(ServedRequest.CarrierName.GRPC_WEB),
  WEB_HTTP2(ServedRequest.CarrierName.GRPC_WEB),
  WEB_TEXT(ServedRequest.CarrierName.GRPC_WEB_TEXT);

  private static final String HOST = "127.0.0.1";

  private final ServedRequest.CarrierName carrier;

  Ways(ServedRequest.CarrierName carrier) {
    this.carrier = carrier;
  }

  /** One of each carrier; all in a thorough run. */
  static Stream<Ways> some() {
    return Boolean.getBoolean("ferry.thorough") ? Stream.of(values()) : Stream.of(GRPC, HTTP, WEB);
  }

  /** What the server reports. */
  ServedRequest.CarrierName carrier() {
    return carrier;
  }

  ServerPort serve(FileStore store, ServerSettings settings) throws FerryException {
    return this == GRPC
        ? GrpcFiles.serve(store, HOST, 0, settings)
        : WebFiles.serve(store, HOST, 0, settings);
  }

  Carrier connect(int port, @Nullable Token token) {
    return switch (this) {
      case GRPC -> GrpcFiles.connect(HOST, port, null, token);
      case HTTP -> HttpFiles.connect(HOST, port, null, token);
      case WEB -> web(port, token, false, HttpProtocol.HTTP_1_1);
      case WEB_HTTP2 -> web(port, token, false, HttpProtocol.H2C);
      case WEB_TEXT -> web(port, token, true, HttpProtocol.HTTP_1_1);
    };
  }

  private static Carrier web(int port, @Nullable Token token, boolean text, HttpProtocol protocol) {
    return ArmeriaCarrier.connect(HOST, port, "", text, protocol, null, token);
  }
}
