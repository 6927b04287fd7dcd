package dev.ferry.suites.file;

import dev.ferry.core.Carrier;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.net.ServerSettings;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.armeria.ArmeriaGrpcWebClient;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.ccore.CCoreClient;
import dev.ferry.suites.rival.ccore.CCoreServer;
import dev.ferry.web.WebFormat;
import dev.ferry.web.internal.WebCarrier;
import dev.ferry.web.internal.WebFilesServer;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;
import java.util.function.IntFunction;

/** The tables that repeat those of the reference. */
final class FileTransferTables {
  /** How the C core compresses: there is no setting for its level. */
  private static final Codec CORE_GZIP = new Codec("zlib in the C core through Python", 6);

  private static final String MODE = "Mode";
  private static final String GRPC_WEB = "GrpcWeb";

  private FileTransferTables() {}

  /** "Grpc.Net.Client with Grpc.AspNetCore.Server" of the reference: what most people write. */
  static FileTables main() {
    FileTables tables = FileTables.main(FileTables.parameters(), FileTransports.HTTP_CLIENT);
    for (Method method : Method.values()) {
      tables.add(method.label(), () -> FileTransports.grpc(method));
    }
    return tables.add(FileTransports.HTTP_CLIENT, FileTransports::httpClient);
  }

  /** The reference's short form: gRPC as most write it against HTTP, and the best method beside. */
  static FileTables shortForm() {
    return FileTables.main(FileTables.parameters(), "Http")
        .add("Grpc", () -> FileTransports.grpc(Method.DEFAULT))
        .add(Method.ZERO_COPY.label(), () -> FileTransports.grpc(Method.ZERO_COPY))
        .add("Http", FileTransports::httpClient);
  }

  /**
   * "Grpc.Net.Client.Web with Grpc.AspNetCore.Web" of the reference: gRPC-Web and gRPC-Web-Text,
   * over HTTP/1.1 as there, and the best method over HTTP/2 beside. {@code Default} and {@code
   * RentedArray} run on Armeria, {@code ZeroCopy} on Ferry's own server and client. Uploads, which
   * the reference has not, are the same calls.
   */
  static FileTables web() {
    Parameter mode = new Parameter(MODE, List.of(GRPC_WEB, "GrpcWebText"));
    return FileTables.onRequest("grpc-web", FileTables.parameters(mode), FileTransports.HTTP_CLIENT)
        .addByRow(Method.DEFAULT.label(), row -> webOnArmeria(row, Method.DEFAULT))
        .addByRow(Method.RENTED_ARRAY.label(), row -> webOnArmeria(row, Method.RENTED_ARRAY))
        .addByRow(Method.ZERO_COPY.label(), row -> web(row, HttpProtocol.HTTP_1_1))
        .addByRow("ZeroCopyHttp2", row -> web(row, HttpProtocol.H2C))
        .add(FileTransports.HTTP_CLIENT, FileTransports::httpClient);
  }

  private static boolean isText(RowKey row) {
    return !GRPC_WEB.equals(row.parameters().get(MODE));
  }

  private static FileTransport web(RowKey row, HttpProtocol protocol) {
    WebFormat format = isText(row) ? WebFormat.GRPC_WEB_TEXT : WebFormat.GRPC_WEB;
    return new FileTransport(
        protocol.wireName(),
        (workplace, bufferSize, gzip) -> {
          WebFilesServer server =
              WebFilesServer.start(
                  FileTransports.store(workplace),
                  FileTransports.HOST,
                  0,
                  ServerSettings.defaults(),
                  FileTransports.setup(Method.ZERO_COPY));
          return RowServer.of(server.port(), server);
        },
        port ->
            TransferClient.of(
                WebCarrier.connect(
                    FileTransports.HOST,
                    port,
                    format,
                    protocol,
                    FileTransports.setup(Method.ZERO_COPY))));
  }

