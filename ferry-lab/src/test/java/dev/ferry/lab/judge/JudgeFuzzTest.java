package dev.ferry.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FuzzTarget;
import dev.ferry.lab.judge.Judge.Judgement;
import dev.ferry.lab.judge.Judge.Report;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Published reports, with tables and without. */
final class JudgeFuzzTest implements FuzzTarget {
  @Override
  public void parse(byte[] input) {
    String text = new String(input, StandardCharsets.UTF_8);
    for (boolean markdown : new boolean[] {true, false}) {
      Judgement judgement = Judge.judge(List.of(new Report("report", text)), List.of(), markdown);
      for (String word : new String[] {"NaN", "Infinity", "null"}) {
        assertThat(!text.contains(word) && judgement.text().contains(word)).as(word).isFalse();
      }
      assertThat(judgement.unread()).allMatch(line -> line.startsWith("report"));
    }
  }
}
