package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcCarrier;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.grpc.internal.Method;
import dev.ferry.grpc.internal.MethodSetup;
import dev.ferry.http.internal.JdkHttpCarrier;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.net.ServerSettings;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.apache.ApacheHttpCarrier;
import dev.ferry.suites.rival.armeria.ArmeriaFilesServer;
import dev.ferry.suites.rival.nginx.CurlClient;
import dev.ferry.suites.rival.nginx.NginxServer;
import dev.ferry.web.internal.WebFilesServer;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Methods that several tables have, and what they are made of. */
final class FileTransports {
  /** java.net.http as most write it: the baseline. */
  static final String HTTP_CLIENT = "HttpClient";

  /** java.net.http as fast as it gets. */
  static final String HTTP_CLIENT_TUNED = "HttpClientTuned";

  /** Apache HttpClient 5 as fast as it gets. */
  static final String APACHE_TUNED = "ApacheTuned";

  /** grpc-java on Netty with a server of others. */
  static final String NET_CHANNEL = "NetChannel";

  /** Other people's programs. */
  static final String NGINX_CURL = "NginxCurl";

  static final String HTTP_1_1 = "http/1.1";
  static final String H2C = "h2c";
  static final String HOST = "127.0.0.1";

  private FileTransports() {}

  static FileTransport of(String method) {
    return switch (method) {
      case HTTP_CLIENT -> http(port -> TransferClient.of(JdkHttpCarrier.connectPlain(HOST, port)));
      case HTTP_CLIENT_TUNED ->
          http(port -> TransferClient.of(JdkHttpCarrier.connectTuned(HOST, port)))
              .withFlags(JdkHttpCarrier.TUNED_FLAG);
      case APACHE_TUNED ->
          http(port -> TransferClient.of(ApacheHttpCarrier.connectTuned(HOST, port)));
      case NGINX_CURL ->
          new FileTransport(
                  HTTP_1_1,
                  (workplace, bufferSize, gzip) -> {
                    NginxServer server = NginxServer.start(workplace.store(), gzip);
                    return RowServer.of(server.port(), server);
                  },
                  port -> CurlClient.connect(HOST, port))
              .withGzip(new Codec("zlib in nginx", 1))
              .withForeign(
                  () ->
                      NginxServer.isInstalled()
                          ? Optional.empty()
                          : Optional.of(NginxServer.HOW_TO_INSTALL));
      // Named, for the product takes the fastest there is.
      default -> grpc(method(method), CompressionCodec.GZIP_JDK);
    };
  }

  /** A table with {@link #NGINX_CURL} only where it can be. */
  static Table withNginx(Table table, Direction direction) {
    // nginx stores a body as it comes and curl compresses none.
    return direction == Direction.UPLOAD
        ? table.withOnly(NGINX_CURL, FileTables.USE_COMPRESSION, "false")
        : table;
  }

  static LocalFileStore store(Workplace workplace) throws FerryException {
    return LocalFileStore.open(workplace.store());
  }

  /** A client of the strongest HTTP server there is. */
  static FileTransport http(IntFunction<TransferClient> client) {
    return new FileTransport(
        HTTP_1_1,
        (workplace, bufferSize, gzip) -> {
          HttpFilesServer server = HttpFilesServer.start(store(workplace), HOST, 0, bufferSize);
          return RowServer.of(server.port(), server);
        },
        client::apply);
  }

  /** A client of the port for HTTP and gRPC-Web. */
  static FileTransport web(String protocol, FileTransport.ClientStart client) {
    return new FileTransport(
        protocol,
        (workplace, bufferSize, gzip) -> {
          WebFilesServer server =
              WebFilesServer.start(
                  store(workplace), HOST, 0, ServerSettings.defaults(), setup(Method.ZERO_COPY));
          return RowServer.of(server.port(), server);
        },
        client);
  }

  /** A client of Armeria's server, which treats chunks by a method. */
  static FileTransport armeria(String protocol, Method method, FileTransport.ClientStart client) {
    return new FileTransport(
        protocol,
        (workplace, bufferSize, gzip) -> {
          ArmeriaFilesServer server =
              ArmeriaFilesServer.start(store(workplace), HOST, setup(method));
          return RowServer.of(server.port(), server);
        },
        client);
  }

  /** A method with the JDK's gzip, which is named, for the product takes the fastest there is. */
  static MethodSetup<?> setup(Method method) {
    return MethodSetup.of(method, CompressionCodec.GZIP_JDK);
  }

  /** A method at both ends. */
  static FileTransport grpc(Method method, CompressionCodec codec) {
    return grpc(() -> MethodSetup.of(method, codec)).withCodec(codec);
  }

  /** The same setup at both ends, made anew for each. */
  static FileTransport grpc(Supplier<MethodSetup<?>> setup) {
    return new FileTransport(
        H2C,
        (workplace, bufferSize, gzip) -> {
          GrpcFilesServer server = GrpcFilesServer.start(store(workplace), HOST, 0, setup.get());
          return RowServer.of(server.port(), server);
        },
        port -> TransferClient.of(GrpcCarrier.connect(HOST, port, setup.get())));
  }

  static Method method(String label) {
    return Stream.of(Method.values())
        .filter(m -> m.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no method " + label));
  }
}
