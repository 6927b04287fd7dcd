package dev.ferry.suites.tls;

import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.ClientSsl;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

/**
 * TLS on the loopback address: the server of a row writes a certificate to a folder that its client
 * knows. They may be in different processes.
 *
 * @param trust for clients of the product
 * @param jdk for clients of the JDK's sockets
 * @param grpc for clients of gRPC on Netty
 * @param bare for clients without a protocol
 */
public record LoopbackTls(
    CertificateChecks checks, ClientTls trust, SSLContext jdk, SslContext grpc, SslContext bare) {
  private static final String FILE = "loopback-certificate.pem";
  private static final String ADDRESS = ServerHost.name();

  /** Makes a certificate, and leaves it in the folder. */
  public static ServerTls server(Path folder) throws IOException {
    try {
      X509Bundle bundle =
          new CertificateBuilder()
              .subject("CN=" + ADDRESS)
              .addSanIpAddress(ADDRESS)
              .setIsCertificateAuthority(true)
              .buildSelfSigned();
      Files.writeString(certificate(folder), bundle.getCertificatePathPEM());
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
    return client(folder, TlsProvider.fastest());
  }

  /** The same for clients that a provider encrypts for, if they are not of the JDK's sockets. */
  public static LoopbackTls client(Path folder, TlsProvider provider) throws IOException {
    CertificateChecks checks =
        new CertificateChecks(ClientTls.trusting(certificate(folder)).trust());
    ClientTls trust = new ClientTls(checks, provider);
    return new LoopbackTls(
        checks,
        trust,
        ClientSsl.trusting(checks).context(),
        NettyTls.client(trust),
        NettyTls.client(trust, BareTlsClient.PROTOCOL));
  }

  /** Where the server of a folder leaves its certificate, in PEM form. */
  public static Path certificate(Path folder) {
    return folder.resolve(FILE);
  }

  /** Returns how many full handshakes there were: one that resumes checks no certificate. */
  public long fullHandshakes() {
    return checks.count();
  }

  /** Forgets all sessions, so that the next handshake is a full one. */
  public void forgetSessions() {
    forget(jdk.getClientSessionContext());
    forget(grpc.sessionContext());
    forget(bare.sessionContext());
  }

  private static void forget(SSLSessionContext sessions) {
    for (byte[] id : Collections.list(sessions.getIds())) {
      SSLSession session = sessions.getSession(id);
      if (session != null) {
        session.invalidate();
      }
    }
  }
}
