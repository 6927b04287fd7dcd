package dev.ferry.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.arrow.flight.AsyncPutListener;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;
import org.apache.arrow.flight.Location;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ends in this process; their allocators fail to close where a buffer is not released. */
final class FlightTransferTest {
  private static final String HOST = "127.0.0.1";
  private static final int BATCH = 65_536;
  private static final TransferOptions OPTIONS =
      TransferOptions.DEFAULT.withChunkSize(BATCH).withVerify(false);

  @TempDir Path folder;

  private Path store() throws IOException {
    return Files.createDirectories(folder.resolve("store"));
  }

  private FlightFilesServer server(FlightMethod method) throws IOException {
    return FlightFilesServer.start(LocalFileStore.open(store()), HOST, method, BATCH);
  }

  @ParameterizedTest
  @CsvSource({
    "DEFAULT,0",
    "DEFAULT,65537",
    "DEFAULT,3000000",
    "TUNED,0",
    "TUNED,1",
    "TUNED,65536",
    "TUNED,65537",
    "TUNED,12000000"
  })
  void transfer_anySize_arrivesWholeBothWays(FlightMethod method, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(18).nextBytes(bytes);
    Path source = Files.write(folder.resolve("source"), bytes);
    Path target = folder.resolve("target");

    try (FlightFilesServer server = server(method);
        FlightFilesClient client = FlightFilesClient.connect(HOST, server.port(), method)) {
      Transfer up = client.upload(source, StorePath.parse("file"), OPTIONS);
      Transfer down = client.download(StorePath.parse("file"), target, OPTIONS);

      for (Transfer transfer : List.of(up, down)) {
        assertThat(transfer.facts().size()).isEqualTo(size);
        assertThat(transfer.wireBytes()).isEqualTo(size);
        assertThat(transfer.protocol()).isEqualTo("h2c");
        assertThat(transfer.encoding()).isEqualTo("identity");
      }
    }
    assertThat(store().resolve("file")).binaryContent().isEqualTo(bytes);
    assertThat(target).binaryContent().isEqualTo(bytes);
    assertThat(names(store())).containsExactly("file");
    assertThat(names(folder)).containsExactlyInAnyOrder("source", "store", "target");
  }

  @ParameterizedTest
  @EnumSource
  void download_missingFile_isNotFoundAndLeavesNothing(FlightMethod method) throws IOException {
    try (FlightFilesServer server = server(method);
        FlightFilesClient client = FlightFilesClient.connect(HOST, server.port(), method)) {
      FerryException missing =
          catchThrowableOfType(
              FerryException.class,
              () -> client.download(new StorePath("no"), folder.resolve("new"), OPTIONS));

      assertThat(missing.kind()).isEqualTo(ErrorKind.NOT_FOUND);
      assertThat(missing).hasMessage("no: no such file");
    }
    assertThat(names(folder)).containsExactly("store");
  }

  @ParameterizedTest
  @EnumSource
  void upload_refused_saysWhyAndLeavesNothing(FlightMethod method) throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_000]);
    Files.createDirectory(store().resolve("dir"));

    try (FlightFilesServer server = server(method);
        FlightFilesClient client = FlightFilesClient.connect(HOST, server.port(), method)) {
      FerryException isDirectory =
          catchThrowableOfType(
              FerryException.class, () -> client.upload(source, new StorePath("dir"), OPTIONS));
      FerryException outside =
          catchThrowableOfType(
              FerryException.class, () -> client.upload(source, new StorePath("../x"), OPTIONS));

      assertThat(isDirectory.kind()).isEqualTo(ErrorKind.ALREADY_EXISTS);
      assertThat(outside.kind()).isEqualTo(ErrorKind.INVALID_REQUEST);
    }
    assertThat(names(store())).containsExactly("dir");
    assertThat(names(folder)).containsExactlyInAnyOrder("source", "store");
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofAnotherColumn_isRefusedAndLeavesNothing(FlightMethod method) throws Exception {
    try (FlightFilesServer server = server(method);
        BufferAllocator allocator = new RootAllocator();
        FlightClient client =
            FlightClient.builder(allocator, Location.forGrpcInsecure(HOST, server.port())).build();
        IntVector numbers = new IntVector("numbers", allocator);
        VectorSchemaRoot root = VectorSchemaRoot.of(numbers)) {
      AsyncPutListener results = new AsyncPutListener();
      FlightClient.ClientStreamListener stream =
          client.startPut(FlightDescriptor.path("file"), root, results);
      numbers.setSafe(0, 18);
      root.setRowCount(1);
      stream.putNext();
      stream.completed();

      FlightRuntimeException refused =
          catchThrowableOfType(FlightRuntimeException.class, stream::getResult);
      assertThat(refused.status().code()).isEqualTo(FlightStatusCode.INVALID_ARGUMENT);
      assertThat(refused).hasMessageContaining("a batch is no part of a file");
    }
    assertThat(names(store())).isEmpty();
  }

  @Test
  @Timeout(300)
  void upload_cancelledInTheMiddle_leavesNothing() throws Exception {
    try (FlightFilesServer server = server(FlightMethod.TUNED);
        BufferAllocator allocator = new RootAllocator();
        FlightClient client =
            FlightClient.builder(allocator, Location.forGrpcInsecure(HOST, server.port())).build();
        VectorSchemaRoot root = VectorSchemaRoot.create(FlightMethod.SCHEMA, allocator)) {
      AsyncPutListener results = new AsyncPutListener();
      FlightClient.ClientStreamListener stream =
          client.startPut(FlightDescriptor.path("file"), root, results);
      ((VarBinaryVector) root.getVector(0)).setSafe(0, new byte[BATCH]);
      root.setRowCount(1);
      stream.putNext();
      while (names(store()).isEmpty()) {
        Thread.onSpinWait();
      }
      stream.error(new IOException("the disk is gone"));

      FlightRuntimeException cancelled =
          catchThrowableOfType(FlightRuntimeException.class, stream::getResult);
      assertThat(cancelled.status().code()).isEqualTo(FlightStatusCode.CANCELLED);
    }
    assertThat(names(store())).isEmpty();
  }

  private static List<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(f -> String.valueOf(f.getFileName())).toList();
    }
  }
}
