package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** README.md: its size, its commands in their order in a new folder, and its code. */
@Timeout(120)
final class ReadmeTest {
  private static final int MOST_WORDS = 800;
  private static final int MOST_WORDS_OF_A_PARAGRAPH = 60;

  @TempDir Path folder;
  private final List<Process> servers = new ArrayList<>();
  private int grpcPort;

  @BeforeEach
  void makeAClone() throws IOException {
    Path ferry =
        Files.writeString(
            folder.resolve("ferry"),
            """
            #!/bin/sh
            exec '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s "$@"
            """
                .formatted(java(), System.getProperty("java.class.path"), Main.class.getName()));
    assertThat(ferry.toFile().setExecutable(true)).isTrue();
    Files.copy(Pages.ROOT.resolve("LICENSE"), folder.resolve("LICENSE"));
    Files.copy(
        Pages.ROOT.resolve("docs/install.md"),
        Files.createDirectory(folder.resolve("docs")).resolve("install.md"));
  }

  @AfterEach
  void stopServers() throws Exception {
    for (Process server : servers) {
      server.descendants().forEach(ProcessHandle::destroyForcibly);
      server.destroyForcibly().waitFor();
    }
  }

  private static String java() {
    return ProcessHandle.current().info().command().orElseThrow();
  }

  private static int words(String text) {
    return (int) Pattern.compile("\\S+").matcher(text).results().count();
  }

  @Test
  void readme_isShort() throws IOException {
    assertThat(words(Files.readString(Pages.README))).isLessThanOrEqualTo(MOST_WORDS);
    String prose = String.join("\n", Pages.prose(Pages.README)).replaceAll("\n- ", "\n\n");
    for (String paragraph : prose.split("\n\n+")) {
      if (!paragraph.startsWith("|")) {
        assertThat(words(paragraph)).as(paragraph).isLessThanOrEqualTo(MOST_WORDS_OF_A_PARAGRAPH);
      }
    }
  }

  @Test
  void commands_inTheirOrder_serveAndCopy() throws Exception {
    List<String> commands = Pages.block(Pages.README, "Serve and copy");
    assertThat(commands).hasSize(6);
    serve(commands.get(0));
    for (String command : commands.subList(1, commands.size())) {
      run(command.replace("://127.0.0.1/", "://127.0.0.1:" + grpcPort + "/"));
    }

    Path license = folder.resolve("LICENSE");
    assertThat(folder.resolve("copy.txt")).hasSameBinaryContentAs(license);
    assertThat(folder.resolve("texts/license.txt")).hasSameBinaryContentAs(license);
    assertThat(folder.resolve("files/docs/install.md"))
        .hasSameBinaryContentAs(folder.resolve("docs/install.md"));
  }

  @Test
  void commands_ofTls_areThoseThatInitPrints() throws Exception {
    Files.createDirectory(folder.resolve("files"));
    List<String> commands =
        Pages.block(Pages.README, "TLS and tokens").stream()
            .map(command -> command.replace("files.example.org", "localhost"))
            .toList();
    assertThat(commands).hasSize(3);
    String printed = run(commands.get(0));
    Matcher pin = Pattern.compile("sha256/\\S+").matcher(printed);
    assertThat(pin.find()).as(printed).isTrue();
    serve(commands.get(1));
    Files.copy(folder.resolve("tls/owner.token"), folder.resolve("owner.token"));

    run(
        commands
            .get(2)
            .replace("sha256/...", pin.group())
            .replace("--server localhost", "--server localhost:" + grpcPort));
  }

  @Test
  void library_linesOfReadme_compileAndRun() throws Exception {
    String text = Files.readString(Pages.README);
    Matcher version =
        Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(Pages.ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();
    assertThat(text).contains("`dev.ferry:ferry-library:" + version.group(1) + "`");
    serve("./ferry serve docs");
    List<String> lines = Pages.block(Pages.README, "As a library");
    String imports =
        lines.stream().filter(l -> l.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        lines.stream().filter(l -> !l.startsWith("import ")).collect(Collectors.joining("\n"));
    Files.writeString(
        folder.resolve("Library.java"),
        """
        %s
        class Library {
          public static void main(String[] args) throws Exception {
            %s
          }
        }
        """
            .formatted(
                imports,
                body.replace(
                    "connect(\"ferry://127.0.0.1:7070\")",
                    "builder(\"ferry://127.0.0.1:%d\").protocol(dev.ferry.library.Protocol.GRPC)"
                            .formatted(grpcPort)
                        + ".connect()")));

    run("'%s' -cp '%s' Library.java".formatted(java(), System.getProperty("java.class.path")));
    assertThat(folder.resolve("library.txt")).hasSameBinaryContentAs(folder.resolve("LICENSE"));
    assertThat(folder.resolve("stream.txt")).hasSameBinaryContentAs(folder.resolve("LICENSE"));
  }

  private ProcessBuilder shell(String command) {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", command)
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("FERRY_CONFIG", "");
    builder.environment().put("FERRY_GRPC_PORT", "0");
    builder.environment().put("FERRY_HTTP_PORT", "0");
    if (grpcPort != 0) {
      builder.environment().put("FERRY_SERVER", "127.0.0.1:" + grpcPort);
    }
    return builder;
  }

  /** Runs a command in the shell, and returns its output. */
  private String run(String command) throws Exception {
    Process process = shell(command).start();
    process.outputWriter().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).as(command).isTrue();
    assertThat(process.exitValue()).as("%s\n%s", command, output).isZero();
    return output;
  }

  /** Starts a server, which other commands then use. */
  private void serve(String command) throws Exception {
    assertThat(command).contains("./ferry serve ");
    Process server = shell(command).start();
    servers.add(server);
    String first = server.inputReader().readLine();
    Matcher port = Pattern.compile("^grpc  \\S+:(\\d+)").matcher(first == null ? "" : first);
    assertThat(port.find()).as("%s\n%s", command, first).isTrue();
    grpcPort = Integer.parseInt(port.group(1));
  }
}
