package dev.ferry.lab.suite;

import dev.ferry.core.FerryException;
import dev.ferry.core.LocalFileStore;
import dev.ferry.grpc.GrpcCarrier;
import dev.ferry.grpc.GrpcFilesServer;
import dev.ferry.grpc.Method;
import dev.ferry.grpc.MethodSetup;
import dev.ferry.grpc.message.GeneratedForm;
import dev.ferry.grpc.message.PartForm;
import dev.ferry.grpc.message.RentedArrayForm;
import dev.ferry.http.ApacheHttpCarrier;
import dev.ferry.http.HttpFilesServer;
import dev.ferry.http.JdkHttpCarrier;
import dev.ferry.lab.rival.BlockHttpClient;
import dev.ferry.lab.rival.BlockHttpServer;
import dev.ferry.lab.rival.CCore;
import dev.ferry.lab.rival.CCoreClient;
import dev.ferry.lab.rival.CCoreServer;
import dev.ferry.lab.rival.CurlClient;
import dev.ferry.lab.rival.Mover;
import dev.ferry.lab.rival.NginxServer;
import dev.ferry.lab.rival.StockGrpcClient;
import dev.ferry.lab.rival.StockGrpcServer;
import dev.ferry.pack.PackCodec;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The methods of the file tables, and what each is made of; docs/rivals.md says why. */
final class Stacks {
  /** java.net.http as most write it: the baseline. */
  static final String HTTP_CLIENT = "HttpClient";

  /** java.net.http as fast as it gets. */
  static final String HTTP_CLIENT_TUNED = "HttpClientTuned";

  /** Apache HttpClient 5 as fast as it gets. */
  static final String APACHE_TUNED = "ApacheTuned";

  /** The messages of {@link Method#DEFAULT} on the fast transport. */
  static final String DEFAULT_TUNED = "DefaultTuned";

  /** The messages of {@link Method#RENTED_ARRAY} on the fast transport. */
  static final String RENTED_ARRAY_TUNED = "RentedArrayTuned";

  /** grpc-java as its documentation has it, its own gzip included. */
  static final String GRPC_STOCK = "GrpcStock";

  /** java.net.http with a body of our own, that the JDK's zlib packs and unpacks on all cores. */
  static final String HTTP_PARALLEL = "HttpParallel";

  /** The same by Intel's GKL, a thread at each end. */
  static final String HTTP_INTEL = "HttpIntel";

  /** The same by Intel's GKL on all cores. */
  static final String HTTP_PARALLEL_INTEL = "HttpParallelIntel";

  /** {@link Method#ZERO_COPY} with Intel's GKL at both ends. */
  static final String ZERO_COPY_INTEL = "ZeroCopyIntel";

  /** Rows about compression: there is nothing else to see in them. */
  static final List<String> COMPRESSED_ONLY =
      List.of(ZERO_COPY_INTEL, HTTP_PARALLEL, HTTP_INTEL, HTTP_PARALLEL_INTEL);

  /** Of tables that have the C core of gRPC in place of grpc-java, but for their rival. */
  static final String C_CORE = "c-core-";

  /** Other people's programs. */
  static final String NGINX_CURL = "NginxCurl";

  private static final String HOST = "127.0.0.1";

  private Stacks() {}

