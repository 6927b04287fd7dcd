package dev.ferry.suites.tls;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.net.ClientTls;
import dev.ferry.net.ServerTls;
import dev.ferry.net.TlsProvider;
import dev.ferry.net.internal.TlsContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/**
 * TLS on the loopback address: the server of a row writes a certificate to a folder that its client
 * knows. They may be in different processes.
 */
public final class LoopbackTls {
  private static final String FILE = "loopback-certificate.pem";
  private static final String ADDRESS = ServerHost.name();

  private final ClientTls trust;
  private final SSLContext jdk;
  private final SslContext grpc;

  private LoopbackTls(ClientTls trust) {
    this.trust = trust;
    jdk = TlsContexts.jdkClient(trust);
    grpc = TlsContexts.client(trust, TlsContexts.H2);
  }

  /** Makes a certificate, and leaves it in the folder. */
  public static ServerTls server(Path folder) throws IOException {
    try {
      X509Bundle bundle =
          new CertificateBuilder()
              .subject("CN=" + ADDRESS)
              .addSanIpAddress(ADDRESS)
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      Files.writeString(folder.resolve(FILE), bundle.getCertificatePathPEM());
      return new ServerTls(
          bundle.getKeyPair().getPrivate(), bundle.getCertificatePathList(), TlsProvider.fastest());
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      // The certificate builder declares it.
      throw new IOException("no certificate: " + Reason.of(e), e);
    }
  }

  /** Reads what a client needs from the folder of its server. */
  public static LoopbackTls client(Path folder) throws IOException {
    return new LoopbackTls(ClientTls.trusting(folder.resolve(FILE)));
  }

  /** For clients of the product. */
  public ClientTls trust() {
    return trust;
  }

  /** For clients of the JDK's sockets. */
  public SSLContext jdk() {
    return jdk;
  }

  /** For clients of gRPC on Netty. */
  public SslContext grpc() {
    return grpc;
  }
}
