package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTest {
  /** As many tests as the smallest of the classes that have configurations, or so. */
  private static final List<String> TESTS = tests(40);

  private static List<String> tests(int count) {
    // The name of the method, and the one that JUnit displays.
    return IntStream.range(0, count)
        .mapToObj(i -> "test_number%d_holdstest_number%d_holds()".formatted(i, i))
        .toList();
  }

  private static List<List<String>> product(List<List<String>> options) {
    List<List<String>> tuples = List.of(List.of());
    for (List<String> values : options) {
      tuples =
          tuples.stream()
              .flatMap(
                  tuple ->
                      values.stream()
                          .map(v -> Stream.concat(tuple.stream(), Stream.of(v)).toList()))
              .toList();
    }
    return tuples;
  }

  static Stream<List<List<String>>> configurations() {
    List<List<String>> clients =
        product(List.of(List.of("a", "b", "c", "d", "e"), List.of("1.1", "2"), List.of("-", "+")));
    // Not every tuple need exist.
    List<List<String>> odd = new ArrayList<>(clients);
    odd.removeIf(tuple -> tuple.get(0).equals("c") && tuple.get(1).equals("2"));
    odd.add(List.of("a", "1.1", "?"));
    return Stream.of(
        clients,
        odd,
        product(List.of(List.of("x", "y", "z"), List.of("x", "y", "z"))),
        product(List.of(List.of("one", "two", "three"))),
        List.of(List.of("only")));
  }

  private static List<Round<List<String>>> rounds(List<List<String>> all, boolean thorough) {
    return Round.of(all, tuple -> tuple, thorough).toList();
  }

  private static Set<List<String>> chosen(List<Round<List<String>>> rounds, String test) {
    Set<List<String>> chosen = new HashSet<>();
    for (Round<List<String>> round : rounds) {
      chosen.add(round.configuration(test));
    }
    return chosen;
  }

  /** Each pair of values that occurs together, with the numbers of their options. */
  private static Set<List<Object>> pairs(Iterable<List<String>> tuples) {
    Set<List<Object>> pairs = new HashSet<>();
    for (List<String> tuple : tuples) {
      for (int i = 0; i < tuple.size(); i++) {
        for (int j = i; j < tuple.size(); j++) {
          pairs.add(List.of(i, tuple.get(i), j, tuple.get(j)));
        }
      }
    }
    return pairs;
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void quick_eachTest_meetsEachValue(List<List<String>> all) {
    List<Round<List<String>>> rounds = rounds(all, false);
    for (String test : TESTS) {
      for (int option = 0; option < all.get(0).size(); option++) {
        int at = option;
        assertThat(chosen(rounds, test))
            .extracting(tuple -> tuple.get(at))
            .containsAll(all.stream().map(tuple -> tuple.get(at)).toList());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void quick_allTests_meetEachPairAndEachConfiguration(List<List<String>> all) {
    List<Round<List<String>>> rounds = rounds(all, false);
    Set<List<String>> chosen = new HashSet<>();
    TESTS.forEach(test -> chosen.addAll(chosen(rounds, test)));
    assertThat(pairs(chosen)).isEqualTo(pairs(all));
    assertThat(chosen).containsExactlyInAnyOrderElementsOf(all);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void quick_rounds_areHardlyMoreThanTheLongestOptionHasValues(List<List<String>> all) {
    int longest =
        IntStream.range(0, all.get(0).size())
            .map(i -> (int) all.stream().map(tuple -> tuple.get(i)).distinct().count())
            .max()
            .orElse(0);
    // One more where a value occurs in one configuration alone.
    assertThat(rounds(all, false)).hasSizeBetween(longest, longest + 1);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void thorough_eachTest_runsInEveryConfiguration(List<List<String>> all) {
    List<Round<List<String>>> rounds = rounds(all, true);
    assertThat(rounds).hasSameSizeAs(all);
    for (String test : TESTS) {
      assertThat(chosen(rounds, test)).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void shared_quick_eachTestHasOneAndAllTestsHaveEach(List<List<String>> all) {
    List<Round<List<String>>> rounds = Round.shared(all, false).toList();
    Set<List<String>> chosen = new HashSet<>();
    for (String test : tests(20 * all.size())) {
      assertThat(chosen(rounds, test))
          .hasSize(1)
          .isEqualTo(chosen(Round.shared(all, false).toList(), test));
      chosen.addAll(chosen(rounds, test));
    }
    assertThat(chosen).containsExactlyInAnyOrderElementsOf(all);
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void shared_thorough_eachTestRunsInEveryConfiguration(List<List<String>> all) {
    List<Round<List<String>>> rounds = Round.shared(all, true).toList();
    assertThat(rounds).hasSameSizeAs(all);
    for (String test : TESTS) {
      assertThat(chosen(rounds, test)).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void choice_madeAgain_isTheSame(List<List<String>> all) {
    List<Round<List<String>>> first = rounds(all, false);
    List<Round<List<String>>> again = rounds(all, false);
    for (String test : TESTS) {
      assertThat(chosen(first, test)).isEqualTo(chosen(again, test));
    }
  }
}
