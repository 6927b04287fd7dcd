package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.Digest;
import dev.ferry.core.Sha256;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole command line, over real servers. */
final class TransferCommandsTest {
  private static final int SEVERAL_CHUNKS = 3_000_001;

  @TempDir Path root;
  @TempDir Path local;
  private Servers servers;

  @BeforeEach
  void start() throws Exception {
    servers = Servers.start(root);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_file_bringsItBackVerified(CarrierChoice carrier) throws Exception {
    Path file = randomFile("fares.csv", SEVERAL_CHUNKS);
    Path back = local.resolve("back.csv");

    Outcome put = run(carrier, "put", "--parents", file.toString(), "taxi/fares.csv");
    Outcome get = run(carrier, "get", "taxi/fares.csv", back.toString());

    assertThat(put.complaints() + get.complaints()).isEmpty();
    assertThat(put.exitCode() + get.exitCode()).isZero();
    assertThat(Files.mismatch(root.resolve("taxi/fares.csv"), file)).isEqualTo(-1);
    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    String facts = "3.0 MB \\(3000001 bytes\\) in [0-9.]+ s, [0-9.]+ MB/s, crc32c ";
    Digest digest = Digest.Algorithm.CRC32C.ofFile(file);
    String rest = digest + " verified";
    assertThat(put.out().strip()).matches(".*fares\\.csv -> taxi/fares\\.csv: " + facts + rest);
    assertThat(get.out().strip()).matches("taxi/fares\\.csv -> .*back\\.csv: " + facts + rest);
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_verbose_sayHowTheBytesTravelled(CarrierChoice carrier) throws Exception {
    Path file = randomFile("file", 100);

    Outcome put = run(carrier, "put", "-v", file.toString(), "there");
    Outcome get = run(carrier, "get", "-v", "there", local.resolve("back").toString());

    String line = ".* verified, " + carrier + " \\S+ identity";
    assertThat(put.out().strip()).matches(line);
    assertThat(get.out().strip()).matches(line);
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_gzipSmallChunksAndNoChecksum_bringItBack(CarrierChoice carrier) throws Exception {
    Path file = local.resolve("zeros");
    Files.write(file, new byte[100_000]);
    Path back = local.resolve("back");
    String[] flags = {
      "--gzip", "--checksum=none", "--chunk-size", "4096", "--timeout", "5m", "--verbose"
    };

    Outcome put = run(carrier, with(flags, "put", file.toString()));
    Outcome get = run(carrier, with(flags, "get", "zeros", back.toString()));

    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    assertThat(put.out()).contains(", not verified, ").contains(" gzip");
    assertThat(get.out()).contains(", not verified, ").contains(" gzip");
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_sha256_isVerified(CarrierChoice carrier) throws Exception {
    Path file = randomFile("file", 100_000);
    Path back = local.resolve("back");
    String verified = ", sha256 " + Sha256.ofFile(file) + " verified";

    assertThat(run(carrier, "put", "--checksum=sha256", file.toString()).out()).contains(verified);
    assertThat(run(carrier, "get", "--checksum=sha256", "file", back.toString()).out())
        .contains(verified);
    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"crc32c", "sha256", "none"})
  void get_verifyDisk_bringsItBack(String checksum) throws Exception {
    Path file = randomFile("file", SEVERAL_CHUNKS);
    Path back = local.resolve("back");
    run(CarrierChoice.GRPC, "put", file.toString());

    String[] flags = {"--verify-disk", "--checksum=" + checksum};
    for (String streams : new String[] {"--streams=1", "--streams=2"}) {
      Outcome get = run(CarrierChoice.GRPC, with(flags, "get", streams, "file", back.toString()));
      assertThat(get.complaints()).isEmpty();
      assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    }
  }

  @Test
  void put_unknownChecksum_namesTheKnownOnes() throws Exception {
    Path file = randomFile("file", 10);
    Outcome outcome = run(CarrierChoice.GRPC, "put", "--checksum=md5", file.toString());
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--checksum", "md5", "[CRC32C, SHA256, NONE] (case-insensitive)");
    assertThat(root.resolve("file")).doesNotExist();
  }

  @Test
  void putAndGet_zstdAtALevel_bringItBack() throws Exception {
    Path file = Files.write(local.resolve("zeros"), new byte[1_000_000]);
    Path back = local.resolve("back");

    Outcome put = run(CarrierChoice.GRPC, "put", "-v", "--zstd", "--level", "3", file.toString());
    Outcome get =
        run(CarrierChoice.GRPC, "get", "-v", "--zstd", "--level", "12", "zeros", back.toString());

    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    assertThat(put.out()).contains(" zstd");
    assertThat(get.out()).contains(" zstd");
  }

  @Test
  void get_compressionThatMakesNoSense_isRefusedInOneLine() throws Exception {
    assertThat(run(CarrierChoice.GRPC, "get", "--gzip", "--zstd", "x").err())
        .contains("--gzip and --zstd: give only one of them");
    assertThat(run(CarrierChoice.GRPC, "get", "--level", "3", "x").err())
        .contains("--level: give --gzip or --zstd with it");
    assertThat(run(CarrierChoice.GRPC, "get", "--gzip", "--level", "10", "x").err())
        .contains("gzip has no level 10: choose from 0 to 9");
    assertThat(run(CarrierChoice.HTTP, "get", "--zstd", "x").err())
        .contains("zstd at level 1 is not to be had over HTTP");
  }

  @ParameterizedTest
  @EnumSource
  void get_severalStreams_bringTheFileVerified(CarrierChoice carrier) throws Exception {
    Path file = Files.copy(randomFile("file", SEVERAL_CHUNKS), root.resolve("file"));
    Path back = local.resolve("back");

    Outcome get = run(carrier, "get", "--streams", "4", "file", back.toString());

    assertThat(get.complaints()).isEmpty();
    assertThat(Files.mismatch(back, file)).isEqualTo(-1);
    assertThat(get.out()).contains(", crc32c " + Digest.Algorithm.CRC32C.ofFile(file), "verified");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 is not from 1 to 64",
    "65, 65 is not from 1 to 64",
    "2 --gzip, parts of a file are not compressed; leave out --gzip and --zstd"
  })
  void get_streamsThatMakeNoSense_areRefusedInOneLine(String streams, String why) throws Exception {
    Outcome outcome =
        run(CarrierChoice.HTTP, with(("--streams " + streams).split(" "), "get", "file"));
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--streams: " + why);
  }

  @ParameterizedTest
  @EnumSource
  void putAndGet_emptyFile_bringItBack(CarrierChoice carrier) throws Exception {
    Path file = Files.createFile(local.resolve("empty"));

    assertThat(run(carrier, "put", "--parents", file.toString(), "e/").exitCode()).isZero();
    assertThat(run(carrier, "get", "e/empty", local.resolve("back").toString()).exitCode())
        .isZero();

    assertThat(local.resolve("back")).isEmptyFile();
  }

  @ParameterizedTest
  @EnumSource
  void get_directory_putsTheFileInsideUnderItsLastName(CarrierChoice carrier) throws Exception {
    Files.createDirectories(root.resolve("a"));
    Files.writeString(root.resolve("a/b.txt"), "hello");

    assertThat(run(carrier, "get", "a/b.txt", local.toString()).exitCode()).isZero();

    assertThat(local.resolve("b.txt")).hasContent("hello");
  }

  @ParameterizedTest
  @EnumSource
  void put_createOnlyAndNameTaken_failsAndKeepsTheFile(CarrierChoice carrier) throws Exception {
    Files.writeString(root.resolve("taken"), "old");
    Path file = Files.writeString(local.resolve("new"), "new");

    Outcome outcome = run(carrier, "put", "--create-only", file.toString(), "taken");

    assertFailed(4, outcome, "taken: already exists");
    assertThat(root.resolve("taken")).hasContent("old");
  }

  @ParameterizedTest
  @EnumSource
  void get_missing_failsAndLeavesNothing(CarrierChoice carrier) throws Exception {
    Outcome outcome =
        run(carrier, "get", "--parents", "missing", local.resolve("x/missing").toString());

    assertFailed(3, outcome, "missing", "'ferry ls' shows what the server has");
    assertThat(local).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void put_nameOfAFolder_putsTheFileIntoIt(CarrierChoice carrier) throws Exception {
    Path folder = Files.createDirectories(root.resolve("2026/07"));
    for (Path file : List.of(randomFile("small", 100), randomFile("large", 100_000))) {
      String source = file.toString();
      for (String[] flags : new String[][] {{}, {"--force"}}) {
        Outcome outcome = run(carrier, with(flags, "put", source, "2026/07"));
        assertThat(outcome.exitCode()).as(outcome.err()).isZero();
        assertThat(outcome.out()).contains(" -> 2026/07/" + file.getFileName() + ": ");
      }
      assertThat(Files.mismatch(folder.resolve(file.getFileName()), file)).isEqualTo(-1);
    }

    Files.createDirectory(folder.resolve("new"));
    Path file = Files.writeString(local.resolve("new"), "new");
    assertFails(
        4,
        run(carrier, "put", file.toString(), "2026/07"),
        "ferry put: 2026/07/new: is a folder; name a file in it");
    assertFails(
        4,
        run(carrier, "put", file.toString(), "2026/07/"),
        "ferry put: 2026/07/new: is a folder; name a file in it");
    assertThat(folder.resolve("new")).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void put_whereItCannotBeNamed_saysWhatToDo(CarrierChoice carrier) throws Exception {
    Files.createDirectories(root.resolve("2026/07"));
    Files.writeString(root.resolve("2026/taxi.csv"), "old");
    Path file = Files.writeString(local.resolve("new"), "new");
    String source = file.toString();

    assertFails(
        3,
        run(carrier, "put", source, "2026/08/09/new"),
        "ferry put: 2026/08: no such folder; --parents makes it");
    assertFails(
        3,
        run(carrier, "put", source, "2027/"),
        "ferry put: 2027: no such folder; --parents makes it");
    assertFails(
        4,
        run(carrier, "put", "--parents", source, "2026/taxi.csv/new"),
        "ferry put: 2026/taxi.csv: is a file, not a folder; choose another path");
    assertFails(
        4,
        run(carrier, "put", "--create-only", source, "2026/taxi.csv"),
        "ferry put: 2026/taxi.csv: already exists; choose another name");

    assertThat(run(carrier, "put", source, "2026/07/").exitCode()).isZero();
    assertThat(run(carrier, "put", "--force", source, "2026/taxi.csv").exitCode()).isZero();
    assertThat(root.resolve("2026/07/new")).hasContent("new");
    assertThat(root.resolve("2026/taxi.csv")).hasContent("new");
    assertThat(root.resolve("2026/08")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void put_whereItCannotBeNamed_sendsNothing(CarrierChoice carrier) throws Exception {
    Files.createDirectories(root.resolve("dir/file"));
    Path file = randomFile("file", SEVERAL_CHUNKS);
    try (TcpProxy proxy = new TcpProxy(servers.port(carrier))) {
      for (String target : List.of("dir", "missing/file", "missing/")) {
        Outcome put =
            Outcome.of(
                "put",
                file.toString(),
                target,
                "--server",
                proxy.address(),
                "--carrier",
                carrier.toString());
        assertThat(put.exitCode()).as(put.err()).isEqualTo(target.equals("dir") ? 4 : 3);
      }
      assertThat(proxy.requestedBytes()).isBetween(1L, SEVERAL_CHUNKS / 100L);
    }
  }

  @Test
  void get_whereItCannotBeNamed_saysWhatToDo() throws Exception {
    Files.writeString(root.resolve("a.csv"), "hello");
    Path file = Files.createFile(local.resolve("file"));
    CarrierChoice carrier = CarrierChoice.GRPC;

    assertFails(
        3,
        run(carrier, "get", "a.csv", local + "/no/such/b.csv"),
        "ferry get: " + local.resolve("no") + ": no such folder; --parents makes it");
    assertFails(
        3,
        run(carrier, "get", "a.csv", local + "/new/"),
        "ferry get: " + local.resolve("new") + ": no such folder; --parents makes it");
    assertFails(
        4,
        run(carrier, "get", "--parents", "a.csv", file + "/b.csv"),
        "ferry get: " + file + ": is a file, not a folder; choose another name");
    try (Stream<Path> left = Files.list(local)) {
      assertThat(left).containsExactly(file);
    }

    assertThat(run(carrier, "get", "--parents", "a.csv", local + "/new/er/").exitCode()).isZero();
    assertThat(local.resolve("new/er/a.csv")).hasContent("hello");
  }

  @ParameterizedTest
  @EnumSource
  void anyCommand_pathWithAMissingPart_namesIt(CarrierChoice carrier) throws Exception {
    Files.createDirectories(root.resolve("2026"));
    Files.writeString(root.resolve("2026/taxi.csv"), "hello");
    String remedy = "; 'ferry ls' shows what the server has";

    assertFails(
        3,
        run(carrier, "get", "2026/07/taxi.csv", local.toString()),
        "ferry get: 2026/07: no such folder" + remedy);
    assertFails(
        3,
        run(carrier, "get", "2026/taxi.csv/x", local.toString()),
        "ferry get: 2026/taxi.csv: is a file, not a folder" + remedy);
    assertFails(
        3, run(carrier, "stat", "2027/taxi.csv"), "ferry stat: 2027: no such folder" + remedy);
    assertFails(3, run(carrier, "stat", "2026/x"), "ferry stat: 2026/x: no such file" + remedy);
    assertFails(3, run(carrier, "ls", "2026/07/08"), "ferry ls: 2026/07: no such folder" + remedy);
    assertFails(3, run(carrier, "ls", "2027"), "ferry ls: 2027: no such folder" + remedy);
  }

  @ParameterizedTest
  @EnumSource
  void get_linkOutOfTheStore_isRefused(CarrierChoice carrier) throws Exception {
    Path secret = Files.writeString(local.resolve("secret"), "secret");
    Files.createSymbolicLink(root.resolve("link"), secret);

    Outcome outcome = run(carrier, "get", "link", local.resolve("stolen").toString());

    assertFailed(1, outcome, "invalid path 'link'");
    assertThat(local.resolve("stolen")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void ls_rootAndDirectory_printSortedLines(CarrierChoice carrier) throws Exception {
    FileTime time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
    Files.createDirectories(root.resolve("sub"));
    Files.setLastModifiedTime(Files.writeString(root.resolve("sub/c"), "1"), time);
    Files.setLastModifiedTime(Files.write(root.resolve("b"), new byte[1234]), time);
    Files.setLastModifiedTime(root.resolve("sub"), time);

    assertThat(run(carrier, "ls"))
        .isEqualTo(
            success(
                "        1234  2026-01-02T03:04:05Z  b",
                "           -  2026-01-02T03:04:05Z  sub/"));
    assertThat(run(carrier, "ls", "sub/"))
        .isEqualTo(success("           1  2026-01-02T03:04:05Z  sub/c"));
  }

  @ParameterizedTest
  @EnumSource
  void ls_filesPatternsAndTrees_printWhatIsThere(CarrierChoice carrier) throws Exception {
    FileTime time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
    for (String name : List.of("sub/deep/d.csv", "sub/b.csv", "sub/.hidden.csv", "a[1].csv")) {
      TestFiles.write(root.resolve(name), new byte[1500]);
      Files.setLastModifiedTime(root.resolve(name), time);
    }
    Files.setLastModifiedTime(root.resolve("sub/deep"), time);
    String file = "        1500  2026-01-02T03:04:05Z  ";

    assertThat(run(carrier, "ls", "sub/b.csv")).isEqualTo(success(file + "sub/b.csv"));
    assertThat(run(carrier, "ls", "/sub/b.csv", "/sub/deep/"))
        .isEqualTo(success(file + "sub/b.csv", file + "sub/deep/d.csv"));
    assertThat(run(carrier, "ls", "-lh", "a[1].csv"))
        .isEqualTo(run(carrier, "ls", "-l", "a[1].csv"));
    assertThat(run(carrier, "ls", "-lhR", "sub")).isEqualTo(run(carrier, "ls", "-l", "-R", "sub"));
    assertThat(run(carrier, "ls", "-l", "a[1].csv"))
        .isEqualTo(success("      1.5 kB  2026-01-02T03:04:05Z  a[1].csv"));
    assertThat(run(carrier, "ls", "s?b/*.c[a-s]v", "*/*/*.csv"))
        .isEqualTo(success(file + "sub/b.csv", file + "sub/deep/d.csv"));
    assertThat(run(carrier, "ls", "-R", "sub"))
        .isEqualTo(
            success(
                file + "sub/.hidden.csv",
                file + "sub/b.csv",
                "           -  2026-01-02T03:04:05Z  sub/deep/",
                file + "sub/deep/d.csv"));
    assertFailed(3, run(carrier, "ls", "*.txt"), "*.txt: no such f");
    assertFailed(3, run(carrier, "ls", "no"), "no: no such f");
    Outcome some = run(carrier, "ls", "no", "sub/b.csv", "*.txt");
    assertThat(some.exitCode()).isEqualTo(10);
    assertThat(some.out()).isEqualTo(file + "sub/b.csv" + System.lineSeparator());
    assertThat(some.err()).contains("no: no such f", "*.txt: no such f").hasLineCount(2);
  }

  @ParameterizedTest
  @EnumSource
  void stat_fileAndDirectory_printTheirFacts(CarrierChoice carrier) throws Exception {
    FileTime time = FileTime.from(Instant.parse("2026-01-02T03:04:05Z"));
    Path file = Files.writeString(root.resolve("f"), "hello");
    Files.setLastModifiedTime(file, time);
    Files.createDirectory(root.resolve("d"));

    assertThat(run(carrier, "stat", "f", "--digest"))
        .isEqualTo(
            success(
                "path      f",
                "type      file",
                "modified  2026-01-02T03:04:05Z",
                "bytes     5",
                "sha256    " + Sha256.ofFile(file)));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    assertThat(run(carrier, "stat", "f").out()).contains("type      file, executable\n");
    assertThat(run(carrier, "ls", "--json").out())
        .contains("\"path\":\"f\",", "\"executable\":true");
    assertThat(run(carrier, "stat", "d").out()).contains("type      folder");
    assertFailed(3, run(carrier, "stat", "missing"), "missing");
  }

  @Test
  void serve_portInUse_namesItAndTheRemedy() {
    Outcome grpc =
        Outcome.of("serve", root.toString(), "--grpc-port", "" + servers.port(CarrierChoice.GRPC));
    Outcome http =
        Outcome.of(
            "serve",
            root.toString(),
            "--grpc-port=0",
            "--http-port",
            "" + servers.port(CarrierChoice.HTTP));

    String line =
        "ferry serve: cannot listen on %s: another program listens there; choose another with"
            + " --host or %s";
    assertThat(grpc)
        .isEqualTo(
            new Outcome(
                1, "", line.formatted(servers.address(CarrierChoice.GRPC), "--grpc-port") + "\n"));
    assertThat(http)
        .isEqualTo(
            new Outcome(
                1, "", line.formatted(servers.address(CarrierChoice.HTTP), "--http-port") + "\n"));
  }

  private Outcome run(CarrierChoice carrier, String... args) {
    String[] server = {"--server", servers.address(carrier), "--carrier", carrier.toString()};
    return Outcome.of(with(server, args));
  }

  private static String[] with(String[] flags, String... command) {
    return Stream.concat(Stream.of(command), Stream.of(flags)).toArray(String[]::new);
  }

  private Path randomFile(String name, int size) throws IOException {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return Files.write(local.resolve(name), bytes);
  }

  private static void assertFailed(int exitCode, Outcome outcome, String... parts) {
    assertThat(outcome.err().lines()).singleElement().asString().contains(parts);
    assertThat(outcome.exitCode()).isEqualTo(exitCode);
    assertThat(outcome.out()).isEmpty();
  }

  private static void assertFails(int exitCode, Outcome outcome, String line) {
    assertThat(outcome).isEqualTo(new Outcome(exitCode, "", line + System.lineSeparator()));
  }

  private static Outcome success(String... lines) {
    return new Outcome(0, String.join(System.lineSeparator(), lines) + System.lineSeparator(), "");
  }
}
