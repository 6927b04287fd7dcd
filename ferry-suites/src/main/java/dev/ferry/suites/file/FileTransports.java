package dev.ferry.suites.file;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.FerryException;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.own.OwnMethod;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.suites.rival.apache.ApacheFileClient;
import dev.ferry.suites.rival.armeria.ArmeriaServers;
import dev.ferry.suites.rival.grpcjava.StockFilesClient;
import dev.ferry.suites.rival.grpcjava.StockMethod;
import dev.ferry.suites.rival.grpcjava.StockMethod.Flow;
import dev.ferry.suites.rival.grpcjava.StockServer;
import dev.ferry.suites.rival.jdk.JdkFileClient;
import dev.ferry.suites.rival.jdk.OfFileClient;
import dev.ferry.suites.rival.nginx.CurlClient;
import dev.ferry.suites.rival.nginx.NginxServer;
import dev.ferry.suites.tls.ProviderParameter;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.GzipLibrary;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The transports that several tables share. */
final class FileTransports {
  /** java.net.http as most write it: the baseline. */
  static final String HTTP_CLIENT = "HttpClient";

  /** java.net.http as its documentation has files. */
  static final String HTTP_CLIENT_FILE = "HttpClientFile";

  /** Apache HttpClient 5 as fast as it gets. */
  static final String APACHE_TUNED = "ApacheTuned";

  /** The best method. */
  static final String ZERO_COPY = "ZeroCopy";

  /** The same with a service that is not Ferry's. */
  static final String OWN_ZERO_COPY = "OwnZeroCopy";

  /** Ferry's own client of HTTP/1.1, as users get it. */
  static final String FERRY_HTTP = "FerryHttp";

  /** The best method with Intel's GKL at both ends. */
  static final String ZERO_COPY_INTEL = "ZeroCopyIntel";

  /** The client of {@link #HTTP_CLIENT} with Ferry's requests and responses on Armeria. */
  static final String HTTP_CLIENT_ON_ARMERIA = "HttpClientOnArmeria";

  /** grpc-java on Netty with a server of others. */
  static final String NET_CHANNEL = "NetChannel";

  /** Other people's programs; nginx stores a body as it comes, and curl compresses none. */
  static final String NGINX_CURL = "NginxCurl";

  static final String HTTP_1_1 = "http/1.1";
  static final String H2C = "h2c";
  static final String HOST = ServerHost.name();

  private FileTransports() {}

  static LocalFileStore store(Workplace workplace) throws FerryException {
    return LocalFileStore.open(workplace.store());
  }

  /** As {@link #HTTP_CLIENT}. */
  static FileTransport httpClient(RowKey row) {
    return http(
        row, (port, tls) -> new JdkFileClient(HOST, port, HttpProtocol.HTTP_1_1, false, jdk(tls)));
  }

  /** The client of {@link #HTTP_CLIENT} in plain text. */
  static TransferClient jdkClient(int port) {
    return new JdkFileClient(HOST, port, HttpProtocol.HTTP_1_1, false);
  }

  /** As {@link #HTTP_CLIENT_FILE}. */
  static FileTransport httpClientFile(RowKey row) {
    return http(row, (port, tls) -> OfFileClient.connect(HOST, port, jdk(tls)));
  }

  private static @Nullable ClientSsl jdk(@Nullable ClientTls tls) {
    return tls == null ? null : ClientSsl.trusting(tls.trust());
  }

  /** java.net.http as fast as it gets. */
  static FileTransport httpClientTuned(RowKey row) {
    return http(HTTP_1_1, port -> new JdkFileClient(HOST, port, HttpProtocol.HTTP_1_1, true))
        .withFlags(tunedFlags(HttpProtocol.HTTP_1_1));
  }

  /** Flags of the JVM of java.net.http as fast as it gets. */
  static List<String> tunedFlags(HttpProtocol protocol) {
    return protocol == HttpProtocol.H2C
        ? List.of(JdkFileClient.TUNED_FLAG, JdkFileClient.TUNED_HTTP2_FLAG)
        : List.of(JdkFileClient.TUNED_FLAG);
  }

  /** As {@link #FERRY_HTTP}. */
  static FileTransport ferryHttp(RowKey row) {
    return http(row, (port, tls) -> TransferClient.of(HttpFiles.connect(HOST, port, tls)));
  }

  /** As {@link #APACHE_TUNED}. */
  static FileTransport apacheTuned(RowKey row) {
    return http(row, (port, tls) -> new ApacheFileClient(HOST, port, true, jdk(tls)));
  }

  /** As {@link #NGINX_CURL}. */
  static FileTransport nginxCurl(RowKey row) {
    return nginx(port -> CurlClient.connect(HOST, port));
  }

