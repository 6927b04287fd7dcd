package dev.ferry.suites.file;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.Table;
import java.util.List;
import java.util.stream.Stream;

/** Tables that belong together, one for each direction, and what their rows are made of. */
interface FileTables {
  /** Bytes of a chunk, and of a rival's copies. */
  String BUFFER_SIZE = "BufferSize";

  /** Whether the file travels compressed. */
  String USE_COMPRESSION = "UseCompression";

  /** The table of a direction; its name ends with that of the direction. */
  Table table(Direction direction);

  /** What a row is made of. */
  FileTransport stack(RowKey row);

  /** The tables. */
  default List<Table> tables() {
    return Stream.of(Direction.values()).map(this::table).toList();
  }

  /** The reference's parameters. */
  static List<Parameter> parameters() {
    return parameters("4096", "65536", "81920");
  }

  /** The same with other sizes. */
  static List<Parameter> parameters(String... bufferSizes) {
    return List.of(
        new Parameter(BUFFER_SIZE, List.of(bufferSizes)),
        new Parameter(USE_COMPRESSION, List.of("false", "true")));
  }
}
