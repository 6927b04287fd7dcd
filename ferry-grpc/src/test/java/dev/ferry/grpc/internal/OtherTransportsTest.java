package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.message.HandOffCounters.Snapshot;
import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.net.RequestListener;
import dev.ferry.net.internal.CallerStores;
import dev.ferry.net.internal.DiskWorkers;
import dev.ferry.net.internal.Refusals;
import dev.ferry.net.internal.Requests;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every method over transports it was not made for: it copies where it must, and is right. */
class OtherTransportsTest {
  private static final int CHUNK = 65536;
  private static final int CHUNKS = 50;
  private static final int CLIENTS = 32;
  private static final long MEBIBYTE = 1024 * 1024;

  private final ExecutorService blocking = DiskWorkers.start("test");
  private final EventLoops loops = new EventLoops("test", 2);
  @TempDir Path temporary;
  private Path root = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void makeFile() throws Exception {
    root = Files.createDirectory(temporary.resolve("store"));
    byte[] bytes = new byte[CHUNK * CHUNKS];
    new Random(1).nextBytes(bytes);
    file = Files.write(root.resolve("file"), bytes);
  }

  @AfterEach
  void stop() {
    loops.close();
    blocking.shutdownNow();
  }

  private <M> Transfer roundTrip(MethodSetup<M> setup, ManagedChannel channel) throws Exception {
    FileCalls<M> calls = new FileCalls<>(channel, setup, blocking, true);
    TransferOptions options = TransferOptions.DEFAULT.withChunkSize(CHUNK);
    Path target = temporary.resolve("target");
    calls.download(
        StorePath.parse("file"), facts -> LocalFileSink.create(target, options.sink()), options);
    assertThat(Files.mismatch(file, target)).isEqualTo(-1);
    Transfer upload = calls.upload(target, StorePath.parse("back"), null, options);
    assertThat(Files.mismatch(file, root.resolve("back"))).isEqualTo(-1);
    return upload;
  }

  private CallerStores openStores() throws Exception {
    return new CallerStores(LocalFileStore.open(root), null, new Refusals());
  }

  private <M> void inProcess(MethodSetup<M> setup) throws Exception {
    Server server =
        InProcessServerBuilder.forName("files")
            .addService(
                new FilesService<>(
                        openStores(),
                        setup,
                        blocking,
                        new Refusals(),
                        new Requests(RequestListener.NONE))
                    .bind())
            .build()
            .start();
    ManagedChannel channel = InProcessChannelBuilder.forName("files").build();
    try {
      roundTrip(setup, channel);
    } finally {
      channel.shutdownNow();
      server.shutdownNow().awaitTermination();
    }
  }

  @Test
  void inProcess_everyMethod_arrivesWhole() throws Exception {
    for (Method method : Method.values()) {
      inProcess(MethodSetup.of(method));
    }
  }

  @Test
  void inProcess_zeroCopy_countsCopies() throws Exception {
    MethodSetup<?> setup = MethodSetup.of(Method.ZERO_COPY);
    inProcess(setup);
    assertThat(setup.counters().snapshot())
        .isEqualTo(new Snapshot(0, 2 * CHUNKS, 0, 0, 2 * CHUNKS));
  }

  @Test
  void tls_everyMethod_arrivesWholeOverH2() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    File chain = certificate.toTempCertChainPem();
    File key = certificate.toTempPrivateKeyPem();
    for (Method method : Method.values()) {
      assertThat(overTls(MethodSetup.of(method), chain, key).protocol()).isEqualTo("h2");
    }
  }

  @Test
  void okHttp_everyMethod_saysWhatWasNegotiatedAndCounts() throws Exception {
    StorePath copy = StorePath.parse("copy");
    Files.writeString(file, "a line of text\n".repeat(CHUNK));
    for (Method method : Method.values()) {
      try (GrpcFilesServer server =
              GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, method);
          GrpcCarrier client =
              GrpcCarrier.connectBy(
                  OkHttpChannelBuilder.forAddress("127.0.0.1", server.port()), method)) {
        for (boolean gzip : new boolean[] {false, true}) {
          TransferOptions options = TransferOptions.DEFAULT.withChunkSize(CHUNK).withGzip(gzip);
          Transfer up = client.upload(file, copy, options);
          Transfer down = client.download(copy, temporary.resolve("down"), options);
          for (Transfer transfer : List.of(up, down)) {
            assertThat(transfer.protocol()).isEqualTo("h2c");
            assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
            assertThat(transfer.wireBytes() < Files.size(file)).isEqualTo(gzip);
          }
        }
        assertThat(client.counters().snapshot().handedOff()).as("hand-offs").isZero();
      }
    }
  }

  /** The threads of OkHttp outlive a client, and must not keep its memory. */
  @Test
  void okHttp_manyClients_leaveLittleMemory() throws Exception {
    TransferOptions options = TransferOptions.DEFAULT.withChunkSize(CHUNK);
    try (GrpcFilesServer server =
        GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, Method.ZERO_COPY)) {
      long before = directMemory();
      for (int i = 0; i < CLIENTS; i++) {
        try (GrpcCarrier client =
            GrpcCarrier.connectBy(
                OkHttpChannelBuilder.forAddress("127.0.0.1", server.port()), Method.ZERO_COPY)) {
          client.upload(file, StorePath.parse("copy"), options);
        }
      }
      assertThat(directMemory() - before).isLessThan(CLIENTS * MEBIBYTE);
    }
  }

  private static long directMemory() {
    System.gc();
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private <M> Transfer overTls(MethodSetup<M> setup, File chain, File key) throws Exception {
    Server server =
        setup
            .transport()
            .listen(new InetSocketAddress("localhost", 0), loops, loops)
            .useTransportSecurity(chain, key)
            .addService(
                new FilesService<>(
                        openStores(),
                        setup,
                        blocking,
                        new Refusals(),
                        new Requests(RequestListener.NONE))
                    .bind())
            .build()
            .start();
    ManagedChannel channel =
        setup
            .transport()
            .connect("localhost", server.getPort(), loops)
            .useTransportSecurity()
            .sslContext(GrpcSslContexts.forClient().trustManager(chain).build())
            .build();
    try {
      return roundTrip(setup, channel);
    } finally {
      channel.shutdownNow();
      server.shutdownNow().awaitTermination();
    }
  }
}
