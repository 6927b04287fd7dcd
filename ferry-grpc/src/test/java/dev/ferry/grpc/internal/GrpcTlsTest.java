package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.message.ChunkCounters.Snapshot;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.TlsContract;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** gRPC over TLS, by each provider at both ends. */
@ParameterizedClass
@EnumSource
class GrpcTlsTest extends TlsContract {
  private static final String HOST = "127.0.0.1";
  private static final String CIPHER = "TLS_AES_128_GCM_SHA256";

  @Parameter
  @SuppressWarnings("NullAway.Init") // JUnit sets it.
  private TlsProvider provider;

  @TempDir Path root;

  private GrpcFilesServer serve(ServerSettings settings) throws FerryException {
    return serve(LocalFileStore.open(root), settings);
  }

  private ServerSettings settings() {
    return with(TestCertificates.loopback());
  }

  @Override
  protected GrpcFilesServer serve(FileStore store, ServerSettings settings) throws FerryException {
    return GrpcFilesServer.start(store, HOST, 0, settings);
  }

  @Override
  protected GrpcCarrier connect(int port, @Nullable ClientTls tls) {
    return GrpcCarrier.connect(HOST, port, GrpcSetup.ofClient(), tls, null);
  }

  @Override
  protected TlsProvider provider() {
    return provider;
  }

  @Override
  protected String protocol() {
    return "h2";
  }

  /** A client that speaks HTTP/2 if it speaks at all. */
  private static SSLSocket socket(int port, String... versions) throws IOException {
    SSLContext context = JdkTls.client(TestCertificates.client());
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(HOST, port);
    SSLParameters parameters = JdkTls.parameters(context);
    parameters.setApplicationProtocols(new String[] {TlsContexts.H2});
    parameters.setProtocols(versions);
    socket.setSSLParameters(parameters);
    return socket;
  }

  @Test
  void provider_onThisMachine_isAvailable() {
    // All that measures and tests TLS has both.
    assertThat(provider.isAvailable()).isTrue();
  }

  @Test
  void handshake_withEachProvider_choosesTheSame() throws Exception {
    try (GrpcFilesServer server = serve(settings());
        SSLSocket socket = socket(server.port(), "TLSv1.3", "TLSv1.2")) {
      socket.startHandshake();
      assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.3");
      assertThat(socket.getSession().getCipherSuite()).isEqualTo(CIPHER);
      assertThat(TlsContexts.client(trusting(), TlsContexts.H2).cipherSuites()).startsWith(CIPHER);
      assertThat(socket.getApplicationProtocol()).isEqualTo("h2");
    }
  }

  @Test
  void handshake_ofAnOlderVersion_isRefused() throws Exception {
    try (GrpcFilesServer server = serve(settings());
        SSLSocket socket = socket(server.port(), "TLSv1.2")) {
      assertThatThrownBy(socket::startHandshake).isInstanceOf(IOException.class);
    }
  }

  @Test
  void handshake_ofAnOlderVersionThatIsAllowed_takesIt() throws Exception {
    ServerTls tls =
        TestCertificates.server(TestCertificates.loopback()).withProvider(provider).withTls12(true);
    try (GrpcFilesServer server = serve(ServerSettings.defaults().withTls(tls));
        SSLSocket older = socket(server.port(), "TLSv1.2");
        SSLSocket both = socket(server.port(), "TLSv1.3", "TLSv1.2")) {
      older.startHandshake();
      assertThat(older.getSession().getProtocol()).isEqualTo("TLSv1.2");
      assertThat(older.getSession().getCipherSuite()).startsWith("TLS_ECDHE_").contains("_GCM_");
      assertThat(older.getApplicationProtocol()).isEqualTo("h2");
      both.startHandshake();
      assertThat(both.getSession().getProtocol()).isEqualTo("TLSv1.3");
      assertThat(both.getSession().getCipherSuite()).isEqualTo(CIPHER);
    }
  }

  @Test
  void transfers_overTls_handEveryChunkOff() throws Exception {
    Path file = Files.write(root.resolve("file"), new byte[3 << 20]);
    StorePath path = StorePath.parse("file");
    TransferOptions options = TransferOptions.DEFAULT.withChunkSize(65536);
    try (GrpcFilesServer server = serve(settings());
        GrpcCarrier client = connect(server.port(), trusting())) {
      client.download(path, root.resolve("target"), options);
      client.upload(file, StorePath.parse("back"), options);
      assertHandedOff(server.counters().snapshot());
      assertHandedOff(client.counters().snapshot());
    }
  }

  private static void assertHandedOff(Snapshot counts) {
    assertThat(counts.handedOff()).isPositive();
    assertThat(counts.copiedOut() + counts.copiedIn()).isZero();
  }

  @Test
  @Timeout(300)
  void silence_inEachHandshake_endsTheConnection() throws Exception {
    Duration timeout = Duration.ofMillis(300);
    while (!endsSilence(timeout)) {
      timeout = timeout.multipliedBy(2);
    }
  }

  /** Returns false if TLS took longer than the time that the server gives it. */
  private boolean endsSilence(Duration timeout) throws Exception {
    ServerSettings settings = settings().withHandshakeTimeout(timeout);
    try (GrpcFilesServer server = serve(settings);
        Socket silent = new Socket(HOST, server.port());
        SSLSocket silentOverTls = socket(server.port(), "TLSv1.3")) {
      try {
        silentOverTls.startHandshake();
      } catch (IOException e) {
        return false;
      }
      // The server sends its SETTINGS, and then ends the connection.
      silentOverTls.getInputStream().readAllBytes();
      assertThat(silent.getInputStream().read()).isNegative();
      assertThat(server.refused().of(Refusals.Reason.NO_HANDSHAKE)).isEqualTo(2);
      while (settings.connections().open() > 0) {
        // The connection is counted until the server has seen its end.
        Thread.sleep(1);
      }
      return true;
    }
  }
}
