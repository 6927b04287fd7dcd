package dev.ferry.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class FailureCodeTest {
  private static int expected(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> 3;
      case ALREADY_EXISTS, NOT_EMPTY, VERSION_MISMATCH -> 4;
      case PERMISSION_DENIED, UNAUTHENTICATED, LOCKED -> 5;
      case UNAVAILABLE, OVERLOADED -> 6;
      case DEADLINE_EXCEEDED -> 7;
      case DIGEST_MISMATCH, INCOMPLETE, FILE_CHANGED, OFFSET_MISMATCH -> 8;
      case OUT_OF_SPACE, TOO_LARGE -> 9;
      case INVALID_PATH, INVALID_REQUEST, CANCELLED, INTERNAL -> 1;
    };
  }

  @ParameterizedTest
  @EnumSource
  void of_aFailure_isThatOfItsKind(ErrorKind kind) {
    int code = expected(kind);
    assertThat(FailureCode.of(new FerryException(kind, "x")).code()).isEqualTo(code);
    assertThat(FailureCode.of(new Refusal(kind, "x")).code()).isEqualTo(code);
  }

  @Test
  void of_otherExceptions_isThatOfTheirMeaning() {
    assertThat(FailureCode.of(new NoSuchFileException("x"))).isEqualTo(FailureCode.NOT_FOUND);
    assertThat(FailureCode.of(new IllegalStateException("x"))).isEqualTo(FailureCode.OTHER);
  }

  @Test
  void codes_areInTheHelpAndInTheTableOfTheDocuments() throws Exception {
    String table = Files.readString(Path.of("../docs/commands.md"));
    String help = Outcome.of("help", "exit-codes").out();
    for (FailureCode code : FailureCode.values()) {
      assertThat(help).containsPattern("(?m)^ +" + code.code() + " +\\S");
      assertThat(table).contains("| " + code.code() + " | " + code.description() + " |");
    }
  }
}
