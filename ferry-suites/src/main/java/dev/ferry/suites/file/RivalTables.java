package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.grpc.internal.Method;
import dev.ferry.grpc.internal.MethodSetup;
import dev.ferry.grpc.internal.message.ChunkCodec;
import dev.ferry.grpc.internal.message.GeneratedCodec;
import dev.ferry.grpc.internal.message.RentedArrayCodec;
import dev.ferry.http.internal.JdkHttpCarrier;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.rival.blocks.BlockHttpClient;
import dev.ferry.suites.rival.blocks.BlockHttpServer;
import dev.ferry.suites.rival.flight.ArrowFlight;
import dev.ferry.suites.rival.grpcjava.StockGrpcClient;
import dev.ferry.suites.rival.grpcjava.StockServer;
import java.util.List;
import java.util.function.Supplier;

/** The best method beside each rival at its best; docs/rivals.md says why each is there. */
final class RivalTables implements FileTables {
  /** The messages of {@link Method#DEFAULT} on the fast transport. */
  private static final String DEFAULT_TUNED = "DefaultTuned";

  /** The messages of {@link Method#RENTED_ARRAY} on the fast transport. */
  private static final String RENTED_ARRAY_TUNED = "RentedArrayTuned";

  /** grpc-java as its documentation has it, its own gzip included. */
  private static final String GRPC_STOCK = "GrpcStock";

  /**
   * java.net.http with a body of our own, that the JDK's zlib compresses and decompresses on all
   * cores.
   */
  private static final String HTTP_PARALLEL = "HttpParallel";

  /** The same by Intel's GKL, a thread at each end. */
  private static final String HTTP_INTEL = "HttpIntel";

  /** The same by Intel's GKL on all cores. */
  private static final String HTTP_PARALLEL_INTEL = "HttpParallelIntel";

  /** {@link Method#ZERO_COPY} with Intel's GKL at both ends. */
  private static final String ZERO_COPY_INTEL = "ZeroCopyIntel";

  /** Rows about compression: there is nothing else to see in them. */
  static final List<String> COMPRESSED_ONLY =
      List.of(ZERO_COPY_INTEL, HTTP_PARALLEL, HTTP_INTEL, HTTP_PARALLEL_INTEL);

  /** What Flight documents is LZ4 and zstd of single columns, and no gzip. */
  private static final List<String> UNCOMPRESSED_ONLY =
      List.of(ArrowFlight.DEFAULT, ArrowFlight.TUNED);

  @Override
  public Table table(Direction direction) {
    Table table =
        new Table(
                "rivals-" + direction.table(),
                FileTables.parameters("65536", "262144"),
                List.of(
                    Method.ZERO_COPY.label(),
                    ZERO_COPY_INTEL,
                    DEFAULT_TUNED,
                    RENTED_ARRAY_TUNED,
                    GRPC_STOCK,
                    FileTransports.HTTP_CLIENT,
                    FileTransports.HTTP_CLIENT_TUNED,
                    FileTransports.APACHE_TUNED,
                    HTTP_PARALLEL,
                    HTTP_INTEL,
                    HTTP_PARALLEL_INTEL,
                    ArrowFlight.DEFAULT,
                    ArrowFlight.TUNED,
                    FileTransports.NGINX_CURL),
                FileTransports.HTTP_CLIENT)
            .onRequest();
    for (String method : COMPRESSED_ONLY) {
      table = table.withOnly(method, USE_COMPRESSION, "true");
    }
    for (String method : UNCOMPRESSED_ONLY) {
      table = table.withOnly(method, USE_COMPRESSION, "false");
    }
    return FileTransports.withNginx(table, direction);
  }

  @Override
  public FileTransport stack(RowKey row) {
    return switch (row.method()) {
      case DEFAULT_TUNED -> tuned(GeneratedCodec::new);
      case RENTED_ARRAY_TUNED -> tuned(RentedArrayCodec::new);
      case GRPC_STOCK ->
          new FileTransport(
                  FileTransports.H2C,
                  (workplace, bufferSize, gzip) -> {
                    StockServer server =
                        StockServer.files(FileTransports.store(workplace), FileTransports.HOST);
                    return RowServer.of(server.port(), server);
                  },
                  port -> StockGrpcClient.connect(FileTransports.HOST, port))
              .withGzip(new Codec(CompressionCodec.GZIP_JDK.label(), 6));
      case HTTP_PARALLEL -> blocks(CompressionCodec.GZIP_JDK, cores());
      case HTTP_INTEL -> blocks(CompressionCodec.GZIP_INTEL, 1);
      case HTTP_PARALLEL_INTEL -> blocks(CompressionCodec.GZIP_INTEL, cores());
      case ArrowFlight.DEFAULT, ArrowFlight.TUNED ->
          FileTransport.of(FileTransports.H2C, ArrowFlight.JAR, ArrowFlight.flags(row.method()));
      case ZERO_COPY_INTEL -> FileTransports.grpc(Method.ZERO_COPY, CompressionCodec.GZIP_INTEL);
      default -> FileTransports.of(row.method());
    };
  }

  private static FileTransport blocks(CompressionCodec codec, int threads) {
    return new FileTransport(
            FileTransports.HTTP_1_1,
            (workplace, bufferSize, gzip) -> {
              BlockHttpServer server =
                  BlockHttpServer.start(
                      FileTransports.store(workplace),
                      FileTransports.HOST,
                      bufferSize,
                      codec,
                      threads);
              return RowServer.of(server.port(), server);
            },
            port -> BlockHttpClient.connect(FileTransports.HOST, port, codec, threads))
        .withCodec(codec)
        .withEncoding(BlockHttpClient.ENCODING)
        .withFlags(JdkHttpCarrier.TUNED_FLAG);
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static <M> FileTransport tuned(Supplier<ChunkCodec<M>> form) {
    return FileTransports.grpc(() -> MethodSetup.tuned(form.get()));
  }
}
