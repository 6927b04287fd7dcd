package dev.ferry.suites.file;

import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.rival.GrpcEnd;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.armeria.ArmeriaGrpcWebClient;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.ccore.CCoreClient;
import dev.ferry.suites.rival.ccore.CCoreProcess;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockMethod.Flow;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.GzipLibrary;
import dev.ferry.wire.ServerSettings;
import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;

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
    return addGrpc(tables).add(FileTransports.HTTP_CLIENT, FileTransports::httpClient);
  }

  /** Adds grpc-java as most people write it, the same with pooled arrays, and the best method. */
  static FileTables addGrpc(FileTables tables) {
    for (StockMethod method : StockMethod.values()) {
      tables.add(method.label(), row -> FileTransports.stock(row, method));
    }
    return tables.add(FileTransports.ZERO_COPY, FileTransports::zeroCopy);
  }

  /** The reference's short form: gRPC as most write it against HTTP, and the best method beside. */
  static FileTables shortForm() {
    return FileTables.main(FileTables.parameters(), "Http")
        .add("Grpc", FileTransports::grpcDefault)
        .add(FileTransports.ZERO_COPY, FileTransports::zeroCopy)
        .add("Http", FileTransports::httpClient);
  }

  /**
   * "Grpc.Net.Client.Web with Grpc.AspNetCore.Web" of the reference: gRPC-Web and gRPC-Web-Text,
   * over HTTP/1.1 as there. All clients are Armeria's, and so is the server of {@code Default} and
   * {@code RentedArray}. {@code FerryServer} is Ferry's with the messages of {@code RentedArray} at
   * the client, also over HTTP/2. Uploads, which the reference has not, are the same calls.
   */
  static FileTables web() {
    Parameter mode = new Parameter(MODE, List.of(GRPC_WEB, "GrpcWebText"));
    return FileTables.onRequest("grpc-web", FileTables.parameters(mode), FileTransports.HTTP_CLIENT)
        .add(StockMethod.DEFAULT.label(), row -> webOnArmeria(row, StockMethod.DEFAULT))
        .add(StockMethod.RENTED_ARRAY.label(), row -> webOnArmeria(row, StockMethod.RENTED_ARRAY))
        .add("FerryServer", row -> webOnFerry(row, HttpProtocol.HTTP_1_1))
        .add("FerryServerHttp2", row -> webOnFerry(row, HttpProtocol.H2C))
        .add(FileTransports.HTTP_CLIENT, FileTransports::httpClient);
  }

  private static boolean isText(RowKey row) {
    return !GRPC_WEB.equals(row.parameters().get(MODE));
  }

  private static FileTransport webOnFerry(RowKey row, HttpProtocol protocol) {
    return new FileTransport(
        protocol.wireName(),
        (workplace, bufferSize, gzip) ->
            RowServer.of(
                WebFiles.serve(
                    FileTransports.store(workplace),
                    FileTransports.HOST,
                    0,
                    ServerSettings.defaults(),
                    GzipLibrary.JDK)),
        webClient(row, StockMethod.RENTED_ARRAY, protocol));
  }

  private static FileTransport webOnArmeria(RowKey row, StockMethod method) {
    HttpProtocol protocol = HttpProtocol.HTTP_1_1;
    return FileTransports.armeria(protocol.wireName(), method, webClient(row, method, protocol));
  }

  private static FileTransport.ClientStart webClient(
      RowKey row, StockMethod method, HttpProtocol protocol) {
    return port ->
        ArmeriaGrpcWebClient.connect(
            FileTransports.HOST,
            port,
            isText(row),
            protocol,
            (channel, close) -> method.client(channel, protocol.wireName(), Flow.DEFAULT, close),
            StockMethod.gzip());
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
          row -> onCore(messages, port -> CCoreClient.connect(messages, port)).withGzip(CORE_GZIP));
    }
    return tables
        .add(
            FileTransports.NET_CHANNEL,
            // Who sends compresses.
            row ->
                onCore(CCore.Messages.RENTED_ARRAY, FileTransferTables::netChannel)
                    .withGzip(isDownload(row) ? CORE_GZIP : FileTransport.LEVEL_1))
        .add(FileTransports.ZERO_COPY, row -> FileTransports.zeroCopy(row).inTwoProcesses());
  }

  private static FileTransport onCore(CCore.Messages messages, FileTransport.ClientStart client) {
    return new FileTransport(
            FileTransports.H2C,
            (workplace, bufferSize, gzip) -> CCoreProcess.server(messages, workplace.store()),
            client)
        .withForeign(CCore::obstacle);
  }

  private static boolean isDownload(RowKey row) {
    return Direction.of(row.table()) == Direction.DOWNLOAD;
  }

  private static TransferClient netChannel(int port) {
    return StockFilesClient.connect(StockMethod.RENTED_ARRAY, FileTransports.HOST, port, null);
  }

  private static TransferClient okHttpChannel(int port) {
    ManagedChannel channel =
        StockMethod.RENTED_ARRAY
            .settings(OkHttpChannelBuilder.forAddress(FileTransports.HOST, port).usePlaintext())
            .build();
    return StockMethod.RENTED_ARRAY.client(
        channel, FileTransports.H2C, Flow.DEFAULT, () -> GrpcEnd.now(channel));
  }

  /**
   * "Grpc.Net.Client vs Grpc.Core.Channel" of the reference: a server that a web framework hosts,
   * and different channels to it, with HTTP to the same server as the baseline. The C core has a
   * process of its own, and so has the server of all other rows.
   */
  static FileTables mixed() {
    return FileTables.onRequest(
            "mixed", FileTables.parameters(), FileTransports.HTTP_CLIENT_ON_ARMERIA)
        .add("CoreChannel", FileTransferTables::coreChannel)
        .add(FileTransports.NET_CHANNEL, row -> mixed(FileTransferTables::netChannel))
        .add("OkHttpChannel", row -> mixed(FileTransferTables::okHttpChannel))
        .add(
            FileTransports.ZERO_COPY,
            row ->
                mixed(
                    port ->
                        TransferClient.of(
                            GrpcFiles.connect(
                                FileTransports.HOST, port, null, null, GzipLibrary.JDK))))
        .add(
            FileTransports.HTTP_CLIENT_ON_ARMERIA,
            row -> FileTransports.httpClientOnArmeria(row).inTwoProcesses())
        .add(FileTransports.HTTP_CLIENT, row -> FileTransports.httpClient(row).inTwoProcesses());
  }

  private static FileTransport coreChannel(RowKey row) {
    FileTransport transport =
        FileTransports.armeria(
                FileTransports.H2C,
                StockMethod.RENTED_ARRAY,
                port -> CCoreClient.connect(CCore.Messages.RENTED_ARRAY, port))
            .withForeign(CCore::obstacle);
    // Who sends compresses.
    return isDownload(row) ? transport : transport.withGzip(CORE_GZIP);
  }

  private static FileTransport mixed(FileTransport.ClientStart client) {
    return FileTransports.armeria(FileTransports.H2C, StockMethod.RENTED_ARRAY, client)
        .inTwoProcesses();
  }
}
