package dev.ferry.suites.rival.grpcjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.lab.suite.RowServer;
import io.grpc.Codec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StockGrpcTest {
  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Path root;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private RowServer server;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private StockGrpcClient client;

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(folder.resolve("root"));
    server =
        StockServer.files(
            StockMethod.DEFAULT, new Codec.Gzip(), LocalFileStore.open(root), "127.0.0.1", null);
    client = StockGrpcClient.connect("127.0.0.1", server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"0,false", "1,false", "65536,false", "3000000,false", "0,true", "3000000,true"})
  void transfer_anySize_arrivesWholeAsPromised(int size, boolean gzip) throws IOException {
    byte[] bytes = "a line of text\n".repeat(size / 15 + 1).substring(0, size).getBytes();
    Path source = Files.write(folder.resolve("source"), bytes);
    Path target = folder.resolve("target");
    TransferOptions options =
        TransferOptions.DEFAULT.withChunkSize(65536).withGzip(gzip).withVerify(false);

    Transfer up = client.upload(source, StorePath.parse("file"), options);
    Transfer down = client.download(StorePath.parse("file"), target, options);

    assertThat(root.resolve("file")).binaryContent().isEqualTo(bytes);
    assertThat(target).binaryContent().isEqualTo(bytes);
    for (Transfer transfer : new Transfer[] {up, down}) {
      assertThat(transfer.facts().size()).isEqualTo(size);
      assertThat(transfer.protocol()).isEqualTo("h2c");
      if (size > 0) {
        assertThat(transfer.encoding()).isEqualTo(gzip ? "gzip" : "identity");
        assertThat(transfer.wireBytes() < size).isEqualTo(gzip);
      }
    }
  }

  @Test
  void transfer_missingFile_failsAndLeavesNothing() throws IOException {
    Path target = folder.resolve("new");
    FerryException missing =
        catchThrowableOfType(
            FerryException.class,
            () -> client.download(StorePath.parse("no"), target, TransferOptions.DEFAULT));
    assertThat(missing.kind()).isEqualTo(ErrorKind.NOT_FOUND);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(root);
    }
  }

  @Test
  void upload_overADirectory_failsAndLeavesNothing() throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    Files.createDirectory(root.resolve("dir"));
    FerryException refused =
        catchThrowableOfType(
            FerryException.class,
            () -> client.upload(source, StorePath.parse("dir"), TransferOptions.DEFAULT));
    assertThat(refused.kind()).isEqualTo(ErrorKind.ALREADY_EXISTS);
    try (Stream<Path> files = Files.list(root)) {
      assertThat(files).containsExactly(root.resolve("dir"));
    }
  }
}