  static Stack of(String method) {
    return switch (method) {
      case HTTP_CLIENT -> http(port -> Mover.of(JdkHttpCarrier.connectPlain(HOST, port)));
      case HTTP_CLIENT_TUNED ->
          http(port -> Mover.of(JdkHttpCarrier.connectTuned(HOST, port)))
              .withFlags(JdkHttpCarrier.TUNED_FLAG);
      case APACHE_TUNED -> http(port -> Mover.of(ApacheHttpCarrier.connect(HOST, port)));
      case DEFAULT_TUNED -> tuned(GeneratedForm::new);
      case RENTED_ARRAY_TUNED -> tuned(RentedArrayForm::new);
      case GRPC_STOCK ->
          new Stack(
                  "h2c",
                  (workplace, bufferSize, gzip) -> {
                    StockGrpcServer server = StockGrpcServer.start(store(workplace), HOST);
                    return RowServer.of(server.port(), server);
                  },
                  port -> StockGrpcClient.connect(HOST, port))
              .withGzip("java.util.zip, gzip level 6");
      case HTTP_PARALLEL -> blocks(PackCodec.GZIP_JDK, cores());
      case HTTP_INTEL -> blocks(PackCodec.GZIP_INTEL, 1);
      case HTTP_PARALLEL_INTEL -> blocks(PackCodec.GZIP_INTEL, cores());
      case ZERO_COPY_INTEL -> grpc(Method.ZERO_COPY, PackCodec.GZIP_INTEL);
      case NGINX_CURL ->
          new Stack(
                  "http/1.1",
                  (workplace, bufferSize, gzip) -> {
                    NginxServer server = NginxServer.start(workplace.store(), gzip);
                    return RowServer.of(server.port(), server);
                  },
                  port -> CurlClient.connect(HOST, port))
              .withGzip("zlib in nginx, gzip level 1");
      // Named, for the product takes the fastest there is.
      default -> grpc(method(method), PackCodec.GZIP_JDK);
    };
  }

  /** The C core of gRPC through Python at both ends. */
  static Stack cCore(CCore.Messages messages) {
    return new Stack(
            "h2c",
            (workplace, bufferSize, gzip) -> {
              CCoreServer server = CCoreServer.start(messages, workplace.store());
              return RowServer.of(server.port(), server);
            },
            port -> CCoreClient.connect(messages, port))
        .withGzip("zlib in the C core through Python, gzip level 6");
  }

  private static LocalFileStore store(Workplace workplace) throws FerryException {
    return LocalFileStore.open(workplace.store());
  }

  private static Stack http(IntFunction<Mover> client) {
    return new Stack(
        "http/1.1",
        (workplace, bufferSize, gzip) -> {
          HttpFilesServer server = HttpFilesServer.start(store(workplace), HOST, 0, bufferSize);
          return RowServer.of(server.port(), server);
        },
        client::apply);
  }

  private static Stack blocks(PackCodec codec, int threads) {
    return new Stack(
            "http/1.1",
            (workplace, bufferSize, gzip) -> {
              BlockHttpServer server =
                  BlockHttpServer.start(store(workplace), HOST, bufferSize, codec, threads);
              return RowServer.of(server.port(), server);
            },
            port -> BlockHttpClient.connect(HOST, port, codec, threads))
        .withCodec(codec)
        .withEncoding(BlockHttpClient.ENCODING)
        .withFlags(JdkHttpCarrier.TUNED_FLAG);
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  private static Stack grpc(Method method, PackCodec codec) {
    return new Stack(
            "h2c",
            (workplace, bufferSize, gzip) -> {
              GrpcFilesServer server =
                  GrpcFilesServer.start(store(workplace), HOST, 0, MethodSetup.of(method, codec));
              return RowServer.of(server.port(), server);
            },
            port -> Mover.of(GrpcCarrier.connect(HOST, port, MethodSetup.of(method, codec))))
        .withCodec(codec);
  }

  private static <M> Stack tuned(Supplier<PartForm<M>> form) {
    return new Stack(
        "h2c",
        (workplace, bufferSize, gzip) -> {
          GrpcFilesServer server =
              GrpcFilesServer.start(store(workplace), HOST, 0, MethodSetup.tuned(form.get()));
          return RowServer.of(server.port(), server);
        },
        port -> Mover.of(GrpcCarrier.connect(HOST, port, MethodSetup.tuned(form.get()))));
  }

  private static Method method(String label) {
    return Stream.of(Method.values())
        .filter(m -> m.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no method " + label));
  }
}