  private static FileTransport webOnArmeria(RowKey row, Method method) {
    HttpProtocol protocol = HttpProtocol.HTTP_1_1;
    return FileTransports.armeria(
        protocol.wireName(),
        method,
        port ->
            TransferClient.of(
                ArmeriaGrpcWebClient.connect(
                    FileTransports.HOST,
                    port,
                    isText(row),
                    protocol,
                    FileTransports.setup(method))));
  }

  /**
   * "Grpc.Core.Channel with Grpc.Core.Server" of the reference: the C core of gRPC at both ends, by
   * way of Python; our client with its server, and ours at both ends beside.
   */
  static FileTables cCore() {
    String baseline = CCore.Messages.RENTED_ARRAY.label();
    FileTables tables = FileTables.onRequest("c-core", FileTables.parameters(), baseline);
    for (CCore.Messages messages : CCore.Messages.values()) {
      tables.add(
          messages.label(),
          () -> onCore(messages, port -> CCoreClient.connect(messages, port)).withGzip(CORE_GZIP));
    }
    return tables
        .addByRow(
            FileTransports.NET_CHANNEL,
            // Who sends compresses.
            row ->
                onCore(CCore.Messages.RENTED_ARRAY, port -> TransferClient.of(netChannel(port)))
                    .withGzip(isDownload(row) ? CORE_GZIP : FileTransport.LEVEL_1))
        .add(
            Method.ZERO_COPY.label(), () -> FileTransports.grpc(Method.ZERO_COPY).inTwoProcesses());
  }

  private static FileTransport onCore(CCore.Messages messages, FileTransport.ClientStart client) {
    return new FileTransport(
            FileTransports.H2C,
            (workplace, bufferSize, gzip) -> {
              CCoreServer server = CCoreServer.start(messages, workplace.store());
              return RowServer.of(server.port(), server);
            },
            client)
        .withForeign(CCore::obstacle);
  }

  private static boolean isDownload(RowKey row) {
    return Direction.of(row.table()) == Direction.DOWNLOAD;
  }

  private static Carrier netChannel(int port) {
    return GrpcCarrier.connect(FileTransports.HOST, port, Method.RENTED_ARRAY);
  }

  /**
   * "Grpc.Net.Client vs Grpc.Core.Channel" of the reference: a server that a web framework hosts,
   * and different channels to it, with HTTP to the same server as the baseline. The C core has a
   * process of its own, and so has the server of all other rows.
   */
  static FileTables mixed() {
    return FileTables.onRequest(
            "mixed", FileTables.parameters(), FileTransports.HTTP_CLIENT_ON_ARMERIA)
        .addByRow("CoreChannel", FileTransferTables::coreChannel)
        .add(FileTransports.NET_CHANNEL, () -> mixed(FileTransferTables::netChannel))
        .add(
            "OkHttpChannel",
            () ->
                mixed(
                    port ->
                        GrpcCarrier.connectBy(
                            OkHttpChannelBuilder.forAddress(FileTransports.HOST, port),
                            Method.RENTED_ARRAY)))
        .add(
            Method.ZERO_COPY.label(),
            () ->
                mixed(
                    port ->
                        GrpcCarrier.connect(
                            FileTransports.HOST, port, FileTransports.setup(Method.ZERO_COPY))))
        .add(
            FileTransports.HTTP_CLIENT_ON_ARMERIA,
            () -> FileTransports.httpClientOnArmeria().inTwoProcesses())
        .add(FileTransports.HTTP_CLIENT, () -> FileTransports.httpClient().inTwoProcesses());
  }

  private static FileTransport coreChannel(RowKey row) {
    FileTransport transport =
        FileTransports.armeria(
                FileTransports.H2C,
                Method.RENTED_ARRAY,
                port -> CCoreClient.connect(CCore.Messages.RENTED_ARRAY, port))
            .withForeign(CCore::obstacle);
    // Who sends compresses.
    return isDownload(row) ? transport : transport.withGzip(CORE_GZIP);
  }

  private static FileTransport mixed(IntFunction<Carrier> client) {
    return FileTransports.armeria(
            FileTransports.H2C, Method.RENTED_ARRAY, port -> TransferClient.of(client.apply(port)))
        .inTwoProcesses();
  }
}
