package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Main;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

final class ErrorLineTest {
  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("a/b"), "a/b: no such file"),
        Arguments.of(new AccessDeniedException("a/b"), "a/b: permission denied"),
        Arguments.of(
            new UncheckedIOException(
                new FileSystemException("a/b", null, "No space left on device")),
            "a/b: no space left on the disk"),
        Arguments.of(
            new IOException("No space left on device"), "a local file: no space left on the disk"),
        Arguments.of(new FileSystemException("a/b"), "a/b: reading or writing failed"),
        Arguments.of(new ClosedChannelException(), "a local file: reading or writing failed"),
        Arguments.of(new EOFException(), "a local file: reading or writing failed"),
        Arguments.of(
            new NullPointerException("x"),
            "internal error; please report it with what --debug prints"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void handleExecutionException_anyFailure_isOneLineWithoutNamesOfClasses(
      Exception failure, String message) throws Exception {
    StringWriter err = new StringWriter();
    CommandLine ferry = new Main().commandLine().setErr(new PrintWriter(err, true));

    int exitCode =
        new ErrorLine(() -> false, false)
            .handleExecutionException(failure, ferry, ferry.parseArgs("ls"));

    assertThat(exitCode).isEqualTo(1);
    assertThat(err.toString()).isEqualTo("ferry: " + message + System.lineSeparator());
  }
}
