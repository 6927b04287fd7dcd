package dev.ferry.http.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.GuardedStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.http.internal.server.HttpFilesServer;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives of folders and of what was selected. */
@Timeout(300)
class ZipBodyTest {
  private static final Instant TIME = Instant.parse("2001-02-03T04:05:06Z");
  private static final int MANY = 70_000;

  @TempDir Path root;
  @TempDir Path own;

  private final Map<String, byte[]> tree = new TreeMap<>();

  @BeforeEach
  void makeTree() throws IOException {
    Files.createDirectories(root.resolve("d/empty"));
    Files.createDirectories(root.resolve("d/ä ö/🛳"));
    tree.put("empty/", new byte[0]);
    tree.put("ä ö/", new byte[0]);
    tree.put("ä ö/🛳/", new byte[0]);
    put("nothing", new byte[0]);
    put("small", TestFiles.incompressible(4096));
    put("text.csv", TestFiles.compressible(300_000));
    put("ä ö/random.bin", TestFiles.incompressible(300_000));
    put("ä ö/🛳/<b>\"", TestFiles.random(10));
    Files.setLastModifiedTime(root.resolve("d/small"), FileTime.from(TIME));
  }

  private void put(String name, byte[] content) throws IOException {
    Files.write(root.resolve("d").resolve(name), content);
    tree.put(name, content);
  }

