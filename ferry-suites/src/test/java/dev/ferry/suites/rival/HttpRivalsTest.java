package dev.ferry.suites.rival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.file.HttpRivals;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The HTTP clients of others, as they have rows; EveryRowTest has those over TLS. */
@Timeout(60)
final class HttpRivalsTest {
  private static final String HOST = "127.0.0.1";

  @TempDir static Path root;

  @SuppressWarnings("NullAway.Init") // Set before all tests.
  private static ServerPort server;

  @TempDir Path folder;

  /** A client as it has rows. */
  private record Client(HttpRival rival, HttpProtocol protocol, boolean tuned) {
    TransferClient connect(int port) {
      return rival.connector().connect(HOST, port, protocol, tuned);
    }

    @Override
    public String toString() {
      return rival.method(protocol, tuned);
    }
  }

  static Stream<Client> clients() {
    return Stream.concat(Stream.of(HttpRivals.JDK), HttpRivals.ALL.stream())
        .flatMap(
            rival ->
                Arrays.stream(HttpProtocol.values())
                    .flatMap(
                        protocol ->
                            Stream.of(false, true)
                                .map(tuned -> new Client(rival, protocol, tuned))));
  }

  static Stream<Client> clientsOfHttp1() {
    return clients().filter(client -> client.protocol() == HttpProtocol.HTTP_1_1);
  }

  @BeforeAll
  static void serve() throws IOException {
    server = HttpFiles.serve(LocalFileStore.open(root), HOST, 0, ServerSettings.defaults());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void makeFolder() throws IOException {
    try (Stream<Path> left = Files.list(root)) {
      for (Path file : left.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("clients")
  void transfers_ofFiles_arriveWhole(Client client) throws IOException {
    try (TransferClient connected = client.connect(server.port())) {
      for (int size : new int[] {0, 5, 3_000_001}) {
        moves(connected, client, size, null, false);
        moves(connected, client, size, Digest.Algorithm.CRC32C, false);
        moves(connected, client, size, Digest.Algorithm.SHA256, true);
      }
    }
  }

  private void moves(
      TransferClient connected,
      Client client,
      int size,
      Digest.@Nullable Algorithm digest,
      boolean gzip)
      throws IOException {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    for (int i = 0; i < size; i++) {
      // Smaller as gzip.
      bytes[i] &= 15;
    }
    Path source = Files.write(folder.resolve("source"), bytes);
    Path target = folder.resolve("target");
    String name = "file " + size + digest + gzip;
    TransferOptions options =
        TransferOptions.DEFAULT.withChunkSize(65_536).withDigest(digest).withGzip(gzip);

    Transfer up = connected.upload(source, StorePath.parse(name), options);
    assertThat(up.encoding()).isEqualTo(gzip ? "gzip" : "identity");
    // The server does not know its digest, and is asked again.
    Files.copy(root.resolve(name), root.resolve("copy of " + name));
    Transfer down = connected.download(StorePath.parse("copy of " + name), target, options);

    assertThat(Arrays.equals(Files.readAllBytes(root.resolve(name)), bytes)).isTrue();
    assertThat(Arrays.equals(Files.readAllBytes(target), bytes)).isTrue();
    for (Transfer transfer : new Transfer[] {up, down}) {
      assertThat(transfer.protocol()).isEqualTo(client.protocol().wireName());
      assertThat(transfer.facts().size()).isEqualTo(size);
      if (transfer.encoding().equals("identity")) {
        assertThat(transfer.wireBytes()).isEqualTo(size);
      } else {
        assertThat(gzip).isTrue();
        assertThat(transfer.wireBytes()).isLessThan(size + 100L).isPositive();
      }
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.part");
  }

  @ParameterizedTest
  @MethodSource("clients")
  void download_missingFile_notFoundAndNothingLeft(Client client) {
    assertThat(download(client, server.port(), Digest.Algorithm.CRC32C).kind())
        .isEqualTo(ErrorKind.NOT_FOUND);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @MethodSource("clients")
  void upload_refused_failsAndTheClientGoesOn(Client client) throws IOException {
    Path source = Files.write(folder.resolve("source"), new byte[3_000_001]);
    Files.createDirectories(root.resolve("folder"));
    try (TransferClient connected = client.connect(server.port())) {
      assertThatThrownBy(
              () -> connected.upload(source, StorePath.parse("folder"), TransferOptions.DEFAULT))
          .isInstanceOfSatisfying(
              FerryException.class,
              failure -> assertThat(failure.kind()).isNotEqualTo(ErrorKind.INTERNAL));
      Transfer after = connected.upload(source, StorePath.parse("after"), TransferOptions.DEFAULT);

      assertThat(after.facts().size()).isEqualTo(3_000_001);
    }
    assertThat(root.resolve("after")).hasSize(3_000_001);
  }

  @ParameterizedTest
  @MethodSource("clientsOfHttp1")
  void download_otherBytesThanTheServersDigest_failsAndNothingLeft(Client client)
      throws IOException {
    HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getByName(HOST), 0), 0);
    Digest digest = Digest.Algorithm.CRC32C.ofFile(Files.writeString(root.resolve("x"), "other"));
    other.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().set(FerryRoutes.DIGEST, FerryRoutes.field(digest));
          exchange.sendResponseHeaders(200, 4);
          exchange.getResponseBody().write("file".getBytes());
          exchange.close();
        });
    other.start();
    try {
      assertThat(download(client, other.getAddress().getPort(), Digest.Algorithm.CRC32C).kind())
          .isEqualTo(ErrorKind.DIGEST_MISMATCH);
    } finally {
      other.stop(0);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @MethodSource("clientsOfHttp1")
  void download_cutOff_failsAndNothingLeft(Client client) throws IOException {
    HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getByName(HOST), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 4_000_000);
          exchange.getResponseBody().write(new byte[100_000]);
          exchange.getResponseBody().flush();
          throw new IOException("cut");
        });
    other.start();
    try {
      assertThat(download(client, other.getAddress().getPort(), null).kind())
          .isEqualTo(ErrorKind.UNAVAILABLE);
    } finally {
      other.stop(0);
    }
    assertThat(folder).isEmptyDirectory();
  }

  private FerryException download(Client client, int port, Digest.@Nullable Algorithm digest) {
    try (TransferClient connected = client.connect(port)) {
      return catchThrowableOfType(
          FerryException.class,
          () ->
              connected.download(
                  new StorePath("no"),
                  folder.resolve("target"),
                  TransferOptions.DEFAULT.withDigest(digest)));
    }
  }
}
