package dev.ferry.suites.file;

import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Row.Setup;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Moves the run's file, plain and compressed, by the methods of its tables. */
abstract class OneFileSuite extends Suite {
  private static final List<CeilingName> PARTS =
      List.of(
          CeilingName.FILE_WRITE, CeilingName.FILE_READ, CeilingName.SHA_256, CeilingName.CRC_32C);

  /** With both ends of a compressed transfer, each by itself. */
  private static final List<CeilingName> COMPRESSED_PARTS =
      Stream.concat(
              PARTS.stream(),
              Stream.of(
                  CeilingName.DEFLATE_1,
                  CeilingName.DEFLATE_ALL,
                  CeilingName.INFLATE_1,
                  CeilingName.INFLATE_ALL))
          .toList();

  private final List<Table> tables;
  private final Map<String, FileTables> families = new LinkedHashMap<>();

  OneFileSuite(String name, String description, FileTables... families) {
    super(name, description);
    this.tables = Stream.of(families).flatMap(family -> family.tables().stream()).toList();
    for (FileTables family : families) {
      family.tables().forEach(table -> this.families.put(table.name(), family));
    }
  }

  @Override
  public final List<Table> tables() {
    return tables;
  }

  private FileTransport transport(RowKey row) {
    FileTables family = families.get(row.table());
    if (family == null) {
      throw new IllegalArgumentException(name() + " has no table " + row.table());
    }
    return family.transport(row);
  }

  @Override
  public final RowSpec row(RowKey key) {
    FileTransport transport = transport(key);
    Compression compression = FileTables.compression(key);
    Direction direction = Direction.of(key.table());
    int bufferSize = key.intParameter(FileTables.BUFFER_SIZE);
    TransferOptions options =
        TransferOptions.DEFAULT
            .withChunkSize(bufferSize)
            .withCompression(compression)
            .withDigest(transport.digest());
    return new RowSpec(
        key,
        transport.promise(compression),
        Work.file(digest(transport)),
        transport.needs(compression, withoutDirection(key, direction)),
        compression == null
            ? new Bounds(direction.ceilings(), PARTS)
            : new Bounds(transport.ceilings(compression), COMPRESSED_PARTS),
        workplace -> transport.startServer(workplace, bufferSize, compression != null),
        (workplace, port) ->
            new TransferOperation(
                List.of(transport.startClient(workplace, port)),
                null,
                direction,
                options,
                workplace,
                transport.digestKnown()));
  }

  private static String digest(FileTransport transport) {
    Digest.Algorithm digest = transport.digest();
    return digest == null
        ? Setup.NO_DIGEST
        : digest.id() + (transport.digestKnown() ? Setup.KNOWN : Setup.AT_BOTH_ENDS);
  }

  /** Both directions of a method at a setting share a fork: most of their code is the same. */
  private static RowKey withoutDirection(RowKey row, Direction direction) {
    String family = row.table().substring(0, row.table().length() - direction.table().length());
    return new RowKey(row.suite(), family, row.method(), row.parameters());
  }
}
