package dev.ferry.suites.file;

import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Table;
import java.util.List;

/** The reference's short form: gRPC as most write it against HTTP, and the best method beside. */
final class ShortTables implements FileTables {
  private static final String GRPC = "Grpc";
  private static final String HTTP = "Http";

  @Override
  public Table table(Direction direction) {
    return new Table(
        direction.table(),
        FileTables.parameters(),
        List.of(GRPC, Method.ZERO_COPY.label(), HTTP),
        HTTP);
  }

  @Override
  public FileTransport stack(RowKey row) {
    return switch (row.method()) {
      case GRPC -> FileTransports.of(Method.DEFAULT.label());
      case HTTP -> FileTransports.of(FileTransports.HTTP_CLIENT);
      default -> FileTransports.of(row.method());
    };
  }
}
