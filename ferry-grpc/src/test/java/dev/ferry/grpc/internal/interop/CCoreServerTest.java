package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Compression;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.GrpcFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Ferry client, with a server on the C core of gRPC. */
@EnabledIf(
    value = "dev.ferry.grpc.internal.interop.Python#isAvailable",
    disabledReason = Python.SKIPPED)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CCoreServerTest {
  private static final String CASES = "dev.ferry.grpc.internal.interop.Cases#all";

  private Path files;
  private PythonPeer server;
  private Carrier client;

  /** Where downloads go. */
  @TempDir Path target;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    server = Python.find().server(folder);
    files = folder;
    Cases.write(files);
    client = GrpcFiles.connect("127.0.0.1", server.port());
  }

  @AfterAll
  void stop() throws Exception {
    if (client != null) {
      client.close();
    }
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void download_toFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    Path copy = target.resolve("copy");
    Transfer transfer = client.download(StorePath.parse(file), copy, Cases.options(chunk, gzip));
    Cases.assertArrived(files.resolve(file), copy);
    assertThat(transfer.facts().sha256()).isEqualTo(Sha256.ofFile(files.resolve(file)));
    assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
  }

  @ParameterizedTest(name = "{0} in {1}, gzip {2}")
  @MethodSource(CASES)
  void upload_fromFerry_arrivesWhole(String file, int chunk, boolean gzip) throws Exception {
    Path source = files.resolve(file);
    Transfer transfer = client.upload(source, StorePath.parse("copy"), Cases.options(chunk, gzip));
    Cases.assertArrived(source, files.resolve("copy"));
    assertThat(transfer.facts().sha256()).isEqualTo(Sha256.ofFile(source));
    assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
  }

  @Test
  void gzip_ofText_isSmallerOnTheWire() throws Exception {
    Path text = files.resolve(Cases.TEXT);
    TransferOptions options = Cases.options(65536, true);
    assertThat(
            client
                .download(StorePath.parse(Cases.TEXT), target.resolve("copy"), options)
                .wireBytes())
        .isLessThan(Files.size(text) / 2);
    assertThat(client.upload(text, StorePath.parse("copy"), options).wireBytes())
        .isLessThan(Files.size(text) / 2);
  }

  @Test
  void zstd_withAPeerThatHasNone_isGzip() throws Exception {
    Path text = files.resolve(Cases.TEXT);
    TransferOptions options =
        Cases.options(65536, false).withCompression(new Compression(Compression.Format.ZSTD, 3));
    Path copy = target.resolve("copy");
    assertThat(client.download(StorePath.parse(Cases.TEXT), copy, options).encoding())
        .isEqualTo("gzip");
    Cases.assertArrived(text, copy);
    assertThat(client.upload(text, StorePath.parse("copy"), options).encoding()).isEqualTo("gzip");
    Cases.assertArrived(text, files.resolve("copy"));
  }

  @Test
  void stat_ofAFile_hasSizeAndDigest() throws Exception {
    Path text = files.resolve(Cases.TEXT);
    var facts =
        client.stat(StorePath.parse(Cases.TEXT), Digest.Algorithm.SHA256, CallLimits.DEFAULT);
    assertThat(facts.size()).isEqualTo(Files.size(text));
    assertThat(facts.sha256()).isEqualTo(Sha256.ofFile(text));
  }

  @Test
  void download_ofNoFile_failsAndLeavesNothing() {
    Path copy = target.resolve("copy");
    assertThatThrownBy(
            () -> client.download(StorePath.parse("none"), copy, Cases.options(1000, true)))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));
    assertThat(target).isEmptyDirectory();
  }
}
