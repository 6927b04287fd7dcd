package dev.ferry.wire.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileServer;
import dev.ferry.core.FileStore;
import dev.ferry.core.Outage;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every carrier does over TLS, or if only one end speaks it. */
@Timeout(300)
public abstract class TlsContract {
  /** Too large for all buffers between a file and a client that does not read. */
  private static final long BIG = 16L << 20;

  private static final String OTHER_PIN = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  @TempDir Path temporary;

  /** Starts a server on 127.0.0.1. */
  protected abstract FileServer serve(FileStore store, ServerSettings settings) throws Exception;

  /**
   * Makes a client of a server on 127.0.0.1.
   *
   * @param tls null for plain text
   */
  protected abstract Carrier connect(int port, @Nullable ClientTls tls);

  /** What encrypts. */
  protected abstract TlsProvider provider();

  /** The protocol of the client over TLS. */
  protected abstract String protocol();

  /** Settings of a server with a certificate. */
  protected final ServerSettings with(X509Bundle certificate) {
    return with(TestCertificates.server(certificate));
  }

  private ServerSettings with(ServerTls tls) {
    return ServerSettings.defaults().withTls(tls.withProvider(provider()));
  }

  /** A client that trusts the certificates of the tests. */
  protected final ClientTls trusting() {
    return TestCertificates.client().withProvider(provider());
  }

