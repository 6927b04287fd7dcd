package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FerryExceptionTest {
  static Stream<Arguments> types() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("/srv/x"), ErrorKind.NOT_FOUND),
        Arguments.of(new AccessDeniedException("/srv/x"), ErrorKind.PERMISSION_DENIED),
        Arguments.of(new FileAlreadyExistsException("/srv/x"), ErrorKind.ALREADY_EXISTS),
        Arguments.of(new NotDirectoryException("/srv/x"), ErrorKind.ALREADY_EXISTS),
        Arguments.of(new FileSystemLoopException("/srv/x"), ErrorKind.INVALID_PATH),
        Arguments.of(new ClosedByInterruptException(), ErrorKind.CANCELLED),
        Arguments.of(new AsynchronousCloseException(), ErrorKind.CANCELLED),
        Arguments.of(new InterruptedIOException(), ErrorKind.CANCELLED),
        Arguments.of(new InterruptedIOException("timeout"), ErrorKind.INTERNAL),
        Arguments.of(new SocketTimeoutException("too late"), ErrorKind.INTERNAL),
        Arguments.of(new FileSystemException("/srv/x"), ErrorKind.INTERNAL),
        Arguments.of(new IOException(), ErrorKind.INTERNAL));
  }

  @ParameterizedTest
  @MethodSource("types")
  void of_aType_hasItsKindAndNamesTheFile(IOException failure, ErrorKind kind) {
    FerryException mapped = FerryException.of(failure, "a/b");
    assertThat(mapped.kind()).isEqualTo(kind);
    assertThat(mapped).hasMessageStartingWith("a/b: ").hasCause(failure);
    assertThat(mapped.getMessage()).doesNotContain("/srv", "null");
  }

  @ParameterizedTest
  @CsvSource({
    "No space left on device,OUT_OF_SPACE",
    "Disk quota exceeded,OUT_OF_SPACE",
    "File too large,TOO_LARGE",
    "File name too long,INVALID_PATH",
    "Too many levels of symbolic links,INVALID_PATH",
    "Not a directory,ALREADY_EXISTS",
    "Is a directory,ALREADY_EXISTS",
    "Read-only file system,PERMISSION_DENIED",
    "Operation not permitted,PERMISSION_DENIED",
    "Input/output error,INTERNAL"
  })
  void of_aSystemError_hasItsKindWhoeverThrowsIt(String text, ErrorKind kind) {
    FerryException ofWrite = FerryException.of(new IOException(text), "a/b");
    FerryException ofPath =
        FerryException.of(new FileSystemException("/srv/x", "/srv/y", text), "a/b");
    assertThat(ofWrite.kind()).isEqualTo(kind);
    assertThat(ofPath.kind()).isEqualTo(kind);
    assertThat(ofPath.getMessage()).startsWith("a/b: ").doesNotContain("/srv");
  }

  @Test
  void of_aPathThatReadsLikeAnError_isNotMistakenForIt() {
    IOException failure =
        new FileSystemException("/srv/no space left on device", null, "Input/output error");
    assertThat(FerryException.of(failure, "a").kind()).isEqualTo(ErrorKind.INTERNAL);
  }

  @Test
  void of_oneOfOurOwn_isItself() {
    FerryException own = new FerryException(ErrorKind.TOO_LARGE, "x");
    assertThat(FerryException.of(own, "a")).isSameAs(own);
  }
}
