package dev.ferry.web.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Node;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.web.internal.WebFilesServer;
import dev.ferry.wire.Caller;
import dev.ferry.wire.ServerSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A person at the page of a folder, in headless Chromium: what {@code folder-page.mjs}, {@code
 * page-uploads.mjs} and {@code sign-out.mjs} do. With {@code -Pthorough} files and folders are
 * large, and all of the page is checked for accessibility.
 */
@Timeout(400)
class BrowserTest {
  /** No other test listens here, so a server finds its port free again. */
  private static final String HOST = "127.0.0.8";

  private static final boolean THOROUGH = Boolean.getBoolean("ferry.thorough");
  private static final int LARGE = THOROUGH ? 200_000_000 : 12_000_000;
  private static final int ENTRIES = THOROUGH ? 100_000 : 1_200;
  private static final String HOSTILE = "<img src=x onerror=alert(1)>";
  private static final String SCRIPT =
      "<script>document.documentElement.dataset.ran = 'ran'; alert(1)</script>";

  @TempDir Path root;
  @TempDir Path own;
  @TempDir Path downloads;

  @Test
  void page_ofAPerson_worksAndContinuesUploads() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Files.createDirectory(root.resolve("many"));
    for (int i = 0; i < ENTRIES; i++) {
      Files.createFile(root.resolve("many/%06d".formatted(i)));
    }
    // The page deletes both, and nothing of "many".
    Files.createDirectories(root.resolve("links/tree/deep"));
    Files.createSymbolicLink(root.resolve("links/tree/deep/away"), Path.of("../../../many"));
    Files.createSymbolicLink(root.resolve("links/shortcut"), Path.of("../many"));
    for (String name :
        List.of("file2.txt", "file10.txt", HOSTILE, "\"a\" & 'b'", "مرحبا", "é".repeat(127))) {
      Files.writeString(root.resolve(name), name);
    }
    Files.writeString(root.resolve("hostile.html"), "<p>" + SCRIPT);
    Files.writeString(
        root.resolve("hostile.svg"),
        "<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + "</svg>");
    Files.createDirectories(own.resolve("folder/inner"));
    Files.writeString(own.resolve("folder/inner/<b>.txt"), "inner");
    Files.writeString(own.resolve("folder/outer.txt"), "outer");
    Files.writeString(own.resolve("small.txt"), "<i>small</i>");
    Path large = Files.write(own.resolve("large"), TestFiles.random(LARGE, 1));
    Path large2 = Files.write(own.resolve("large2"), TestFiles.random(LARGE, 2));

    FileStore store = LocalFileStore.open(root);
    WebFilesServer server = serve(store, 0);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      int port = server.port();
      Callable<List<String>> person =
          () ->
              Node.run(
                  "folder-page.mjs",
                  "http://" + HOST + ":" + port,
                  own.toString(),
                  downloads.toString(),
                  "" + ENTRIES);
      Future<List<String>> lines = threads.submit(person);
      while (!lines.isDone() && kept() < LARGE / 4) {
        Thread.sleep(20);
      }
      server.closeNow();
      Thread.sleep(500);
      server = serve(store, port);
      assertThat(lines.get())
          .containsExactly(
              "at /files/: links | many | \"a\" & 'b' | "
                  + HOSTILE
                  + " | "
                  + "é".repeat(30)
                  + " | file2.txt | file10.txt | hostile.html | hostile.svg | مرحبا",
              "by size: \"a\" & 'b' | file2.txt | file10.txt",
              "1 selected",
              "renamed: none selected",
              "preview: <i>small</i>",
              "changed",
              "stopped: 1 PUT, goes on true",
              "reloaded: 1 upload not complete",
              "reloaded: 0 PUT, goes on true",
              "many: %06d, true".formatted(ENTRIES - 1),
              "360: true",
              "1600: true",
              "hostile.html: null did not run",
              "hostile.svg: null did not run");
    } finally {
      threads.shutdownNow();
      server.close();
    }
    assertThat(root.resolve("links")).isEmptyDirectory();
    try (Stream<Path> many = Files.list(root.resolve("many"))) {
      assertThat(many).hasSize(ENTRIES);
    }
    Path folder = root.resolve("new <b> folder");
    assertThat(Files.mismatch(folder.resolve("large"), large)).isEqualTo(-1);
    assertThat(Files.mismatch(folder.resolve("large2"), large2)).isEqualTo(-1);
    List<String> selected = entries("new _b_ folder.zip");
    assertThat(selected)
        .containsExactlyInAnyOrder(
            "folder/",
            "folder/inner/",
            "folder/inner/<b>.txt",
            "folder/outer.txt",
            "folder/small.txt");
    assertThat(entries("all.zip"))
        .hasSize(selected.size() + 1)
        .containsAll(selected)
        .contains("renamed & \"quoted\"");
  }

  @Test
  void user_whoSignsOut_isForgottenByTheBrowser() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Files.writeString(own.resolve("small.txt"), "small");
    Caller alice = new Caller("<alice>", List.of(StoreRule.parse("all:/home/")));
    ServerSettings settings =
        ServerSettings.defaults().withCallers(Map.of("ferry_secret", alice)::get);
    try (WebFilesServer server =
        WebFilesServer.start(LocalFileStore.open(root), HOST, 0, settings)) {
      String signedIn = "signed in: Signed in as <alice>Sign out";
      String signedOut = "Signed out This browser no longer knows your password. All files";
      assertThat(
              Node.run(
                  "sign-out.mjs",
                  "http://" + HOST + ":" + server.port(),
                  own.toString(),
                  alice.name(),
                  "ferry_secret"))
          .containsExactly(signedIn, signedOut, "then: 401", signedIn, signedOut, "then: 401");
    }
    assertThat(root.resolve("home/small.txt")).hasContent("small");
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void uploads_stoppedOrRefused_areSentOnceAndWhatIsLeftOutIsNamed() throws Exception {
    assumeTrue(Node.isReady(), Node.SKIPPED);
    Path large = Files.write(own.resolve("large"), TestFiles.random(40_000_000, 1));
    // As exact as a browser knows it.
    Files.setLastModifiedTime(large, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
    Files.write(own.resolve(".ferry-large"), new byte[9_000_000]);
    for (String name : List.of("small.txt", "a", "b", "c", "d")) {
      Files.writeString(own.resolve(name), name);
    }
    Path other = Files.createDirectory(downloads.resolve("other"));
    Files.createDirectories(other.resolve("tree/there"));
    FileStore without =
        LocalFileStore.open(
            other,
            SinkOptions.DEFAULT.withLimits(ReceiveLimits.OWN.withKeepPartial(Duration.ZERO)));
    try (WebFilesServer server = serve(LocalFileStore.open(root), 0);
        WebFilesServer keepsNone = serve(without, 0)) {
      assertThat(
              Node.run(
                  "page-uploads.mjs",
                  "http://" + HOST + ":" + server.port(),
                  "http://" + HOST + ":" + keepsNone.port(),
                  own.toString()))
          .containsExactly(
              "cancelled: PUT small.txt ?1 0",
              "continued: PUT large ?0 0",
              "refused: PUT .ferry-large ?0 0",
              "chosen: 1 selected",
              "in one: PUT large ?0 0, PUT large ?1 0",
              "not remembered: 4 files uploaded",
              "left out: tree/broken, tree/unreadable, tree/.ferry-x");
    }
    assertThat(Files.mismatch(root.resolve("large"), large)).isEqualTo(-1);
    assertThat(Files.mismatch(other.resolve("large"), large)).isEqualTo(-1);
    assertThat(other.resolve("tree/good")).hasContent("good");
    assertThat(other.resolve("tree/empty")).isEmptyDirectory();
  }

  private static WebFilesServer serve(FileStore store, int port) throws FerryException {
    return WebFilesServer.start(store, HOST, port, ServerSettings.defaults());
  }

  /** Returns the bytes that the server keeps of uploads. */
  private long kept() {
    File[] files = root.resolve(".ferry-uploads").toFile().listFiles();
    // Files may go meanwhile: then they are of length 0.
    return files == null ? 0 : Stream.of(files).mapToLong(File::length).sum();
  }

  private List<String> entries(String archive) throws IOException {
    try (ZipFile zip = new ZipFile(downloads.resolve(archive).toFile())) {
      return zip.stream().map(Object::toString).toList();
    }
  }
}
