package dev.ferry.suites.advice;

import dev.ferry.lab.model.RunDocument;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Advice from a run. */
public final class Advice {
  private static final int MOST = 8;

  private Advice() {}

  /** Returns the sentences for all purposes; eight at most. */
  public static List<String> of(RunDocument run) {
    return of(run, EnumSet.allOf(Purpose.class));
  }

  /** Returns the sentences for some purposes; eight at most. */
  public static List<String> of(RunDocument run, Set<Purpose> purposes) {
    Facts facts = new Facts(run);
    List<String> sentences =
        AdviceRules.ALL.stream()
            .filter(rule -> rule.purposes().stream().anyMatch(purposes::contains))
            .flatMap(rule -> rule.sentence().apply(facts).stream())
            .limit(MOST)
            .toList();
    return sentences.size() > 1
        ? sentences
        : List.of(
            "This run decides nothing about it. ferry bench measures downloads and uploads; --suite"
                + " connection-reuse and --suite reply-shapes measure calls and streams.");
  }
}
