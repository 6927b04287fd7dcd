package dev.ferry.suites.file;

import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.ccore.CCore;
import dev.ferry.suites.rival.ccore.CCoreClient;
import dev.ferry.suites.rival.ccore.CCoreServer;
import java.util.List;

/**
 * "Grpc.Core.Channel with Grpc.Core.Server" of the reference: the C core of gRPC at both ends, by
 * way of Python; our client with its server, and ours at both ends beside.
 */
final class CCoreTables implements FileTables {
  /** How the C core compresses: there is no setting for its level. */
  static final Codec GZIP = new Codec("zlib in the C core through Python", 6);

  private static final String DEFAULT = CCore.Messages.DEFAULT.label();
  private static final String RENTED_ARRAY = CCore.Messages.RENTED_ARRAY.label();

  @Override
  public Table table(Direction direction) {
    return new Table(
            "c-core-" + direction.table(),
            FileTables.parameters(),
            List.of(DEFAULT, RENTED_ARRAY, FileTransports.NET_CHANNEL, Method.ZERO_COPY.label()),
            RENTED_ARRAY)
        .onRequest();
  }

  @Override
  public FileTransport stack(RowKey row) {
    if (row.method().equals(DEFAULT)) {
      return bothEnds(CCore.Messages.DEFAULT);
    }
    if (row.method().equals(RENTED_ARRAY)) {
      return bothEnds(CCore.Messages.RENTED_ARRAY);
    }
    if (row.method().equals(FileTransports.NET_CHANNEL)) {
      boolean download = Direction.of(row.table()) == Direction.DOWNLOAD;
      return bothEnds(CCore.Messages.RENTED_ARRAY)
          .withClient(
              port ->
                  TransferClient.of(
                      GrpcCarrier.connect(FileTransports.HOST, port, Method.RENTED_ARRAY)))
          .withGzip(download ? GZIP : FileTransport.LEVEL_1);
    }
    return FileTransports.of(row.method()).inTwoProcesses();
  }

  private static FileTransport bothEnds(CCore.Messages messages) {
    return new FileTransport(
            FileTransports.H2C,
            (workplace, bufferSize, gzip) -> {
              CCoreServer server = CCoreServer.start(messages, workplace.store());
              return RowServer.of(server.port(), server);
            },
            port -> CCoreClient.connect(messages, port))
        .withGzip(GZIP)
        .withForeign(CCore::obstacle);
  }
}
