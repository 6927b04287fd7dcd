package dev.ferry.lab.suite;

import dev.ferry.core.Carrier;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.Method;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.RowKey;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * Moves a file over gRPC and HTTP in both directions; answers the tables "Grpc.Net.Client with
 * Grpc.AspNetCore.Server" of the reference's file upload/download example.
 *
 * <p>Run it with {@code ./ferry bench --suite file-transfer}.
 */
public final class FileTransferSuite implements Suite {
  /** The method over java.net.http: the baseline. */
  public static final String HTTP_CLIENT = "HttpClient";

  private static final String BUFFER_SIZE = "BufferSize";
  private static final String USE_COMPRESSION = "UseCompression";

  /** Both ends of a compressed transfer, each by itself. */
  private static final List<CeilingName> CODECS =
      List.of(
          CeilingName.DEFLATE_1,
          CeilingName.DEFLATE_ALL,
          CeilingName.INFLATE_1,
          CeilingName.INFLATE_ALL);

  @Override
  public String name() {
    return "file-transfer";
  }

  @Override
  public String description() {
    return "one file over gRPC and HTTP/1.1";
  }

  @Override
  public List<Table> tables() {
    List<Parameter> parameters =
        List.of(
            new Parameter(BUFFER_SIZE, List.of("4096", "65536", "81920")),
            new Parameter(USE_COMPRESSION, List.of("false", "true")));
    List<String> methods =
        Stream.concat(Stream.of(Method.values()).map(Method::label), Stream.of(HTTP_CLIENT))
            .toList();
    return Stream.of(Direction.values())
        .map(d -> new Table(d.table(), parameters, methods, HTTP_CLIENT))
        .toList();
  }

  @Override
  public Promise promise(RowKey row) {
    boolean gzip = row.booleanParameter(USE_COMPRESSION);
    return new Promise(
        FileCarriers.protocol(row.method()),
        gzip ? "gzip" : "identity",
        gzip ? "java.util.zip, gzip level 1" : "none",
        1);
  }

  @Override
  public List<CeilingName> ceilings(RowKey row) {
    if (row.booleanParameter(USE_COMPRESSION)) {
      // A codec is bounded by itself, not by a slower one.
      return promise(row).codec().startsWith(PackCodec.GZIP_INTEL.label())
          ? List.of(CeilingName.GZIP_INTEL_ALL)
          : List.of(CeilingName.GZIP_ALL);
    }
    return FileCarriers.ceilings(Direction.of(row.table()));
  }

  @Override
  public List<CeilingName> partCeilings(RowKey row) {
    Stream<CeilingName> every =
        Stream.of(
            CeilingName.FILE_WRITE,
            CeilingName.FILE_READ,
            CeilingName.SHA_256,
            CeilingName.CRC_32C);
    return row.booleanParameter(USE_COMPRESSION)
        ? Stream.concat(every, CODECS.stream()).toList()
        : every.toList();
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    return FileCarriers.serve(row.method(), workplace.store(), row.intParameter(BUFFER_SIZE));
  }

  @Override
  public Fixture openClient(RowKey row, Workplace workplace, int port) throws IOException {
    TransferOptions options =
        TransferOptions.DEFAULT
            .withChunkSize(row.intParameter(BUFFER_SIZE))
            .withGzip(row.booleanParameter(USE_COMPRESSION))
            .withVerify(false);
    Carrier carrier = FileCarriers.connect(row.method(), port);
    return new TransferFixture(carrier, Direction.of(row.table()), options, workplace);
  }
}
