package dev.ferry.zerocopy;

import static dev.ferry.zerocopy.BlobCalls.SIZE;
import static dev.ferry.zerocopy.BlobCalls.messages;
import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryBuilder;
import com.linecorp.armeria.client.grpc.GrpcClientBuilder;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.ferry.zerocopy.CopyCounters.Snapshot;
import example.blobs.BlobStoreGrpc.BlobStoreStub;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A converted end, and at the other one every gRPC of Java: with generated code alone, and
 * converted on transports that know nothing of a hand-off. The example of the documentation has
 * peers in other languages. A thorough build has each on every kind of connection; any other build
 * has each in plain text, and one compressed over TLS.
 */
@Timeout(300)
class PeersTest {
  private static final int CHUNK = 20_000;

  /** What is at the other end. */
  private enum Peer {
    GRPC_JAVA(false),
    OKHTTP(false),
    OKHTTP_CONVERTED(true),
    ARMERIA(false),
    ARMERIA_CONVERTED(true),
    ZERO_COPY(true);

    final boolean converted;

    Peer(boolean converted) {
      this.converted = converted;
    }
  }

  /** How messages go from one to the other. */
  private enum Wire {
    PLAIN(false, false),
    GZIP(false, true),
    TLS(true, false),
    TLS_GZIP(true, true);

    final boolean tls;
    final boolean gzip;

    Wire(boolean tls, boolean gzip) {
      this.tls = tls;
      this.gzip = gzip;
    }
  }

  private record Serving(int port, AutoCloseable stop) {}

  private record Connected(Channel channel, AutoCloseable stop) {}

  private static @Nullable X509Bundle certificate;

  @TempDir Path folder;
  private BlobServer blobs;
  private BlobCalls calls;

  @BeforeEach
  void makeFile() throws Exception {
    blobs = new BlobServer(folder);
    calls = new BlobCalls(folder);
  }

  @AfterEach
  void countBuffers() throws InterruptedException {
    BlobCalls.assertReleased(calls.pool, blobs.pool);
  }

  private static Stream<Arguments> peersAndWires() {
    boolean thorough = Boolean.getBoolean("ferry.thorough");
    return Arrays.stream(Peer.values())
        .flatMap(
            peer ->
                Arrays.stream(Wire.values())
                    .filter(
                        wire ->
                            thorough
                                || wire == Wire.PLAIN
                                || (wire == Wire.TLS_GZIP && peer == Peer.ARMERIA_CONVERTED))
                    .map(wire -> Arguments.of(peer, wire)));
  }

  @ParameterizedTest
  @MethodSource("peersAndWires")
  void peer_atTheServer_isReadAndWritten(Peer peer, Wire wire) throws Exception {
    useBoth(peer, Peer.ZERO_COPY, wire);
    assertOnlyCodecsCopied(calls.data.copies().snapshot(), wire);
  }

  @ParameterizedTest
  @MethodSource("peersAndWires")
  void peer_atTheClient_readsAndWrites(Peer peer, Wire wire) throws Exception {
    useBoth(Peer.ZERO_COPY, peer, wire);
    assertOnlyCodecsCopied(blobs.data.copies().snapshot(), wire);
  }

  private void assertOnlyCodecsCopied(Snapshot copies, Wire wire) {
    assertThat(copies.viewed() + copies.copiedIn()).isEqualTo(messages(CHUNK));
    if (wire.gzip) {
      assertThat(copies.copiedOut()).isEqualTo(messages(CHUNK));
      assertThat(copies.viewed()).isZero();
    } else {
      assertThat(copies.handedOff()).isEqualTo(messages(CHUNK));
      assertThat(copies.copiedOut()).isZero();
      // Frames of another end may be so small that grpc-java merges them.
      assertThat(copies.viewed()).isGreaterThan(messages(CHUNK) / 2);
    }
  }

  private void useBoth(Peer server, Peer client, Wire wire) throws Exception {
    Serving serving = serve(server, wire);
    try {
      Connected connected = connect(client, serving.port(), wire);
      try {
        Channel channel = connected.channel();
        CallOptions options =
            wire.gzip ? CallOptions.DEFAULT.withCompression("gzip") : CallOptions.DEFAULT;
        assertThat(
                client.converted
                    ? calls.read(channel, CHUNK, options)
                    : calls.stockRead(channel, CHUNK, options))
            .isEqualTo(calls.content);
        assertThat(
                client.converted
                    ? calls.write(channel, CHUNK, options)
                    : calls.stockWrite(channel, CHUNK, options))
            .isEqualTo(SIZE);
        assertThat(folder.resolve("written")).binaryContent().isEqualTo(calls.content);
      } finally {
        connected.stop().close();
      }
    } finally {
      serving.stop().close();
    }
  }

