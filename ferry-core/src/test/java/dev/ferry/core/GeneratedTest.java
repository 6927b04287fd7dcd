package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GeneratedTest {
  private static final int TRIES = 300;

  private static List<List<Object>> inputs(int batches) {
    List<List<Object>> inputs = new ArrayList<>();
    Generated.check(
        TRIES,
        null,
        batches,
        input ->
            inputs.add(
                List.of(
                    input.anyLong(),
                    input.between(0, 1e9),
                    input.flag(),
                    input.text(40),
                    input.list(1, 5, input::anyByte),
                    input.of(Thread.State.class))));
    return inputs;
  }

  @Test
  void check_again_triesTheSameInputs() {
    List<List<Object>> first = inputs(0);

    assertThat(inputs(0)).isEqualTo(first);
    assertThat(new HashSet<>(first)).hasSize(TRIES);
  }

  @Test
  void check_inBatches_triesOtherInputsAfterThose() {
    List<List<Object>> all = inputs(2);

    assertThat(all.subList(0, TRIES)).isEqualTo(inputs(0));
    assertThat(new HashSet<>(all)).hasSize(3 * TRIES);
  }

  @Test
  void check_ofWhatFails_saysWhatRepeatsIt() {
    List<Integer> sizes = new ArrayList<>();
    AssertionError failure =
        catchThrowableOfType(
            AssertionError.class,
            () ->
                Generated.check(
                    TRIES,
                    null,
                    1,
                    input -> {
                      byte[] bytes = input.bytes(1_000);
                      sizes.add(bytes.length);
                      assertThat(bytes.length + input.between(0, 9)).isLessThan(100);
                    }));
    String seed =
        String.valueOf(failure.getMessage()).replaceFirst("(?s).*ferry.seed=(-?\\d+).*", "$1");
    int last = sizes.get(sizes.size() - 1);
    assertThat(last).as("is met with a small one").isLessThan(200);
    assertThat(failure).hasMessageContaining("(" + last + " bytes ");

    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Generated.check(
                    TRIES,
                    Long.valueOf(seed),
                    1,
                    input -> assertThat(input.bytes(1_000)).hasSize(-1)))
        .withMessageContaining("(" + last + " bytes ");
  }

  @Test
  void check_ofTextThatFails_showsItInPrintableCharacters() {
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(
            () ->
                Generated.check(
                    1,
                    null,
                    0,
                    input -> {
                      String unused = input.of("a\n\ud83d\ude00");
                      throw new IllegalStateException("broken");
                    }))
        .withMessage("with -Dferry.seed=0 (a\\u{a}\\u{1f600}): broken");
  }

  @Test
  void check_severalHundredTimes_meetsTheExtremes() {
    Set<Object> met = new HashSet<>();
    Generated.check(
        TRIES,
        null,
        0,
        input -> {
          met.add(input.anyInt());
          met.add(input.anyLong());
          met.add("from " + input.between(7, 99_999));
          met.add("from " + input.between(-0.5, 0.5));
          met.add(input.size(30) + " of 30");
          met.add(input.bytes(30).length + " bytes");
          String text = input.text(30);
          met.add(text.length() + " characters");
          met.addAll(text.codePoints().mapToObj(Character::getType).collect(Collectors.toSet()));
        });
    assertThat(met)
        .contains(0, Integer.MIN_VALUE, Integer.MAX_VALUE, 0L, Long.MIN_VALUE, Long.MAX_VALUE)
        .contains(-1L, 1L << 31)
        .contains("from 7", "from 8", "from 99998", "from 99999", "from -0.5", "from 0.5")
        .contains("0 of 30", "1 of 30", "30 of 30", "0 bytes", "30 bytes", "0 characters")
        .contains((int) Character.CONTROL, (int) Character.SURROGATE, (int) Character.UNASSIGNED)
        .contains((int) Character.NON_SPACING_MARK, (int) Character.FORMAT);
  }
}
