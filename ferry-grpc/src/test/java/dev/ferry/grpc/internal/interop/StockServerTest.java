package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.ferry.core.Background;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.Compression;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.interop.StockFiles.Compressing;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FileRange;
import dev.ferry.wire.internal.v1.FilesGrpc;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A Ferry client, with a server of the generated code on grpc-java's defaults. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StockServerTest {
  private static final String CASES = "dev.ferry.grpc.internal.interop.Cases#all";

  private final Map<Compressing, Server> servers = new EnumMap<>(Compressing.class);
  private final Map<Compressing, Carrier> clients = new EnumMap<>(Compressing.class);
  private Path files;
  @TempDir Path target;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    files = folder;
    Cases.write(files);
    for (Compressing compressing : Compressing.values()) {
      Server server =
          NettyServerBuilder.forPort(0)
              .addService(new StockFiles(files, compressing))
              .build()
              .start();
      servers.put(compressing, server);
      clients.put(compressing, GrpcFiles.connect("127.0.0.1", server.getPort()));
    }
  }

  @AfterAll
  void stop() throws Exception {
    clients.values().forEach(Carrier::close);
    for (Server server : servers.values()) {
      server.shutdownNow().awaitTermination();
    }
  }

  private Carrier client(Compressing compressing) {
    return Objects.requireNonNull(clients.get(compressing));
  }

  private Transfer download(Compressing compressing, String file, int chunk, boolean gzip)
      throws Exception {
    Path copy = target.resolve("copy");
    Transfer transfer =
        client(compressing).download(StorePath.parse(file), copy, Cases.options(chunk, gzip));
    Cases.assertArrived(files.resolve(file), copy);
    return transfer;
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void download_toFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    assertThat(download(Compressing.AS_REQUESTED, file, chunk, gzip).encoding())
        .isEqualTo(gzip ? "gzip" : "identity");
  }

  /** A server need not continue uploads. */
  @Test
  void upload_connectionLostToAServerThatContinuesNone_beginsAnew() throws Exception {
    Path file = TestFiles.write(target.resolve("file"), TestFiles.incompressible(3_000_000, 1));
    Files.write(files.resolve("anew"), new byte[] {1});
    int port = Objects.requireNonNull(servers.get(Compressing.NEVER)).getPort();
    try (TcpProxy proxy = new TcpProxy(port);
        Carrier first = GrpcFiles.connect("127.0.0.1", proxy.port())) {
      proxy.holdAfter(1_000_000);
      Background<Transfer> upload =
          Background.start(
              () ->
                  Objects.requireNonNull(
                      Upload.run(
                          Carriers.of(first, () -> GrpcFiles.connect("127.0.0.1", proxy.port())),
                          file,
                          StorePath.parse("anew"),
                          Cases.options(65536, false),
                          Retries.of(5, Duration.ZERO),
                          carrier -> CreateOptions.DEFAULT,
                          UploadIds.RANDOM)));
      proxy.awaitHeld();
      proxy.cut();

      assertThat(upload.result().facts().size()).isEqualTo(3_000_000);
    }
    assertThat(Files.mismatch(files.resolve("anew"), file)).isEqualTo(-1);
  }

  @Test
  void download_partThatNobodyRequested_isNotTheFile() throws Exception {
    Server server =
        NettyServerBuilder.forPort(0)
            .addService(
                new FilesGrpc.FilesImplBase() {
                  @Override
                  public void download(DownloadRequest request, StreamObserver<FilePart> call) {
                    call.onNext(
                        FilePart.newBuilder()
                            .setFacts(
                                FileFacts.newBuilder().setName("f").setSize(9).setVersion("1"))
                            .setRange(FileRange.newBuilder().setLength(4))
                            .build());
                    call.onNext(
                        FilePart.newBuilder().setChunk(ByteString.copyFromUtf8("part")).build());
                    call.onCompleted();
                  }
                })
            .build()
            .start();
    try (Carrier client = GrpcFiles.connect("127.0.0.1", server.getPort())) {
      assertThatThrownBy(
              () ->
                  client.download(
                      StorePath.parse("f"),
                      target.resolve("copy"),
                      TransferOptions.DEFAULT.withVerify(false)))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INCOMPLETE));
      assertThat(target).isEmptyDirectory();
    } finally {
      server.shutdownNow().awaitTermination();
    }
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void upload_fromFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    Path source = files.resolve(file);
    Transfer transfer =
        client(Compressing.AS_REQUESTED)
            .upload(source, StorePath.parse("copy"), Cases.options(chunk, gzip));
    Cases.assertArrived(source, files.resolve("copy"));
    assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
    assertThat(transfer.facts().size()).isEqualTo(Files.size(source));
  }

  private static void assertFails(ErrorKind kind, ThrowingCallable transfer) {
    assertThatThrownBy(transfer)
        .isInstanceOfSatisfying(FerryException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  @Test
  void transfer_toAServerThatComparesAnotherDigest_isRefused() throws Exception {
    Carrier client = client(Compressing.AS_REQUESTED);
    StorePath text = StorePath.parse(Cases.TEXT);
    Path copy = target.resolve("copy");

    assertFails(
        ErrorKind.INVALID_REQUEST, () -> client.download(text, copy, TransferOptions.DEFAULT));
    assertThat(target).isEmptyDirectory();
    assertFails(
        ErrorKind.INVALID_REQUEST,
        () ->
            client.upload(
                files.resolve(Cases.TEXT), StorePath.parse("sent"), TransferOptions.DEFAULT));
  }

  @Test
  void parallel_fromAServerThatSendsNoParts_isIncomplete() throws Exception {
    assertFails(
        ErrorKind.INCOMPLETE,
        () ->
            Download.run(
                Carriers.of(
                    client(Compressing.AS_REQUESTED),
                    () -> {
                      throw new AssertionError("one connection is enough");
                    }),
                3,
                StorePath.parse(Cases.TEXT),
                target.resolve("copy"),
                TransferOptions.DEFAULT,
                Retries.NONE));
    assertThat(target).isEmptyDirectory();
  }

  static Stream<Arguments> habits() {
    return Stream.of(Compressing.values())
        .flatMap(compressing -> Stream.of(1000, 65536).map(n -> Arguments.of(compressing, n)));
  }

  @ParameterizedTest
  @MethodSource("habits")
  void download_fromAServerThatCompressesAsItLikes_arrivesWhole(Compressing compressing, int chunk)
      throws Exception {
    download(compressing, Cases.MIXED, chunk, compressing != Compressing.ALWAYS);
  }

  @Test
  void zstd_withAPeerThatHasNone_isGzip() throws Exception {
    Path text = files.resolve(Cases.TEXT);
    TransferOptions options =
        Cases.options(65536, false).withCompression(new Compression(Compression.Format.ZSTD, 3));
    Carrier client = client(Compressing.AS_REQUESTED);
    Path copy = target.resolve("copy");
    assertThat(client.download(StorePath.parse(Cases.TEXT), copy, options).encoding())
        .isEqualTo("gzip");
    Cases.assertArrived(text, copy);
    assertThat(client.upload(text, StorePath.parse("copy"), options).encoding()).isEqualTo("gzip");
    Cases.assertArrived(text, files.resolve("copy"));
  }
}