  private Serving serve(Peer peer, Wire wire) throws Exception {
    ServerServiceDefinition plain = peer.converted ? blobs.converted() : blobs.bindService();
    ServerServiceDefinition service =
        wire.gzip ? ServerInterceptors.intercept(plain, new Compressing()) : plain;
    InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
    return switch (peer) {
      case ARMERIA, ARMERIA_CONVERTED -> {
        ServerBuilder builder =
            com.linecorp.armeria.server.Server.builder()
                .requestTimeout(Duration.ZERO)
                .maxRequestLength(0)
                .service(
                    GrpcService.builder()
                        .addService(service)
                        .useBlockingTaskExecutor(true)
                        .build());
        com.linecorp.armeria.server.Server server =
            (wire.tls
                    ? builder.https(address).tls(certificate().toKeyManagerFactory())
                    : builder.http(address))
                .build();
        server.start().join();
        yield new Serving(server.activeLocalPort(), () -> server.stop().join());
      }
      case OKHTTP, OKHTTP_CONVERTED ->
          started(OkHttpServerBuilder.forPort(address, credentials(wire)).addService(service));
      case GRPC_JAVA ->
          started(NettyServerBuilder.forAddress(address, credentials(wire)).addService(service));
      case ZERO_COPY ->
          started(
              ZeroCopy.server(NettyServerBuilder.forAddress(address, credentials(wire)), blobs.pool)
                  .addService(service));
    };
  }

  private static Serving started(io.grpc.ServerBuilder<?> builder) throws Exception {
    Server server = builder.build().start();
    return new Serving(
        server.getPort(),
        () -> assertThat(server.shutdownNow().awaitTermination(1, TimeUnit.MINUTES)).isTrue());
  }

  private static ServerCredentials credentials(Wire wire) throws Exception {
    return wire.tls
        ? TlsServerCredentials.newBuilder()
            .keyManager(certificate().toKeyManagerFactory().getKeyManagers())
            .build()
        : InsecureServerCredentials.create();
  }

  private Connected connect(Peer peer, int port, Wire wire) throws Exception {
    ChannelCredentials credentials =
        wire.tls
            ? TlsChannelCredentials.newBuilder()
                .trustManager(certificate().toTrustManager())
                .build()
            : InsecureChannelCredentials.create();
    return switch (peer) {
      case ARMERIA, ARMERIA_CONVERTED -> {
        X509Bundle trusted = wire.tls ? certificate() : null;
        ClientFactoryBuilder connections =
            ClientFactory.builder().connectTimeout(Duration.ofMinutes(2));
        if (trusted != null) {
          connections.tlsCustomizer(tls -> tls.trustManager(trusted.getCertificate()));
        }
        ClientFactory factory = connections.build();
        GrpcClientBuilder builder =
            GrpcClients.builder(
                    (wire.tls ? "gproto+https" : "gproto+http") + "://127.0.0.1:" + port)
                .factory(factory)
                .responseTimeout(Duration.ZERO)
                .maxResponseLength(0);
        yield new Connected(builder.build(BlobStoreStub.class).getChannel(), factory);
      }
      case OKHTTP, OKHTTP_CONVERTED ->
          opened(OkHttpChannelBuilder.forAddress("127.0.0.1", port, credentials));
      case GRPC_JAVA -> opened(NettyChannelBuilder.forAddress("127.0.0.1", port, credentials));
      case ZERO_COPY ->
          opened(
              ZeroCopy.client(
                  NettyChannelBuilder.forAddress("127.0.0.1", port, credentials), calls.pool));
    };
  }

  private static Connected opened(io.grpc.ManagedChannelBuilder<?> builder) {
    ManagedChannel channel = builder.build();
    return new Connected(
        channel,
        () -> assertThat(channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES)).isTrue());
  }

  private static synchronized X509Bundle certificate() throws Exception {
    X509Bundle made = certificate;
    if (made == null) {
      made =
          new CertificateBuilder()
              .subject("CN=test")
              .addSanIpAddress("127.0.0.1")
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      certificate = made;
    }
    return made;
  }

  /** Compresses what a server sends. */
  private record Compressing() implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      call.setCompression("gzip");
      return next.startCall(call, headers);
    }
  }
}
