package dev.ferry.suites.file;

import dev.ferry.grpc.internal.Method;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Table;
import java.util.List;
import java.util.stream.Stream;

/** "Grpc.Net.Client with Grpc.AspNetCore.Server" of the reference: what most people write. */
final class MainTables implements FileTables {
  @Override
  public Table table(Direction direction) {
    List<String> methods =
        Stream.concat(
                Stream.of(Method.values()).map(Method::label),
                Stream.of(FileTransports.HTTP_CLIENT))
            .toList();
    return new Table(
        direction.table(), FileTables.parameters(), methods, FileTransports.HTTP_CLIENT);
  }

  @Override
  public FileTransport stack(RowKey row) {
    return FileTransports.of(row.method());
  }
}