  /** A client of nginx. */
  static FileTransport nginx(FileTransport.ClientStart client) {
    return new FileTransport(
            HTTP_1_1,
            (workplace, bufferSize, gzip) -> NginxServer.start(workplace.store(), gzip),
            client)
        .withGzip(new Codec("zlib in nginx", 1))
        .withForeign(
            () ->
                NginxServer.isInstalled()
                    ? Optional.empty()
                    : Optional.of(NginxServer.HOW_TO_INSTALL));
  }

  /** Makes a client of HTTP/1.1. */
  @FunctionalInterface
  private interface HttpClient {
    TransferClient connect(int port, @Nullable ClientTls tls);
  }

  /** A client of the strongest HTTP server there is, over HTTP/1.1, encrypted as the row says. */
  private static FileTransport http(RowKey row, HttpClient client) {
    RowTls tls = RowTls.of(row);
    return onFerry(HTTP_1_1, tls, (workplace, port) -> client.connect(port, tls.client(workplace)))
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }

  /** A client of that server over any protocol in plain text. */
  static FileTransport http(String protocol, IntFunction<TransferClient> client) {
    return onFerry(protocol, new RowTls(null), (workplace, port) -> client.apply(port));
  }

  private static FileTransport onFerry(
      String protocol, RowTls tls, FileTransport.PairedClientStart client) {
    return new FileTransport(
        protocol,
        (workplace, bufferSize, gzip) ->
            RowServer.of(
                HttpFiles.serve(store(workplace), HOST, 0, tls.settings(workplace), bufferSize)),
        client);
  }

  /** As {@link #HTTP_CLIENT_ON_ARMERIA}. */
  static FileTransport httpClientOnArmeria(RowKey row) {
    return armeria(HTTP_1_1, StockMethod.RENTED_ARRAY, FileTransports::jdkClient);
  }

  /** A client of Armeria's server, which treats chunks by a method. */
  static FileTransport armeria(
      String protocol, StockMethod method, FileTransport.ClientStart client) {
    return new FileTransport(
        protocol,
        (workplace, bufferSize, gzip) -> {
          LocalFileStore store = store(workplace);
          return ArmeriaServers.files(
              workplace.store(),
              HOST,
              workers -> method.service(store, Flow.DEFAULT, workers),
              StockMethod.gzip());
        },
        client);
  }

  /** The best method at both ends, with the JDK's gzip: users get the fastest there is. */
  static FileTransport zeroCopy(RowKey row) {
    return zeroCopy(row, GzipLibrary.JDK, CompressionCodec.GZIP_JDK)
        .withAnyCompression()
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }

  /** As {@link #ZERO_COPY_INTEL}. */
  static FileTransport zeroCopyIntel(RowKey row) {
    // The row does not run where another one is the fastest.
    return zeroCopy(row, GzipLibrary.FASTEST, CompressionCodec.GZIP_INTEL);
  }

  private static FileTransport zeroCopy(RowKey row, GzipLibrary gzip, CompressionCodec codec) {
    RowTls tls = RowTls.of(row);
    return new FileTransport(
            tls.http2(),
            (workplace, bufferSize, compressed) ->
                RowServer.of(
                    GrpcFiles.serve(store(workplace), HOST, 0, tls.settings(workplace), gzip)),
            (workplace, port) ->
                TransferClient.of(GrpcFiles.connect(HOST, port, tls.client(workplace), null, gzip)))
        .withCodec(codec);
  }

  /** A method of grpc-java alone, at both ends. */
  static FileTransport stock(RowKey row, StockMethod method) {
    RowTls tls = RowTls.of(row);
    return new FileTransport(
            tls.http2(),
            (workplace, bufferSize, gzip) ->
                StockServer.files(
                    method, StockMethod.gzip(), store(workplace), HOST, tls.server(workplace)),
            (workplace, port) ->
                StockFilesClient.connect(method, HOST, port, tls.client(workplace)))
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }

  /** A service and a {@code .proto} of the user's own. */
  static FileTransport ownService(RowKey row, OwnMethod method) {
    RowTls tls = RowTls.of(row);
    return new FileTransport(
            tls.http2(),
            (workplace, bufferSize, gzip) ->
                method.serve(workplace.store(), HOST, tls.server(workplace)),
            (workplace, port) -> method.connect(HOST, port, tls.client(workplace)))
        .withObstacle(() -> ProviderParameter.obstacle(row));
  }

  /** grpc-java as most people write it. */
  static FileTransport grpcDefault(RowKey row) {
    return stock(row, StockMethod.DEFAULT);
  }
}
