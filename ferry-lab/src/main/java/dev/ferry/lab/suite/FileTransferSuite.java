package dev.ferry.lab.suite;

import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.Method;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.rival.CCore;
import dev.ferry.lab.rival.Mover;
import dev.ferry.lab.rival.NginxServer;
import dev.ferry.pack.PackCodec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Moves a file over gRPC and HTTP in both directions; answers the tables "Grpc.Net.Client with
 * Grpc.AspNetCore.Server" of the reference's file upload/download example. More tables, on request,
 * set the best method beside each rival at its best, and beside the C core of gRPC.
 *
 * <p>Run it with {@code ./ferry bench --suite file-transfer}.
 */
public final class FileTransferSuite implements Suite {
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
    return "one file over gRPC and HTTP/1.1; in c-core-*, over gRPC's C core through Python";
  }

  @Override
  public List<Table> tables() {
    List<String> methods =
        Stream.concat(Stream.of(Method.values()).map(Method::label), Stream.of(Stacks.HTTP_CLIENT))
            .toList();
    Stream<Table> main =
        Stream.of(Direction.values())
            .map(
                d ->
                    new Table(
                        d.table(),
                        parameters("4096", "65536", "81920"),
                        methods,
                        Stacks.HTTP_CLIENT));
    return Stream.of(
            main,
            Stream.of(Direction.values()).map(FileTransferSuite::rivals),
            Stream.of(Direction.values()).map(FileTransferSuite::cCore))
        .flatMap(tables -> tables)
        .toList();
  }

  private static Table rivals(Direction direction) {
    Table table =
        new Table(
                "rivals-" + direction.table(),
                parameters("65536", "262144"),
                List.of(
                    Method.ZERO_COPY.label(),
                    Stacks.ZERO_COPY_INTEL,
                    Stacks.DEFAULT_TUNED,
                    Stacks.RENTED_ARRAY_TUNED,
                    Stacks.GRPC_STOCK,
                    Stacks.HTTP_CLIENT,
                    Stacks.HTTP_CLIENT_TUNED,
                    Stacks.APACHE_TUNED,
                    Stacks.HTTP_PARALLEL,
                    Stacks.HTTP_INTEL,
                    Stacks.HTTP_PARALLEL_INTEL,
                    Stacks.NGINX_CURL),
                Stacks.HTTP_CLIENT)
            .onRequest();
    for (String method : Stacks.COMPRESSED_ONLY) {
      table = table.withOnly(method, USE_COMPRESSION, "true");
    }
    // nginx stores a body as it comes and curl compresses none.
    return direction == Direction.UPLOAD
        ? table.withOnly(Stacks.NGINX_CURL, USE_COMPRESSION, "false")
        : table;
  }

  private static Table cCore(Direction direction) {
    String rentedArray = CCore.Messages.RENTED_ARRAY.label();
    return new Table(
            Stacks.C_CORE + direction.table(),
            parameters("4096", "65536", "81920"),
            List.of(CCore.Messages.DEFAULT.label(), rentedArray, Method.ZERO_COPY.label()),
            rentedArray)
        .onRequest();
  }

  private static boolean ofCCore(RowKey row) {
    return row.table().startsWith(Stacks.C_CORE);
  }

  /** How the C core's messages are made, in its rows. */
  private static Optional<CCore.Messages> messages(RowKey row) {
    return Stream.of(CCore.Messages.values())
        .filter(m -> ofCCore(row) && m.label().equals(row.method()))
        .findFirst();
  }

  private static Stack stack(RowKey row) {
    return messages(row).map(Stacks::cCore).orElseGet(() -> Stacks.of(row.method()));
  }

  private static List<Parameter> parameters(String... bufferSizes) {
    return List.of(
        new Parameter(BUFFER_SIZE, List.of(bufferSizes)),
        new Parameter(USE_COMPRESSION, List.of("false", "true")));
  }

  @Override
  public Promise promise(RowKey row) {
    boolean gzip = row.booleanParameter(USE_COMPRESSION);
    Stack stack = stack(row);
    return new Promise(
        stack.protocol(),
        gzip ? stack.encoding() : "identity",
        gzip ? stack.gzip() : "none",
        // Beside the C core our own row has two as well.
        foreign(row) || ofCCore(row) ? 2 : 1);
  }

  @Override
  public List<String> flags(RowKey row) {
    return stack(row).flags();
  }

  @Override
  public @Nullable String obstacle(RowKey row) {
    if (messages(row).isPresent()) {
      return CCore.obstacle().orElse(null);
    }
    return foreign(row) && !NginxServer.isInstalled()
        ? NginxServer.HOW_TO_INSTALL
        : stack(row).codec().obstacle().orElse(null);
  }

  @Override
  public boolean foreign(RowKey row) {
    return row.method().equals(Stacks.NGINX_CURL) || messages(row).isPresent();
  }

  @Override
  public List<CeilingName> ceilings(RowKey row) {
    if (row.booleanParameter(USE_COMPRESSION)) {
      // A codec is bounded by itself, not by a slower one, nor by another level.
      String codec = promise(row).codec();
      boolean intel = codec.startsWith(PackCodec.GZIP_INTEL.label());
      if (!(intel || codec.equals(Stack.LEVEL_1)) || obstacle(row) != null) {
        // What keeps the row from running would keep its ceiling from being measured.
        return List.of();
      }
      return List.of(intel ? CeilingName.GZIP_INTEL_ALL : CeilingName.GZIP_ALL);
    }
    return Direction.of(row.table()).ceilings();
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
    return stack(row)
        .server()
        .start(workplace, row.intParameter(BUFFER_SIZE), row.booleanParameter(USE_COMPRESSION));
  }

  @Override
  public Fixture openClient(RowKey row, Workplace workplace, int port) throws IOException {
    TransferOptions options =
        TransferOptions.DEFAULT
            .withChunkSize(row.intParameter(BUFFER_SIZE))
            .withGzip(row.booleanParameter(USE_COMPRESSION))
            .withVerify(false);
    Mover client = stack(row).client().start(port);
    return new TransferFixture(client, Direction.of(row.table()), options, workplace);
  }
}