  private static HttpFilesServer serve(FileStore store) throws FerryException {
    return HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults());
  }

  private HttpResponse<Path> request(
      HttpFilesServer server, Version version, String path, @Nullable String form)
      throws Exception {
    URI uri = URI.create("http://localhost:" + server.port() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).version(version);
    if (form != null) {
      request
          .header("Content-Type", "application/x-www-form-urlencoded")
          .POST(BodyPublishers.ofString(form));
    }
    return HttpClient.newHttpClient()
        .send(request.build(), BodyHandlers.ofFile(own.resolve("archive.zip")));
  }

  /** Reads an archive by its directory, and then as a stream. */
  private static Map<String, byte[]> entries(Path archive) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        entries.put(entry.getName(), zip.getInputStream(entry).readAllBytes());
      }
    }
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        assertThat(zip.readAllBytes()).isEqualTo(entries.get(entry.getName()));
      }
    }
    return entries;
  }

  private static void assertSame(Map<String, byte[]> actual, Map<String, byte[]> expected) {
    assertThat(actual.keySet()).isEqualTo(expected.keySet());
    actual.forEach((name, content) -> assertThat(content).as(name).isEqualTo(expected.get(name)));
  }

  @ParameterizedTest
  @EnumSource
  void get_folderAsZip_isTheTree(Version version) throws Exception {
    try (HttpFilesServer server = serve(LocalFileStore.open(root))) {
      HttpResponse<Path> response = request(server, version, "/files/d/?zip", null);
      assertThat(response.headers().firstValue("Content-Disposition"))
          .hasValue("attachment; filename=\"d.zip\"");
      assertThat(response.headers().firstValue("Content-Type")).hasValue("application/zip");
      assertSame(entries(response.body()), tree);
      try (ZipFile zip = new ZipFile(response.body().toFile())) {
        assertThat(zip.getEntry("small").getLastModifiedTime().toInstant()).isEqualTo(TIME);
        assertThat(zip.getEntry("small").getMethod()).isEqualTo(ZipEntry.STORED);
        assertThat(zip.getEntry("text.csv").getCompressedSize()).isLessThan(150_000);
      }
      assertUnzipFindsNoError(response.body());
    }
  }

  private static void assertUnzipFindsNoError(Path archive) throws Exception {
    assertThat(unzip("-tq", archive.toString())).startsWith("No errors detected");
  }

  private static String unzip(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("unzip"));
    command.addAll(List.of(arguments));
    Process unzip;
    try {
      unzip = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      assumeTrue(false, "unzip is not installed");
      throw e;
    }
    String output = new String(unzip.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(unzip.waitFor()).as(output).isZero();
    return output;
  }

  @Test
  void fill_filesWithPermissions_unpacksThemWithThese() throws Exception {
    Map<String, String> permissions =
        Map.of(
            "small", "rwxr-x--x",
            "text.csv", "r--------",
            "empty/", "rwx------",
            "ä ö/", "rwxr-xr-x");
    for (Map.Entry<String, String> each : permissions.entrySet()) {
      Files.setPosixFilePermissions(
          root.resolve("d").resolve(each.getKey()),
          PosixFilePermissions.fromString(each.getValue()));
    }
    Path archive = write(LocalFileStore.open(root.resolve("d")), own.resolve("d.zip"));
    Map<String, String> environment = Map.of("enablePosixFileAttributes", "true");
    try (FileSystem zip = FileSystems.newFileSystem(archive, environment)) {
      for (Map.Entry<String, String> each : permissions.entrySet()) {
        assertThat(Files.getPosixFilePermissions(zip.getPath(each.getKey())))
            .as(each.getKey())
            .isEqualTo(PosixFilePermissions.fromString(each.getValue()));
      }
    }
    Path out = own.resolve("out");
    assertThat(unzip("-q", archive.toString(), "-d", out.toString())).isEmpty();
    assertThat(out.resolve("small")).isExecutable().binaryContent().isEqualTo(tree.get("small"));
    assertThat(Files.getPosixFilePermissions(out.resolve("text.csv")))
        .isEqualTo(PosixFilePermissions.fromString("r--------"));
  }

  @Test
  void fill_namesThatWouldBePathsElsewhere_areLeftOutAndNamed() throws Exception {
    List<String> bad =
        List.of(
            "..\\..\\evil.bat", "\\\\evil\\share", "C:evil", "dev\\x2d", "\u001b[31m", "a\r\nb");
    for (String name : bad) {
      Files.writeString(root.resolve("d").resolve(name), "evil");
    }
    Files.createDirectories(root.resolve("d/C:"));
    Files.writeString(root.resolve("d/C:/below"), "evil");
    Files.createDirectories(root.resolve("d/ok"));
    Files.writeString(root.resolve("d/ok/C:x"), "no drive in the middle of a path");
    Path archive = write(LocalFileStore.open(root.resolve("d")), own.resolve("d.zip"));
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      assertThat(zip.stream().map(ZipEntry::getName))
          .doesNotContainAnyElementsOf(bad)
          .doesNotContain("C:/", "C:/below")
          .contains("small", "ok/C:x");
      assertThat(zip.getComment().lines())
          .hasSize(bad.size() + 1)
          .allMatch(
              line -> line.endsWith(": its name is a path on Windows, or has control characters"))
          .anyMatch(line -> line.startsWith("left out: C:/ and all that is in it: "))
          .anyMatch(line -> line.startsWith("left out: \\x1b[31m: "))
          .anyMatch(line -> line.startsWith("left out: ..\\..\\evil.bat: "));
    }
    assertUnzipFindsNoError(archive);
  }

  @Test
  void fill_linksThatShareFolders_areNamedAndNotFollowed() throws Exception {
    Files.createSymbolicLink(root.resolve("d/again"), Path.of("ä ö"));
    Path archive = write(LocalFileStore.open(root.resolve("d")), own.resolve("d.zip"));
    assertSame(entries(archive), tree);
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      assertThat(zip.getComment())
          .isEqualTo("left out: again: " + FileFacts.LeftOut.TREE.reason() + "\n");
    }
    // What was selected is there.
    try (HttpFilesServer server = serve(LocalFileStore.open(root))) {
      Path selected =
          request(server, Version.HTTP_1_1, "/files/d/?zip", "name=again&name=small").body();
      assertThat(entries(selected)).containsKeys("again/🛳/<b>\"", "again/random.bin", "small");
    }
  }

  @Test
  void post_selection_hasWhatWasSelected() throws Exception {
    try (HttpFilesServer server = serve(LocalFileStore.open(root))) {
      Path archive =
          request(
                  server,
                  Version.HTTP_1_1,
                  "/files/d/?zip",
                  "name=small&name=%25C3%25A4%2520%25C3%25B6")
              .body();
      tree.keySet().removeIf(name -> !name.equals("small") && !name.startsWith("ä ö/"));
      assertSame(entries(archive), tree);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "name=small&name=missing, 404",
    "name=..%2Fd, 400",
    "name=.., 400",
    "name=%25zz, 400",
    "name=%zz, 400",
    "name=%, 400",
    "&&==&name, 400",
    "other=small, 400",
    "'', 400"
  })
  void post_selectionThatIsNotThere_isRefusedBeforeTheArchive(String form, int status)
      throws Exception {
    try (HttpFilesServer server = serve(LocalFileStore.open(root))) {
      assertThat(request(server, Version.HTTP_1_1, "/files/d/?zip", form).statusCode())
          .isEqualTo(status);
    }
  }

  @Test
  void post_selectionOfTooMany_isRefused() throws Exception {
    try (HttpFilesServer server = serve(LocalFileStore.open(root))) {
      for (int count : new int[] {10_001, 300_000}) {
        assertThat(
                request(server, Version.HTTP_1_1, "/files/d/?zip", "name=small&".repeat(count))
                    .statusCode())
            .isEqualTo(400);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void get_fileThatChanges_cutsTheArchive(Version version) throws Exception {
    FileStore store =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileSource open(StorePath path) throws FerryException {
            FileSource source = super.open(path);
            if (path.name().equals("random.bin")) {
              grow(root.resolve(path.value()));
            }
            return source;
          }
        };
    try (HttpFilesServer server = serve(store)) {
      assertThatThrownBy(() -> request(server, version, "/files/d/?zip", null))
          .isInstanceOf(IOException.class);
    }
    // What logs and metrics say of it.
    assertThatThrownBy(() -> write(store, own.resolve("broken.zip")))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.FILE_CHANGED));
  }

  private static void grow(Path file) {
    try {
      Files.write(file, TestFiles.random(400_000));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void get_ofACaller_hasWhatItMayRead() throws Exception {
    List<StoreRule> rules =
        List.of(
            StoreRule.parse("list:/"),
            StoreRule.parse("read:/d/small"),
            StoreRule.parse("read:/d/ä ö"));
    Files.createSymbolicLink(root.resolve("d/nowhere"), Path.of("missing"));
    try (HttpFilesServer server =
        serve(new GuardedStore(LocalFileStore.open(root), "alice", rules))) {
      Path archive = request(server, Version.HTTP_1_1, "/files/d/?zip", null).body();
      tree.remove("nothing");
      tree.remove("text.csv");
      assertSame(entries(archive), tree);
      try (ZipFile zip = new ZipFile(archive.toFile())) {
        assertThat(zip.getComment())
            .contains("left out: text.csv: not permitted", "left out: nowhere: it is a symbolic");
      }
    }
    FileStore hidden =
        new GuardedStore(LocalFileStore.open(root), "alice", List.of(StoreRule.parse("create:/d")));
    try (HttpFilesServer server = serve(hidden)) {
      assertThat(request(server, Version.HTTP_1_1, "/files/d/?zip", null).statusCode())
          .isEqualTo(403);
    }
  }

  @Test
  void fill_moreEntriesThanAShortDirectoryHolds_zip64() throws Exception {
    FileStore store =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public Listing list(StorePath directory) {
            int entries = directory.equals(StorePath.ROOT) ? MANY : 0;
            return new Listing() {
              private int next;

              @Override
              public @Nullable FileFacts next() {
                return next == entries
                    ? null
                    : new FileFacts("d" + next++, 0, Instant.EPOCH, true, null);
              }

              @Override
              public void close() {}
            };
          }
        };
    Path archive = write(store, own.resolve("many.zip"));
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      assertThat(zip.size()).isEqualTo(MANY);
    }
    assertUnzipFindsNoError(archive);
  }

  @Test
  void archives_beyondTheirMemory_areRefusedOrFailAndGiveItBack() throws Exception {
    for (int i = 0; i < 100; i++) {
      Files.createFile(root.resolve("d/empty/%03d".formatted(i)));
    }
    FileStore store = LocalFileStore.open(root);
    NameMemory memory = new NameMemory(48);
    try (ZipBody one = ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, moved -> {});
        ZipBody other =
            ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, List.of(), moved -> {});
        ZipBody third =
            ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, moved -> {})) {
      assertOverloaded(
          () -> ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, moved -> {}));
      assertOverloaded(
          () ->
              ZipBody.of(
                  store, StorePath.ROOT, memory, CallerShares.NOBODY, List.of(), moved -> {}));
      assertOverloaded(() -> readAll(one));
    }
    assertThat(memory.freeKib()).isEqualTo(48);
    try (ZipBody again =
        ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, moved -> {})) {
      readAll(again);
      assertThat(memory.freeKib()).isZero();
    }
    assertThat(memory.freeKib()).isEqualTo(48);
  }

  private static void assertOverloaded(ThrowingCallable call) {
    assertThat(catchThrowableOfType(FerryException.class, call).kind())
        .isEqualTo(ErrorKind.OVERLOADED);
  }

  private static void readAll(ZipBody body) throws FerryException {
    ByteBuffer buffer = ByteBuffer.allocate(100_000);
    while (!body.fill(buffer.clear())) {
      // What is read does not matter.
    }
  }

  private static Path write(FileStore store, Path archive) throws Exception {
    NameMemory memory = NameMemory.ofTheHeap();
    try (ZipBody body =
            ZipBody.of(store, StorePath.ROOT, memory, CallerShares.NOBODY, moved -> {});
        WritableByteChannel out = Channels.newChannel(Files.newOutputStream(archive))) {
      ByteBuffer buffer = ByteBuffer.allocate(100_000);
      boolean ended;
      do {
        ended = body.fill(buffer.clear());
        out.write(buffer.flip());
      } while (!ended);
    }
    return archive;
  }

  /** Once deflated, and once stored, when the archive itself has more bytes than 32 bits count. */
  @Timeout(900)
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void fill_fileOfMoreThan4Gib_zip64(boolean compressible) throws Exception {
    Path folder = Files.createDirectory(own.resolve("large"));
    long size = (4L << 30) + 4321;
    Path sparse = folder.resolve("sparse");
    Files.write(sparse, compressible ? new byte[0] : TestFiles.incompressible(1 << 20));
    try (FileChannel file = FileChannel.open(sparse, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap("end".getBytes(StandardCharsets.US_ASCII)), size - 3);
    }
    Files.writeString(folder.resolve("z"), "behind it");

    Path archive = write(LocalFileStore.open(folder), own.resolve("large.zip"));

    assertThat(Files.size(archive) > 4L << 30).isEqualTo(!compressible);
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      assertThat(zip.getEntry("sparse").getSize()).isEqualTo(size);
      assertThat(zip.getInputStream(zip.getEntry("z")).readAllBytes()).asString().hasSize(9);
    }
    assertUnzipFindsNoError(archive);
  }
}
