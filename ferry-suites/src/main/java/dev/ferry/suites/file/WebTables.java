package dev.ferry.suites.file;

import dev.ferry.grpc.internal.Method;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.armeria.ArmeriaGrpcWebClient;
import dev.ferry.web.WebFormat;
import dev.ferry.web.internal.WebCarrier;
import java.util.List;
import java.util.stream.Stream;

/**
 * "Grpc.Net.Client.Web with Grpc.AspNetCore.Web" of the reference: gRPC-Web and gRPC-Web-Text, over
 * HTTP/1.1 as there, and the best method over HTTP/2 beside. {@code Default} and {@code
 * RentedArray} run on Armeria, {@code ZeroCopy} on Ferry's own server and client. Uploads, which
 * the reference has not, are the same calls.
 */
final class WebTables implements FileTables {
  private static final String MODE = "Mode";
  private static final String GRPC_WEB = "GrpcWeb";
  private static final String GRPC_WEB_TEXT = "GrpcWebText";
  private static final String ZERO_COPY_HTTP_2 = "ZeroCopyHttp2";

  @Override
  public Table table(Direction direction) {
    Parameter mode = new Parameter(MODE, List.of(GRPC_WEB, GRPC_WEB_TEXT));
    return new Table(
            "grpc-web-" + direction.table(),
            Stream.concat(Stream.of(mode), FileTables.parameters().stream()).toList(),
            List.of(
                Method.DEFAULT.label(),
                Method.RENTED_ARRAY.label(),
                Method.ZERO_COPY.label(),
                ZERO_COPY_HTTP_2,
                FileTransports.HTTP_CLIENT),
            FileTransports.HTTP_CLIENT)
        .onRequest();
  }

  @Override
  public FileTransport stack(RowKey row) {
    WebFormat format =
        GRPC_WEB.equals(row.parameters().get(MODE)) ? WebFormat.GRPC_WEB : WebFormat.GRPC_WEB_TEXT;
    return switch (row.method()) {
      case FileTransports.HTTP_CLIENT -> FileTransports.of(row.method());
      case ZERO_COPY_HTTP_2 -> zeroCopy(format, HttpProtocol.H2C);
      default -> {
        Method method = FileTransports.method(row.method());
        yield method == Method.ZERO_COPY
            ? zeroCopy(format, HttpProtocol.HTTP_1_1)
            : armeria(method, format);
      }
    };
  }

  private static FileTransport zeroCopy(WebFormat format, HttpProtocol protocol) {
    return FileTransports.web(
        protocol.wireName(),
        port ->
            TransferClient.of(
                WebCarrier.connect(
                    FileTransports.HOST,
                    port,
                    format,
                    protocol,
                    FileTransports.setup(Method.ZERO_COPY))));
  }

  private static FileTransport armeria(Method method, WebFormat format) {
    boolean text = format == WebFormat.GRPC_WEB_TEXT;
    HttpProtocol protocol = HttpProtocol.HTTP_1_1;
    return FileTransports.armeria(
        protocol.wireName(),
        method,
        port ->
            TransferClient.of(
                ArmeriaGrpcWebClient.connect(
                    FileTransports.HOST, port, text, protocol, FileTransports.setup(method))));
  }
}
