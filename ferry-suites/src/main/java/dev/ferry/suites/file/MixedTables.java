package dev.ferry.suites.file;

import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.ccore.CCoreClient;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.List;

/**
 * "Grpc.Net.Client vs Grpc.Core.Channel" of the reference: a server that a web framework hosts, and
 * different channels to it. The C core has a process of its own, and so has the server of all other
 * rows.
 */
final class MixedTables implements FileTables {
  /** The C core of gRPC by way of Python, with the messages of {@code RentedArray}. */
  private static final String CORE_CHANNEL = "CoreChannel";

  /** grpc-java over OkHttp, with the messages of {@code RentedArray}. */
  private static final String OK_HTTP_CHANNEL = "OkHttpChannel";

  @Override
  public Table table(Direction direction) {
    return new Table(
            "mixed-" + direction.table(),
            FileTables.parameters(),
            List.of(
                CORE_CHANNEL,
                FileTransports.NET_CHANNEL,
                OK_HTTP_CHANNEL,
                Method.ZERO_COPY.label(),
                FileTransports.HTTP_CLIENT),
            FileTransports.HTTP_CLIENT)
        .onRequest();
  }

  @Override
  public FileTransport stack(RowKey row) {
    return switch (row.method()) {
      case CORE_CHANNEL -> {
        FileTransport stack =
            web(port -> CCoreClient.connect(CCore.Messages.RENTED_ARRAY, port))
                .withForeign(CCore::obstacle);
        // Who sends compresses.
        yield Direction.of(row.table()) == Direction.UPLOAD
            ? stack.withGzip(CCoreTables.GZIP)
            : stack;
      }
      case FileTransports.NET_CHANNEL ->
          web(
              port ->
                  TransferClient.of(
                      GrpcCarrier.connect(FileTransports.HOST, port, Method.RENTED_ARRAY)));
      case OK_HTTP_CHANNEL ->
          web(
              port ->
                  TransferClient.of(
                      GrpcCarrier.connectBy(
                          OkHttpChannelBuilder.forAddress(FileTransports.HOST, port),
                          Method.RENTED_ARRAY)));
      case FileTransports.HTTP_CLIENT -> FileTransports.of(row.method()).inTwoProcesses();
      default ->
          web(
              port ->
                  TransferClient.of(
                      GrpcCarrier.connect(
                          FileTransports.HOST, port, FileTransports.setup(Method.ZERO_COPY))));
    };
  }

  private static FileTransport web(FileTransport.ClientStart client) {
    return FileTransports.armeria(FileTransports.H2C, Method.RENTED_ARRAY, client).inTwoProcesses();
  }
}
