package dev.ferry.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FerryException;
import dev.ferry.core.FuzzTarget;
import dev.ferry.core.Fuzzing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of users and tokens, and what an administrator puts into them. */
final class CallersFuzzTest implements FuzzTarget {
  private static final String NAME = "new";

  /** A change of a file. */
  @FunctionalInterface
  private interface Change {
    void make() throws IOException;
  }

  @Override
  public void parse(byte[] input) throws Exception {
    Path file = Fuzzing.emptyFolder("callers").resolve("callers");
    Files.write(file, input);
    List<Caller> callers = read(file);
    if (callers != null) {
      rewritten(file, callers);
    }
    String text = new String(input, StandardCharsets.UTF_8);
    token(text);
    List<String> words = Arrays.asList(text.split(" ", -1));
    added(file, text, words);
  }

  private static @Nullable List<Caller> read(Path file) throws IOException {
    try {
      List<Caller> callers = CallersFile.list(file);
      CallersFile open = CallersFile.open(file);
      assertThat(open.find("x")).isNull();
      assertThat(open.findBySubject("x")).isNull();
      return callers;
    } catch (FerryException e) {
      assertThat(e.getMessage()).startsWith(file + ":").doesNotContain("\n", "\r");
      return null;
    }
  }

  /** Has each line of a caller written, which says the same as before. */
  private static void rewritten(Path file, List<Caller> callers) throws IOException {
    for (Caller caller : callers) {
      List<String> rules = new ArrayList<>(caller.rules().stream().map(Object::toString).toList());
      rules.addAll(caller.limits().texts());
      CallersFile.setRules(file, caller.name(), rules);
    }
    assertThat(CallersFile.list(file)).isEqualTo(callers);
    for (Caller caller : callers) {
      CallersFile.removeToken(file, caller.name());
    }
    assertThat(CallersFile.list(file)).isEmpty();
  }

  /** Adds what may be in no file, by each thing that a caller may be known by. */
  private static void added(Path file, String known, List<String> rules) throws IOException {
    for (Change change :
        List.<Change>of(
            () -> CallersFile.addSubject(file, NAME, known, List.of("read:/")),
            () -> CallersFile.addCertificate(file, NAME, known, List.of("read:/")),
            () -> assertThat(CallersFile.addToken(file, NAME, rules)).isNotEmpty(),
            () -> assertThat(CallersFile.addToken(file, known, List.of("read:/"))).isNotEmpty(),
            () -> assertThat(CallersFile.rotateToken(file, NAME, Instant.MAX)).isNotEmpty())) {
      Files.writeString(file, "other  jwt:other  read:/\n");
      try {
        change.make();
      } catch (FerryException e) {
        assertThat(CallersFile.list(file)).hasSize(1);
        continue;
      }
      assertThat(CallersFile.list(file)).hasSize(2);
      assertThat(Files.readAllLines(file)).hasSize(2);
    }
  }

  private static void token(String text) {
    try {
      String field = Token.parse(text).authorization("localhost", false);
      assertThat(field).isEqualTo("Bearer " + text.strip()).doesNotContain("\r", "\n");
    } catch (FerryException e) {
      assertThat(e.getMessage()).startsWith("this is not a token");
    }
  }
}
