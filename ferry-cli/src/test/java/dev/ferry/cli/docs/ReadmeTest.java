package dev.ferry.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** README.md: its size, its commands in their order in a new folder, and its code. */
@Timeout(300)
final class ReadmeTest {
  private static final int MOST_WORDS = 700;
  private static final int MOST_WORDS_OF_A_PARAGRAPH = 60;

  @TempDir static Path folder;
  private static Clone clone;

  @BeforeAll
  static void makeAClone() throws Exception {
    clone = new Clone(folder);
    Files.copy(Pages.ROOT.resolve("LICENSE"), folder.resolve("LICENSE"));
    Files.copy(
        Pages.ROOT.resolve("docs/start.md"),
        Files.createDirectory(folder.resolve("docs")).resolve("start.md"));
    Files.createDirectory(folder.resolve("files"));
  }

  @AfterAll
  static void closeClone() throws Exception {
    clone.close();
  }

  /** Removes what another test has made. */
  private static void clean() throws Exception {
    clone.run(List.of("shopt -s extglob", "rm -rf -- !(ferry|LICENSE|docs|files) files/*"));
  }

  private static int words(String text) {
    return (int) Pattern.compile("\\S+").matcher(text).results().count();
  }

  @Test
  void readme_isShort() throws IOException {
    assertThat(words(Files.readString(Pages.README).replaceAll("<!--.*-->", "")))
        .isLessThanOrEqualTo(MOST_WORDS);
    String prose = String.join("\n", Pages.prose(Pages.README)).replaceAll("\n- ", "\n\n");
    for (String paragraph : prose.split("\n\n+")) {
      if (!paragraph.startsWith("|")) {
        assertThat(words(paragraph)).as(paragraph).isLessThanOrEqualTo(MOST_WORDS_OF_A_PARAGRAPH);
      }
    }
  }

  @Test
  void commands_inTheirOrder_serveAndCopy() throws Exception {
    clean();
    List<String> commands = Pages.block(Pages.README, "Serve and copy");
    assertThat(commands).hasSize(6);
    clone.run(commands);

    Path license = folder.resolve("LICENSE");
    assertThat(Files.mismatch(folder.resolve("copy.txt"), license)).isEqualTo(-1);
    assertThat(Files.mismatch(folder.resolve("texts/license.txt"), license)).isEqualTo(-1);
    assertThat(
            Files.mismatch(folder.resolve("files/docs/start.md"), folder.resolve("docs/start.md")))
        .isEqualTo(-1);
  }

  @Test
  void commands_ofTls_areThoseThatInitPrints() throws Exception {
    clean();
    List<String> commands =
        Pages.block(Pages.README, "TLS and tokens").stream()
            .map(command -> command.replace("files.example.org", "localhost"))
            .toList();
    assertThat(commands).hasSize(3);
    String printed = clone.run(commands.subList(0, 1));
    Matcher pin = Pattern.compile("sha256/\\S+").matcher(printed);
    assertThat(pin.find()).as(printed).isTrue();

    clone.run(
        List.of(
            commands.get(1),
            "cp tls/owner.token .",
            commands.get(2).replace("sha256/...", pin.group())));
  }

  @Test
  void library_linesOfReadme_compileAndRun() throws Exception {
    String text = Files.readString(Pages.README);
    Matcher version =
        Pattern.compile("<version>([^<]+)</version>")
            .matcher(Files.readString(Pages.ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();
    assertThat(text).contains("`dev.ferry:ferry-library:" + version.group(1) + "`");
    clean();
    clone.run(List.of("./ferry serve files"));
    List<String> lines = Pages.block(Pages.README, "As a library");
    String imports =
        lines.stream().filter(l -> l.startsWith("import ")).collect(Collectors.joining("\n"));
    String body =
        lines.stream().filter(l -> !l.startsWith("import ")).collect(Collectors.joining("\n"));
    Path source =
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
                        "builder(\"ferry://127.0.0.1:%s\").protocol(dev.ferry.library.Protocol.GRPC)"
                                .formatted(clone.grpcPort())
                            + ".connect()")));

    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), source.toString()))
        .isZero();
    clone.run(
        List.of(
            "'%s' -XX:TieredStopAtLevel=1 -cp '%s:%s' Library"
                .formatted(Clone.java(), folder, System.getProperty("java.class.path"))));
    assertThat(Files.mismatch(folder.resolve("library.txt"), folder.resolve("LICENSE")))
        .isEqualTo(-1);
    assertThat(Files.mismatch(folder.resolve("stream.txt"), folder.resolve("LICENSE")))
        .isEqualTo(-1);
  }
}
