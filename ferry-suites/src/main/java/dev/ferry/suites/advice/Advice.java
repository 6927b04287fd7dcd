package dev.ferry.suites.advice;

import dev.ferry.lab.model.RunDocument;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Advice from a run. */
public final class Advice {
  private static final String NOTHING =
      "This run decides nothing about it. ferry bench measures downloads and uploads; --suite"
          + " connection-reuse and --suite reply-shapes measure calls and streams.";

  private Advice() {}

  /** Returns whether a rule is about a table of a run. */
  public static boolean hasRules(RunDocument run) {
    return run.rows().stream().anyMatch(row -> Facts.hasRule(row.key()));
  }

  /** Returns the sentences for all purposes. */
  public static List<String> of(RunDocument run) {
    return of(run, EnumSet.allOf(Purpose.class));
  }

  /** Returns the sentences for some purposes. If a run has several JDKs, each has its own. */
  public static List<String> of(RunDocument run, Set<Purpose> purposes) {
    List<String> sentences = new ArrayList<>();
    List<String> jdks = Facts.jdks(run);
    for (String jdk : jdks) {
      Facts facts = new Facts(run, jdk);
      String start = jdks.size() == 1 ? "" : "Java " + jdk + ": ";
      AdviceRules.ALL.stream()
          .filter(rule -> rule.purposes().stream().anyMatch(purposes::contains))
          .flatMap(rule -> rule.sentence().apply(facts).stream())
          .forEach(sentence -> sentences.add(start + sentence));
    }
    sentences.add(sentences.isEmpty() ? NOTHING : AdviceRules.whatWouldChange(run));
    AdviceRules.withoutRules(run).ifPresent(sentences::add);
    return List.copyOf(sentences);
  }
}
