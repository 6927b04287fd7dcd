package dev.ferry.suites.advice;

import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.NetworkRun;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Advice from a run. */
public final class Advice {
  private static final String NOTHING =
      "Not enough was measured for advice. ferry bench measures downloads and uploads; --suite"
          + " connection-reuse and --suite reply-shapes measure calls and streams.";

  private Advice() {}

  /** Returns the sentences for all purposes: first the answer, and at most eight more. */
  public static List<String> of(RunDocument run) {
    return of(run, EnumSet.allOf(Purpose.class));
  }

  /** Returns the sentences for some purposes. If a run has several JDKs, each has its own. */
  public static List<String> of(RunDocument run, Set<Purpose> purposes) {
    NetworkRun network = run.network();
    if (network != null && network.reason() != null) {
      return List.of("No answer: " + network.reason());
    }
    List<String> texts =
        new ArrayList<>(sentences(run, purposes).stream().map(Sentence::text).toList());
    Optional<String> without = AdviceRules.withoutRules(run);
    if (!texts.isEmpty()) {
      texts.add(AdviceRules.whatWouldChange(run) + AdviceRules.notDecided(run));
    } else if (without.isEmpty()) {
      texts.add(NOTHING);
    }
    without.ifPresent(texts::add);
    return List.copyOf(texts);
  }

  /** Returns what is said about rows. The first one is the answer. */
  static List<Sentence> sentences(RunDocument run, Set<Purpose> purposes) {
    List<Sentence> answers = new ArrayList<>();
    List<Sentence> others = new ArrayList<>();
    List<String> jdks = MeasuredRows.jdks(run);
    for (String jdk : jdks) {
      String start = jdks.size() == 1 ? "" : "Java " + jdk + ": ";
      AdviceRules rules = new AdviceRules(new MeasuredRows(run, jdk), purposes);
      List<Sentence> of =
          rules.all().stream()
              .map(sentence -> new Sentence(start + sentence.text(), sentence.claims()))
              .toList();
      if (!of.isEmpty()) {
        answers.add(of.get(0));
        others.addAll(of.subList(1, of.size()));
      }
    }
    if (answers.isEmpty()) {
      return List.of();
    }
    List<Sentence> all = new ArrayList<>();
    all.add(Sentence.joined(answers, " ", "", ""));
    all.addAll(others);
    return all;
  }
}
