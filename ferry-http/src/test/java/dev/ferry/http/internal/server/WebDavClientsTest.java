package dev.ferry.http.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.http.internal.TestFiles;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs of others do with the server over WebDAV. */
@Timeout(300)
class WebDavClientsTest {
  private static final Path INSTALLER = Path.of("../tools/install-peers.sh");
  private static final Path LOG = Path.of("target/install-peers.log");
  private static final int INSTALL_SECONDS = 200;

  /** Those that set properties which the server does not keep. */
  private static final List<String> DEAD_PROPERTIES =
      List.of("propset", "propmanyns", "propget", "owner_modify");

  private static final Pattern FAILED = Pattern.compile("([a-z_0-9]+)\\.* FAIL");

  @TempDir Path root;
  @TempDir Path local;
  private HttpFilesServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        HttpFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, 4096, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void requireProgram(String name) throws Exception {
    Path program = Path.of("/usr/bin").resolve(name);
    if (!Files.isExecutable(program)) {
      Files.createDirectories(LOG.toAbsolutePath().getParent());
      Process install =
          new ProcessBuilder(INSTALLER.toString())
              .redirectErrorStream(true)
              .redirectOutput(LOG.toFile())
              .start();
      install.getOutputStream().close();
      if (!install.waitFor(INSTALL_SECONDS, TimeUnit.SECONDS)) {
        install.destroyForcibly();
      }
    }
    assumeTrue(
        Files.isExecutable(program), "skipped: install " + name + " (tools/install-peers.sh)");
  }

  private String run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    Process process = builder.directory(local.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return out + "exit " + code;
  }

  private String files() {
    return "http://127.0.0.1:" + server.port() + "/files/";
  }

  @ParameterizedTest
  @ValueSource(strings = {"basic", "copymove", "props", "locks", "http"})
  void litmus_suites_failOnlyAtPropertiesThatAreNotKept(String suite) throws Exception {
    requireProgram("litmus");
    String out = run(Map.of("TESTS", suite), "/usr/bin/litmus", "-k", files());
    assertThat(out).contains("<- summary for `" + suite + "': of ");
    List<String> failed = new ArrayList<>();
    Matcher test = FAILED.matcher(out);
    while (test.find()) {
      failed.add(test.group(1));
    }
    assertThat(failed).as(out).isSubsetOf(DEAD_PROPERTIES);
    assertThat(out).doesNotContain("WARNING");
    if (!suite.equals("props") && !suite.equals("locks")) {
      assertThat(out).contains("100.0%", "exit 0");
    }
  }

  private void rclone(String vendor, String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of("/usr/bin/rclone", "--config", "/dev/null"));
    String remote = ":webdav,vendor=" + vendor + ",url='" + files() + "':";
    for (String word : command) {
      all.add(word.replace("REMOTE", remote));
    }
    assertThat(run(Map.of(), all.toArray(String[]::new))).as(all.toString()).endsWith("exit 0");
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void rclone_copySyncMoveAndPurge_workAsOnALocalFolder() throws Exception {
    requireProgram("rclone");
    Path tree = Files.createDirectories(local.resolve("tree/sub/ü b%20#?"));
    Files.writeString(tree.resolve("x & <y>.txt"), "hello");
    Files.write(local.resolve("tree/large"), new byte[3_000_000]);
    String from = local.resolve("tree").toString();
    rclone("other", "copy", from, "REMOTEt");
    rclone("other", "check", from, "REMOTEt", "--download");
    Files.delete(local.resolve("tree/large"));
    rclone("other", "sync", from, "REMOTEt");
    rclone("other", "copy", "REMOTEt/sub", "REMOTEt/copied");
    rclone("other", "move", "REMOTEt/sub", "REMOTEt/moved");
    assertThat(TestFiles.names(root.resolve("t")))
        .contains("copied/ü b%20#?/x & <y>.txt", "moved/ü b%20#?/x & <y>.txt")
        .doesNotContain("large", "sub/ü b%20#?");
    rclone("other", "purge", "REMOTEt");
    assertThat(root).isEmptyDirectory();
    rclone("owncloud", "sync", from, "REMOTEt");
    String file = "sub/ü b%20#?/x & <y>.txt";
    assertThat(Files.getLastModifiedTime(root.resolve("t").resolve(file)).toMillis() / 1000)
        .isEqualTo(
            Files.getLastModifiedTime(local.resolve("tree").resolve(file)).toMillis() / 1000);
  }
}
