package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What curl does with the responses. With {@code --http2-prior-knowledge}, curl 7.88 follows no
 * redirect, whoever sends it.
 */
@Timeout(300)
class CurlTest {
  private static final String DATE = "Sat, 29 Oct 1994 19:43:31 GMT";

  @TempDir Path root;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    Files.createDirectory(root.resolve("folder"));
    Path file = Files.writeString(root.resolve("folder/f"), "hello");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-10-29T19:43:31.5Z")));
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "localhost", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Returns the body and the status. */
  private String curl(String protocol, String path, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "-s", "-w", " %{http_code}", protocol));
    command.addAll(List.of(options));
    command.add("http://localhost:" + server.port() + "/files/" + path);
    Process curl;
    try {
      curl = new ProcessBuilder(command).start();
    } catch (IOException e) {
      assumeTrue(false, "curl is not installed");
      throw e;
    }
    curl.getOutputStream().close();
    String out = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int unsupported = 2;
    assumeTrue(curl.waitFor() != unsupported, "this curl does not know " + protocol);
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curl_dates_areConditions(String protocol) throws Exception {
    assertThat(curl(protocol, "folder/f", "-z", DATE)).isEqualTo(" 304");
    assertThat(curl(protocol, "folder/f", "-z", "Sat, 29 Oct 1994 19:43:30 GMT"))
        .isEqualTo("hello 200");
    assertThat(curl(protocol, "folder/f", "-H", "If-Unmodified-Since: " + DATE))
        .isEqualTo("hello 200");
    assertThat(curl(protocol, "folder/f", "-z", "-Sat, 29 Oct 1994 19:43:32 GMT")).endsWith(" 412");
    assertThat(curl(protocol, "folder/f", "-z", "-Sat, 29 Oct 1994 19:43:30 GMT")).endsWith(" 412");
    Path copy = root.resolve("copy");
    assertThat(curl(protocol, "folder/f", "-R", "-o", copy.toString())).isEqualTo(" 200");
    assertThat(curl(protocol, "folder/f", "-z", copy.toString())).isEqualTo(" 304");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curl_folderWithoutItsSlash_getsTheListIfItFollows(String protocol) throws Exception {
    assertThat(curl(protocol, "folder", "-L")).contains("\"name\":\"folder/f\"").endsWith(" 200");
    assertThat(curl(protocol, "folder", "-L", "-I", "-o", "/dev/null")).isEqualTo(" 200");
    assertThat(curl(protocol, "folder")).contains("is a folder, not a file").endsWith(" 301");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curl_putOfWhatExists_isAFailedPrecondition(String protocol) throws Exception {
    Path own = Files.writeString(root.resolve("own"), "own");
    String[] put = {"-T", own.toString(), "-H", "If-None-Match: *"};
    assertThat(curl(protocol, "folder/f", put)).contains("already-exists").endsWith(" 412");
    assertThat(curl(protocol, "folder/g", put)).isEqualTo(" 201");
    assertThat(root.resolve("folder/f")).hasContent("hello");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.1", "--http2"})
  void curl_form_storesItsFiles(String protocol) throws Exception {
    Path own = Files.write(root.resolve("own"), new byte[3_000_000]);
    String[] form = {"-F", "file=@" + own, "-F", "file=@" + own + ";filename=\"a \\\"ä\\\"; b\""};
    assertThat(curl(protocol, "folder/", form)).contains("\"folder/own\"").endsWith(" 201");
    assertThat(Files.mismatch(root.resolve("folder/own"), own)).isEqualTo(-1);
    assertThat(Files.mismatch(root.resolve("folder/a \"ä\"; b"), own)).isEqualTo(-1);
    assertThat(curl(protocol, "folder/", form)).contains("already-exists").endsWith(" 409");
  }
}