  private FerryException failure(ServerSettings settings, @Nullable ClientTls tls)
      throws Exception {
    try (FileServer server = serve(LocalFileStore.open(temporary), settings);
        Carrier carrier = connect(server.port(), tls)) {
      FerryException failure =
          catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
      assertThat(failure.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      assertThat(failure.getMessage()).contains("127.0.0.1:" + server.port());
      return failure;
    }
  }

  @Test
  void transfers_overTls_arriveWhole() throws Exception {
    Path store = Files.createDirectory(temporary.resolve("store"));
    byte[] bytes = new byte[1_000_000];
    new Random(1).nextBytes(bytes);
    Path source = Files.write(temporary.resolve("source"), bytes);
    Path target = temporary.resolve("target");
    StorePath path = StorePath.parse("file");
    try (FileServer server = serve(LocalFileStore.open(store), with(TestCertificates.loopback()));
        Carrier carrier = connect(server.port(), trusting())) {
      for (boolean gzip : new boolean[] {false, true}) {
        TransferOptions options = TransferOptions.DEFAULT.withGzip(gzip);
        assertThat(carrier.upload(source, path, options).protocol()).isEqualTo(protocol());
        assertThat(carrier.download(path, target, options).protocol()).isEqualTo(protocol());
        assertThat(Files.mismatch(source, target)).isEqualTo(-1);
      }
    }
  }

  @Test
  void certificate_thatIsNotTrusted_isNamed() throws Exception {
    FerryException failure =
        failure(
            with(TestCertificates.loopback()), ClientTls.trustingJdk().withProvider(provider()));
    assertThat(failure.outage()).isEqualTo(Outage.UNTRUSTED);
    assertThat(failure).hasMessageContaining(" has a certificate that is not trusted");
  }

  @Test
  void certificate_ofAnotherHost_isNamedWithItsNames() throws Exception {
    FerryException failure = failure(with(TestCertificates.otherHost()), trusting());
    assertThat(failure.outage()).isEqualTo(Outage.UNTRUSTED);
    assertThat(failure)
        .hasMessageEndingWith(" has a certificate for other.example, not for this host");
  }

  @Test
  void certificate_thatHasExpired_isNamed() throws Exception {
    FerryException failure = failure(with(TestCertificates.expired()), trusting());
    assertThat(failure.outage()).isEqualTo(Outage.UNTRUSTED);
    assertThat(failure).hasMessageContaining(" has an expired certificate");
  }

  @Test
  void key_thatIsPinned_isTrustedWhateverItsCertificateSays() throws Exception {
    for (X509Bundle certificate :
        List.of(TestCertificates.otherHost(), TestCertificates.expired())) {
      ClientTls pinning =
          ClientTls.pinning(List.of(OTHER_PIN, ClientTls.pin(certificate.getCertificate())))
              .withProvider(provider());
      try (FileServer server = serve(LocalFileStore.open(temporary), with(certificate));
          Carrier carrier = connect(server.port(), pinning)) {
        assertThat(carrier.list(StorePath.ROOT)).isEmpty();
      }
    }
  }

  @Test
  void key_thatIsNotPinned_isNamed() throws Exception {
    X509Bundle certificate = TestCertificates.loopback();
    FerryException failure =
        failure(with(certificate), ClientTls.pinning(List.of(OTHER_PIN)).withProvider(provider()));
    assertThat(failure.outage()).isEqualTo(Outage.UNTRUSTED);
    assertThat(failure)
        .hasMessageEndingWith(
            " has the key "
                + ClientTls.pin(certificate.getCertificate())
                + ", which is not pinned");
  }

  @Test
  void clientCertificate_ofACaller_isItsToken() throws Exception {
    Path file = temporary.resolve("callers");
    CallersFile.addCertificate(file, "build", "dns:build.example", List.of("all:/"));
    CallersFile.addCertificate(file, "other", "uri:urn:other", List.of("all:/"));
    ServerSettings settings =
        with(TestCertificates.server(TestCertificates.loopback())
                .withClientIssuers(TestCertificates.issuers()))
            .withCallers(CallersFile.open(file));
    try (FileServer server = serve(LocalFileStore.open(temporary), settings)) {
      ClientTls known =
          TestCertificates.client(TestCertificates.client("build.example", "urn:build"));
      // The second request is on the same connection; the second client may resume a session.
      for (int client = 0; client < 2; client++) {
        try (Carrier carrier = connect(server.port(), known.withProvider(provider()))) {
          assertThat(carrier.list(StorePath.ROOT)).hasSize(1);
          assertThat(carrier.list(StorePath.ROOT)).hasSize(1);
        }
      }
      assertRefused(server.port(), TestCertificates.client(), "requires a token");
      for (X509Bundle unknown :
          List.of(
              TestCertificates.client("xbuild.example", "urn:build"),
              // Of two callers, and so of none.
              TestCertificates.client("build.example", "urn:other"))) {
        assertRefused(
            server.port(),
            TestCertificates.client(unknown),
            "does not know the certificate of the client");
      }
      for (X509Bundle untrusted :
          List.of(TestCertificates.selfSigned(), TestCertificates.expired())) {
        try (Carrier carrier =
            connect(server.port(), TestCertificates.client(untrusted).withProvider(provider()))) {
          assertThat(catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT)))
              .extracting(FerryException::kind)
              // A client on the JDK sends no certificate of an issuer that the server does not
              // name.
              .isIn(ErrorKind.UNAVAILABLE, ErrorKind.UNAUTHENTICATED);
        }
      }
    }
  }

  private void assertRefused(int port, ClientTls tls, String message) throws Exception {
    try (Carrier carrier = connect(port, tls.withProvider(provider()))) {
      FerryException refusal =
          catchThrowableOfType(FerryException.class, () -> carrier.list(StorePath.ROOT));
      assertThat(refusal.kind()).isEqualTo(ErrorKind.UNAUTHENTICATED);
      assertThat(refusal).hasMessageContaining(message);
    }
  }

  @Test
  void tlsClient_ofAPlaintextServer_saysSo() throws Exception {
    FerryException failure = failure(ServerSettings.defaults(), trusting());
    assertThat(failure.outage()).isEqualTo(Outage.NO_TLS);
    assertThat(failure).hasMessageContaining(" does not speak TLS");
  }

  @Test
  void plaintextClient_ofATlsServer_fails() throws Exception {
    assertThat(failure(with(TestCertificates.loopback()), null).outage())
        .isIn(Outage.LOST, Outage.FOREIGN);
  }

  @Test
  void certificate_thatChanges_isThatOfNewConnections_andCutsNoTransfer() throws Exception {
    Path store = Files.createDirectory(temporary.resolve("store"));
    Path big = store.resolve("big");
    try (FileChannel file =
        FileChannel.open(big, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate(1), BIG - 1);
    }
    Path target = temporary.resolve("target");
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch changed = new CountDownLatch(1);
    TransferOptions options =
        TransferOptions.DEFAULT.withProgress(
            (done, total) -> {
              if (done > 0) {
                begun.countDown();
                awaitUninterruptibly(changed);
              }
            });
    X509Bundle next = TestCertificates.selfSigned();
    ClientTls trustingNext =
        ClientTls.trusting(List.of(next.getCertificate())).withProvider(provider());
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (FileServer server = serve(LocalFileStore.open(store), with(files()));
        Carrier early = connect(server.port(), trusting());
        Carrier late = connect(server.port(), trusting())) {
      try {
        Future<Transfer> download =
            executor.submit(() -> early.download(StorePath.parse("big"), target, options));
        begun.await();
        write(next);
        awaitTrusted(server.port(), trustingNext);
        assertThat(catchThrowableOfType(FerryException.class, () -> late.list(StorePath.ROOT)))
            .extracting(FerryException::outage)
            .isEqualTo(Outage.UNTRUSTED);
        assertThat(download).isNotDone();
        changed.countDown();
        assertThat(download.get().facts().size()).isEqualTo(BIG);
      } finally {
        changed.countDown();
        executor.shutdown();
      }
    }
    assertThat(Files.mismatch(big, target)).isEqualTo(-1);
  }

  private ServerTls files() throws IOException {
    write(TestCertificates.loopback());
    return ServerTls.load(temporary.resolve("cert.pem"), temporary.resolve("key.pem"));
  }

  private void write(X509Bundle certificate) throws IOException {
    Files.writeString(temporary.resolve("key.pem"), certificate.getPrivateKeyPEM());
    Files.writeString(temporary.resolve("cert.pem"), certificate.getCertificatePathPEM());
  }

  /** Waits until the server shows a certificate that a client trusts. */
  private void awaitTrusted(int port, ClientTls tls) throws InterruptedException {
    boolean trusted = false;
    while (!trusted) {
      try (Carrier carrier = connect(port, tls)) {
        carrier.list(StorePath.ROOT);
        trusted = true;
      } catch (FerryException e) {
        assertThat(e.outage()).isEqualTo(Outage.UNTRUSTED);
        Thread.sleep(100);
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
