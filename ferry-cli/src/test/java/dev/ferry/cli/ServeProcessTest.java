package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code ferry serve} from outside, in a process of its own. */
@Timeout(300)
final class ServeProcessTest {
  private static final String READ_ONLY = "--read-only";

  @TempDir Path temporary;
  private Path root;
  private Path err;

  @BeforeEach
  void makeFolders() throws Exception {
    root = Files.createDirectory(temporary.resolve("root"));
    err = temporary.resolve("err");
  }

  /**
   * Starts to serve.
   *
   * @param run what starts the JVM, which is this user's without a privilege of root's to read and
   *     write everything
   */
  private Process serve(List<String> run, Path folder, String... options) throws Exception {
    List<String> command = new ArrayList<>(run);
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add(PseudoTerminal.SHORT_LIFE);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", folder.toString()));
    command.addAll(List.of("--grpc-port=0", "--http-port=0"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).redirectError(err.toFile()).start();
  }

  /** Signals begin as they are for a user: a build in the background of a shell ignores SIGINT. */
  private static List<String> withSignals() {
    return List.of("env", "--default-signal=INT,HUP,TERM");
  }

  private static List<String> withoutPrivileges() throws Exception {
    boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    return isRoot ? List.of("setpriv", "--bounding-set=-dac_override,-dac_read_search") : List.of();
  }

  private void assertFails(Process process, String line) throws Exception {
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(5);
    assertThat(err).content().isEqualTo(line + System.lineSeparator());
    assertThat(process.getInputStream()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"TERM,0", "INT,130", "HUP,129"})
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void serve_signal_stopsInOrderAndExitsWithItsCode(String signal, int code) throws Exception {
    Process process = serve(withSignals(), root);
    try (BufferedReader out = process.inputReader()) {
      for (String port : List.of("grpc", "http")) {
        assertThat(out.readLine()).startsWith(port);
      }
      new ProcessBuilder("sh", "-c", "kill -" + signal + " " + process.pid()).start().waitFor();

      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(code);
      assertThat(out.readLine()).isEqualTo("stopped");
      assertThat(err).isEmptyFile();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void serve_folderThatCannotBeRead_fails() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("-wx------"));
    try {
      assertFails(
          serve(withoutPrivileges(), root),
          "ferry serve: " + root + ": cannot be read; check its permissions");
    } finally {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void serve_folderThatCannotBeWritten_asksForReadOnly() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("r-x------"));
    try {
      assertFails(
          serve(withoutPrivileges(), root),
          "ferry serve: " + root + ": cannot be written to; --read-only serves it anyway");
    } finally {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void serve_folderThatCannotBeWritten_isServedReadOnly() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("r-x------"));
    try {
      Process process = serve(withoutPrivileges(), root, READ_ONLY);
      try (BufferedReader out = process.inputReader()) {
        assertThat(out.readLine()).startsWith("grpc").contains("read-only");
      } finally {
        process.destroyForcibly();
      }
    } finally {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
    }
  }
}
