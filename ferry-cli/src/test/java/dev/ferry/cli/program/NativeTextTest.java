package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import dev.ferry.core.TestFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arguments and folders that are no text, which only a shell can give to a process. */
@Timeout(300)
final class NativeTextTest {
  @TempDir Path folder;

  private String run(String script) throws Exception {
    Path output = folder.resolve("output");
    String java = ProcessHandle.current().info().command().orElseThrow();
    String ferry =
        "ferry() { '%s' -XX:TieredStopAtLevel=1 -cp '%s' %s \"$@\"; }\n"
            .formatted(java, System.getProperty("java.class.path"), Main.class.getName());
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", ferry + script + "; echo exit $?")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("LC_ALL", "C.UTF-8");
    assertThat(builder.start().waitFor()).isZero();
    return Files.readString(output, StandardCharsets.UTF_8);
  }

  @Test
  void argument_thatIsNoUtf8_isRefusedAndNotTakenForAnotherName() throws Exception {
    Files.writeString(folder.resolve("q\ufffd"), "precious");
    assertThat(run("ferry put --server 127.0.0.1:1 --retries 0 $'q\\xe9'"))
        .contains("'q\\xe9' is not UTF-8, so Ferry cannot use it as a file name; rename the file")
        .endsWith("exit 2\n");
    assertThat(run("ferry put --server 127.0.0.1:1 --retries 0 $'q\\xef\\xbf\\xbd'"))
        .contains("connection refused")
        .endsWith("exit 6\n");
  }

  @Test
  void currentFolder_thatIsNoUtf8_isRefused() throws Exception {
    Files.createDirectory(TestFiles.ofBytes(folder, "dir\u00e9"));
    assertThat(run("cd $'dir\\xe9'; ferry config"))
        .contains("/dir\\xe9' is not UTF-8; change to another one")
        .endsWith("exit 2\n");
  }
}
