package dev.ferry.suites.calls;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.ServerHost;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * TLS on the loopback address: the server of a row writes a certificate to a folder that its client
 * knows. They may be in different processes.
 */
final class LoopbackTls {
  private static final String FILE = "loopback-certificate.pem";
  private static final String ADDRESS = ServerHost.name();

  private final X509TrustManager trust;
  private final SSLContext jdk;
  private final SslContext grpc;

  private LoopbackTls(X509Certificate certificate) throws GeneralSecurityException, IOException {
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    anchors.load(null, null);
    anchors.setCertificateEntry("server", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    trust = (X509TrustManager) factory.getTrustManagers()[0];
    jdk = SSLContext.getInstance("TLS");
    jdk.init(null, factory.getTrustManagers(), null);
    grpc = GrpcSslContexts.forClient().trustManager(certificate).build();
  }

  /** The kind of server that a context is for. */
  enum Server {
    /** For gRPC, which negotiates HTTP/2. */
    GRPC,
    /** For HTTP/1.1. */
    HTTP
  }

  /** Makes a certificate, and leaves it in the folder. */
  static SslContext server(Server server, Path folder) throws IOException {
    try {
      X509Bundle bundle =
          new CertificateBuilder()
              .subject("CN=" + ADDRESS)
              .addSanIpAddress(ADDRESS)
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      Files.writeString(folder.resolve(FILE), bundle.getCertificatePathPEM());
      SslContextBuilder builder = SslContextBuilder.forServer(bundle.toKeyManagerFactory());
      return (server == Server.GRPC ? GrpcSslContexts.configure(builder) : builder).build();
    } catch (GeneralSecurityException e) {
      throw new IOException("no certificate: " + e.getMessage(), e);
    } catch (Exception e) {
      // The certificate builder declares it.
      throw new IOException("no certificate: " + Reason.of(e), e);
    }
  }

  /** Reads what a client needs from the folder of its server. */
  static LoopbackTls client(Path folder) throws IOException {
    try (InputStream in = Files.newInputStream(folder.resolve(FILE))) {
      return new LoopbackTls(
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in));
    } catch (GeneralSecurityException e) {
      throw new IOException("the server's certificate does not load: " + e.getMessage(), e);
    }
  }

  /** For clients of the JDK's sockets. */
  SSLContext jdk() {
    return jdk;
  }

  /** The trust manager for the JDK's sockets. */
  X509TrustManager trust() {
    return trust;
  }

  /** For clients of gRPC on Netty. */
  SslContext grpc() {
    return grpc;
  }
}
