package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.GuardedStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.HttpFiles;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Folders whose URI lacks the slash at its end. */
@Timeout(300)
class FolderTest {
  @TempDir Path root;

  @TempDir Path own;

  private HttpFilesServer start(String... rules) throws Exception {
    Files.createDirectories(root.resolve("a b/ä"));
    Files.createDirectories(root.resolve("hidden"));
    Files.writeString(root.resolve("a b/ä/f"), "hello");
    Files.writeString(root.resolve("file"), "hello");
    FileStore store = LocalFileStore.open(root);
    if (rules.length > 0) {
      List<StoreRule> parsed = List.of(StoreRule.parse(rules[0]), StoreRule.parse(rules[1]));
      store = new GuardedStore(store, "alice", parsed);
    }
    return HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults());
  }

  private static HttpResponse<String> send(
      HttpFilesServer server, Version version, Redirect redirect, String method, String path)
      throws Exception {
    URI uri = URI.create("http://localhost:" + server.port() + path);
    return HttpClient.newBuilder()
        .followRedirects(redirect)
        .build()
        .send(
            HttpRequest.newBuilder(uri)
                .version(version)
                .method(method, BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
  }

  @ParameterizedTest
  @EnumSource
  void getAndHead_withoutTheSlash_leadToTheList(Version version) throws Exception {
    try (HttpFilesServer server = start()) {
      for (String method : List.of("GET", "HEAD")) {
        for (String path : List.of("/files", "/files/a%20b", "/files/a%20b/%c3%a4?x=/..&y")) {
          var moved = send(server, version, Redirect.NEVER, method, path);
          assertThat(moved.statusCode()).as(path).isEqualTo(301);
          assertThat(moved.headers().firstValue("Location"))
              .hasValue(path.contains("?") ? "/files/a%20b/%C3%A4/?x=/..&y" : path + "/");
          assertThat(moved.headers().firstValue("Cache-Control")).hasValue("no-cache");
          if (method.equals("GET")) {
            assertThat(moved.body())
                .contains(
                    (path.equals("/files") ? "\"/" : path.contains("?") ? "\"a b/ä" : "\"a b")
                        + ": is a folder");
          }
          var list = send(server, version, Redirect.ALWAYS, method, path);
          assertThat(list.statusCode()).isEqualTo(200);
        }
        assertThat(send(server, version, Redirect.NEVER, method, "/files/file").statusCode())
            .isEqualTo(200);
        assertThat(send(server, version, Redirect.NEVER, method, "/files/no").statusCode())
            .isEqualTo(404);
        assertThat(send(server, version, Redirect.NEVER, method, "/files/a%20b/").statusCode())
            .isEqualTo(200);
      }
      assertThat(send(server, version, Redirect.ALWAYS, "GET", "/files/a%20b/%c3%a4").body())
          .contains("a b/ä/f");
    }
  }

  @ParameterizedTest
  @EnumSource
  void getAndHead_withoutTheSlash_tellNoCallerOfWhatItMayNotSee(Version version) throws Exception {
    try (HttpFilesServer server = start("read:/a b/ä/f", "write:/inbox")) {
      Files.createDirectories(root.resolve("inbox/folder"));
      for (String method : List.of("GET", "HEAD")) {
        // The folders that lead to what the caller may read exist for it.
        assertThat(send(server, version, Redirect.NEVER, method, "/files/a%20b").statusCode())
            .isEqualTo(301);
        for (String path : List.of("/files/hidden", "/files/no", "/files/file")) {
          assertThat(send(server, version, Redirect.NEVER, method, path).statusCode())
              .as(path)
              .isEqualTo(404);
        }
        for (String path : List.of("/files/inbox/folder", "/files/inbox/no")) {
          assertThat(send(server, version, Redirect.NEVER, method, path).statusCode())
              .as(path)
              .isEqualTo(403);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void get_ofAMissingFile_looksForItOnce(Version version) throws Exception {
    AtomicInteger looks = new AtomicInteger();
    FileStore store =
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileFacts stat(StorePath path, boolean digest) throws FerryException {
            looks.incrementAndGet();
            return super.stat(path, digest);
          }
        };
    try (HttpFilesServer server =
        HttpFilesServer.start(store, "localhost", 0, 4096, ServerSettings.defaults())) {
      assertThat(send(server, version, Redirect.NEVER, "GET", "/files/no").statusCode())
          .isEqualTo(404);
      assertThat(looks).hasValue(0);
    }
  }

  @Test
  void ferry_folder_hasItsFactsAndIsNoDownload() throws Exception {
    try (HttpFilesServer server = start();
        Carrier carrier = HttpFiles.connect("localhost", server.port())) {
      StorePath folder = StorePath.parse("a b/ä");
      assertThat(carrier.stat(folder, null, CallLimits.DEFAULT).directory()).isTrue();
      assertThat(carrier.stat(folder, null, CallLimits.DEFAULT).lastModified())
          .isEqualTo(LocalFileStore.open(root).stat(folder, false).lastModified());
      assertThat(carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT).directory()).isTrue();
      assertThatExceptionOfType(FerryException.class)
          .isThrownBy(() -> carrier.download(folder, own.resolve("copy"), TransferOptions.DEFAULT))
          .matches(e -> e.kind() == ErrorKind.INVALID_PATH)
          .withMessageContaining("a b/ä: is a folder, not a file; its list is ")
          .withMessageContaining(HttpRoutes.uriPath(folder) + "/");
      assertThat(own).isEmptyDirectory();
    }
  }
}
