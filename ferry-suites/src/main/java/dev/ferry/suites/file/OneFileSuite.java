package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Digest;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.Row.Setup;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.rival.TransferClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Moves the run's file, plain and compressed, by the methods of its tables. */
abstract class OneFileSuite implements Suite {
  /** Both ends of a compressed transfer, each by itself. */
  private static final List<CeilingName> CODECS =
      List.of(
          CeilingName.DEFLATE_1,
          CeilingName.DEFLATE_ALL,
          CeilingName.INFLATE_1,
          CeilingName.INFLATE_ALL);

  private final String name;
  private final List<Table> tables;
  private final Map<String, FileTables> families = new LinkedHashMap<>();

  OneFileSuite(String name, FileTables... families) {
    this.name = name;
    this.tables = Stream.of(families).flatMap(family -> family.tables().stream()).toList();
    for (FileTables family : families) {
      family.tables().forEach(table -> this.families.put(table.name(), family));
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final List<Table> tables() {
    return tables;
  }

  private FileTransport transport(RowKey row) {
    FileTables family = families.get(row.table());
    if (family == null) {
      throw new IllegalArgumentException(name + " has no table " + row.table());
    }
    return family.transport(row);
  }

  @Override
  public final Promise promise(RowKey row) {
    return transport(row).promise(FileTables.compression(row));
  }

  @Override
  public final String digest(RowKey row) {
    Digest.Algorithm digest = transport(row).digest();
    return digest == null
        ? Setup.NO_DIGEST
        : digest.id() + (transport(row).digestKnown() ? Setup.KNOWN : Setup.AT_BOTH_ENDS);
  }

  @Override
  public final List<String> flags(RowKey row) {
    return transport(row).flags();
  }

  @Override
  public final List<Path> classPath(RowKey row) {
    return transport(row).classPath();
  }

  @Override
  public final @Nullable String obstacle(RowKey row) {
    return transport(row).obstacle(FileTables.compression(row)).orElse(null);
  }

  /** Both directions of a method at a setting: most of their code is the same. */
  @Override
  public final RowKey fork(RowKey row) {
    String direction = Direction.of(row.table()).table();
    String family = row.table().substring(0, row.table().length() - direction.length());
    return new RowKey(row.suite(), family, row.method(), row.parameters());
  }

  @Override
  public final boolean foreign(RowKey row) {
    return transport(row).foreign();
  }

  @Override
  public final List<CeilingName> ceilings(RowKey row) {
    if (FileTables.isCompressed(row)) {
      // The ceiling of a codec is that codec at that level, not another.
      Codec codec = promise(row).codec();
      boolean intel = codec.library().equals(CompressionCodec.GZIP_INTEL.label());
      if (!(intel || codec.equals(FileTransport.LEVEL_1)) || obstacle(row) != null) {
        // What keeps the row from running would keep its ceiling from being measured.
        return List.of();
      }
      return List.of(intel ? CeilingName.GZIP_INTEL_ALL : CeilingName.GZIP_ALL);
    }
    return Direction.of(row.table()).ceilings();
  }

  @Override
  public final List<CeilingName> partCeilings(RowKey row) {
    Stream<CeilingName> every =
        Stream.of(
            CeilingName.FILE_WRITE,
            CeilingName.FILE_READ,
            CeilingName.SHA_256,
            CeilingName.CRC_32C);
    return FileTables.isCompressed(row)
        ? Stream.concat(every, CODECS.stream()).toList()
        : every.toList();
  }

  @Override
  public final RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    return transport(row)
        .startServer(
            workplace, row.intParameter(FileTables.BUFFER_SIZE), FileTables.isCompressed(row));
  }

  @Override
  public final Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    FileTransport transport = transport(row);
    TransferOptions options =
        TransferOptions.DEFAULT
            .withChunkSize(row.intParameter(FileTables.BUFFER_SIZE))
            .withCompression(FileTables.compression(row))
            .withDigest(transport.digest());
    TransferClient client = transport.startClient(workplace, port);
    return new TransferOperation(
        List.of(client),
        load(row),
        Direction.of(row.table()),
        options,
        workplace,
        transport.digestKnown());
  }
}
