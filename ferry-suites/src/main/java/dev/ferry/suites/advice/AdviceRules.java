package dev.ferry.suites.advice;

import dev.ferry.core.ByteSize;
import dev.ferry.core.Digest;
import dev.ferry.lab.model.Comparison;
import dev.ferry.lab.model.Disturbance;
import dev.ferry.lab.model.Interval;
import dev.ferry.lab.model.RootText;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Verdict;
import dev.ferry.lab.report.VerdictText;
import dev.ferry.suites.advice.Claim.Relation;
import dev.ferry.suites.tls.ProviderParameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules of the advice, and what is said of every run. A rule says nothing if its rows were not
 * measured, and states a difference only if the verdict is decided.
 */
final class AdviceRules {
  private static final String DOWNLOAD = "download";
  private static final String UPLOAD = "upload";
  private static final String PRODUCT = "ZeroCopy";
  private static final double WELL_COMPRESSED = 0.9;
  private static final int PERCENT = 100;

  /** More methods than this are not recommended by name. */
  private static final int MOST_RECOMMENDED = 3;

  private final MeasuredRows measured;
  private final Set<Purpose> purposes;

  /** The tables of files that the purposes are about. */
  private final List<String> tables;

  private final List<Answer> questions;

  AdviceRules(MeasuredRows measured, Set<Purpose> purposes) {
    this.measured = measured;
    this.purposes = purposes;
    this.tables =
        Stream.of(DOWNLOAD, UPLOAD)
            .filter(
                table ->
                    purposes.contains(table.equals(DOWNLOAD) ? Purpose.DOWNLOADS : Purpose.UPLOADS))
            .toList();
    this.questions = allQuestions().stream().filter(Answer::asks).toList();
  }

  /** Returns the answer, if rows were compared, and then the sentences of all rules. */
  List<Sentence> all() {
    List<Answer> decided = questions.stream().filter(Answer::decides).toList();
    List<Sentence> answer = new ArrayList<>(decided.stream().map(Answer::sentence).toList());
    recommended(decided, questions.size() > decided.size()).ifPresent(answer::add);
    noAnswer(questions.stream().filter(question -> !question.decides()).toList())
        .ifPresent(answer::add);
    return Stream.of(
            paragraph(answer),
            paragraph(decided.stream().flatMap(each -> each.uncertain().stream()).toList()),
            protocols(questions, answer),
            defaultClient(),
            verifying(),
            compressing())
        .flatMap(Optional::stream)
        .toList();
  }

  /** Returns sentences as one text; empty if there are none. */
  private static Optional<Sentence> paragraph(List<Sentence> sentences) {
    return sentences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Sentence.joined(sentences.stream().map(AdviceRules::capital).toList(), " ", "", ""));
  }

  /**
   * Says which method to use, for one question or several.
   *
   * @param others whether there are questions that are not decided
   */
  private static Optional<Sentence> recommended(List<Answer> decided, boolean others) {
    if (decided.isEmpty()) {
      return Optional.empty();
    }
    List<String> common = methods(decided.get(0));
    decided.forEach(each -> common.retainAll(methods(each)));
    boolean all = decided.stream().allMatch(each -> methods(each).size() == common.size());
    boolean whole = all && common.size() > 1 && decided.stream().noneMatch(Answer::namesOthers);
    String which;
    if (whole) {
      which = common.size() == 2 ? "either" : "any of the " + number(common.size());
    } else if (!common.isEmpty()) {
      which = recommended(decided.get(0), common);
    } else if (decided.size() == 2) {
      which =
          decided.stream()
              .map(each -> recommended(each, methods(each)) + " for " + each.noun())
              .collect(Collectors.joining(" and "));
    } else {
      return Optional.empty();
    }
    String where = "";
    if (!common.isEmpty() && others) {
      where = " for " + decided.stream().map(Answer::noun).collect(Collectors.joining(" and "));
    } else if (!common.isEmpty() && !whole && decided.size() > 1) {
      where = decided.size() == 2 ? " for both" : " for all";
    }
    return Optional.of(
        new Sentence(
            "Use " + which + where + ".",
            decided.stream()
                .flatMap(each -> each.best().stream())
                .filter(row -> common.isEmpty() || common.contains(row.method()))
                .map(row -> Claim.of(row, Relation.MAY_BE_FASTEST))
                .toList()));
  }

  private static List<String> methods(Answer answer) {
    return new ArrayList<>(answer.best().stream().map(Row::method).toList());
  }

  /** Returns the names of some of the best methods, the fastest first. */
  private static String recommended(Answer answer, List<String> some) {
    return Answer.joined(
        answer.best().stream()
            .filter(row -> some.contains(row.method()))
            .limit(MOST_RECOMMENDED)
            .map(answer::name)
            .toList(),
        " or ");
  }

  private static String number(int count) {
    List<String> words = List.of("three", "four", "five", "six");
    return count - 3 < words.size() ? words.get(count - 3) : Integer.toString(count);
  }

  /** Says how much the protocol matters, if that is little for all questions. */
  private static Optional<Sentence> protocols(List<Answer> questions, List<Sentence> answer) {
    List<Claim> claims = new ArrayList<>();
    List<String> most = new ArrayList<>();
    for (Answer question : questions) {
      Optional<Claim> protocols = question.decides() ? question.protocols() : Optional.empty();
      if (protocols.isEmpty()) {
        return Optional.empty();
      }
      Claim claim = protocols.get();
      claims.add(claim);
      most.add(
          VerdictText.more(Objects.requireNonNull(claim.factor()).high())
              + " for "
              + question.noun());
    }
    answer.forEach(sentence -> claims.addAll(sentence.claims()));
    return most.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Sentence(
                "The client matters more than the protocol: the best of gRPC and the best of HTTP"
                    + " differ by at most "
                    + String.join(" and ", most)
                    + ".",
                claims));
  }

  private Optional<Sentence> noAnswer(List<Answer> questions) {
    if (questions.isEmpty()) {
      return Optional.empty();
    }
    Double others = measured.run().others();
    String minutes = "%1$d minutes (--time %1$dm)".formatted(measured.minutesForVerdicts());
    boolean disturbed = measured.run().rows().stream().anyMatch(row -> !row.disturbed().isEmpty());
    String why =
        !disturbed || others == null || others <= Disturbance.MOST_OTHERS
            ? "too few forks. Allow " + minutes
            : RootText.format(
                "other programs used %.0f %% of %s. Stop them and repeat, or allow %s",
                PERCENT * others,
                measured.run().server() == null ? "this machine" : "both machines",
                minutes);
    return Optional.of(
        new Sentence(
            "No answer for %s: %s."
                .formatted(
                    questions.stream().map(Answer::noun).collect(Collectors.joining(" and ")), why),
            questions.stream().flatMap(q -> q.tooFewForks().stream()).toList()));
  }

  private static Sentence capital(Sentence sentence) {
    String text = sentence.text();
    return new Sentence(
        text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1), sentence.claims());
  }

  private List<Answer> allQuestions() {
    List<Answer> questions = new ArrayList<>();
    for (String table : tables) {
      List<Row> rows = measured.choices(table);
      List<String> unusual = rows.isEmpty() ? List.of() : MeasuredRows.unusual(rows.get(0).key());
      questions.add(
          new Answer(
              table + "s" + (unusual.isEmpty() ? "" : " with " + String.join(", ", unusual)),
              measured,
              rows));
    }
    if (purposes.contains(Purpose.DOWNLOADS)) {
      questions.addAll(ofSuite(MeasuredRows.URL, "downloads from this server"));
      questions.addAll(
          ofTables(MeasuredRows.GRPC, MeasuredRows.STREAM::equals, "downloads from this server"));
    }
    if (purposes.contains(Purpose.SMALL_CALLS)) {
      questions.addAll(
          ofTables(
              MeasuredRows.GRPC,
              table -> !table.equals(MeasuredRows.STREAM),
              "calls to this server"));
      questions.addAll(ofSuite(MeasuredRows.CALLS, "calls (table %s%s)"));
    }
    if (purposes.contains(Purpose.STREAMS)) {
      questions.addAll(ofSuite(MeasuredRows.STREAMS, "replies (table %s%s)"));
    }
    return questions;
  }

  private List<Answer> ofSuite(String suite, String noun) {
    return ofTables(suite, table -> true, noun);
  }

  /**
   * Returns a question for each of some tables of a suite.
   *
   * @param noun what its rows do, with a place for the table and one for the setting
   */
  private List<Answer> ofTables(String suite, Predicate<String> some, String noun) {
    return measured.tables(suite).stream()
        .filter(some)
        .map(
            table -> {
              List<Row> rows =
                  measured.rows(suite, table).stream().filter(Methods::isChoice).toList();
              String setting =
                  rows.isEmpty() || rows.get(0).parameters().isEmpty()
                      ? ""
                      : ", " + rows.get(0).key().setting();
              return new Answer(noun.formatted(table, setting), measured, rows);
            })
        .toList();
  }

  /** Two rows of a table and what was decided about them. */
  private record Pair(String table, Row row, Row other, Comparison comparison) {
    Verdict verdict() {
      return comparison.verdict();
    }

    /** Returns the claim of the verdict that one is faster or slower. */
    Claim claim() {
      return new Claim(
          row, verdict() == Verdict.FASTER ? Relation.FASTER : Relation.SLOWER, other, factor());
    }

    /** Returns how many times faster or slower the row is. */
    Interval factor() {
      Interval time = Objects.requireNonNull(comparison.time());
      return verdict() == Verdict.FASTER ? time.inverse() : time;
    }

    String times() {
      return VerdictText.times(factor()) + (verdict() == Verdict.FASTER ? " faster" : " slower");
    }
  }

  /**
   * Returns the decided comparisons of two rows in the tables of the purposes.
   *
   * @param rows returns the row of a table, or empty if it was not measured
   * @param others returns the row with which it is compared
   */
  private List<Pair> decided(
      Function<String, Optional<Row>> rows,
      Function<String, Optional<Row>> others,
      BiFunction<Row, Row, Comparison> compare) {
    List<Pair> decided = new ArrayList<>();
    for (String table : tables) {
      Row row = rows.apply(table).orElse(null);
      Row other = others.apply(table).orElse(null);
      if (row != null && other != null) {
        Pair pair = new Pair(table, row, other, compare.apply(row, other));
        if (pair.verdict().decided()) {
          decided.add(pair);
        }
      }
    }
    return decided;
  }

  /** Says where the client that most people write will not do, and where it will. */
  private Optional<Sentence> defaultClient() {
    List<Pair> pairs =
        decided(
                table -> measured.row(table, "Default"),
                table -> measured.rows(table).stream().filter(Row::isBaseline).findFirst(),
                measured::compare)
            .stream()
            .filter(pair -> pair.verdict() != Verdict.SAME)
            .sorted(Comparator.comparing(pair -> pair.verdict() == Verdict.FASTER))
            .toList();
    return pairs.stream().noneMatch(pair -> pair.verdict() == Verdict.SLOWER)
        ? Optional.empty()
        : Optional.of(
            new Sentence(
                pairs.stream()
                    .map(
                        pair ->
                            "or %ss, %s is %s than %s"
                                .formatted(
                                    pair.table(),
                                    Methods.named(pair.row()),
                                    pair.times(),
                                    Methods.name(pair.other())))
                    .collect(Collectors.joining("; f", "F", ".")),
                pairs.stream().map(Pair::claim).toList()));
  }

  /**
   * Says what verifying costs. It cannot save time, so a verified row that is not slower shows no
   * cost, and nothing else.
   */
  private Optional<Sentence> verifying() {
    List<Sentence> parts =
        decided(
                table -> measured.row(table, PRODUCT),
                table -> measured.row(table, PRODUCT + Methods.BARE),
                measured::compare)
            .stream()
            .map(AdviceRules::verifying)
            .toList();
    if (!parts.isEmpty()) {
      return Optional.of(Sentence.joined(parts, " and ", "Verifying" + byDigest() + " ", "."));
    }
    return undecidedCost();
  }

  /** Says what the row is that compares no checksum, and how much that can save at most. */
  private Optional<Sentence> undecidedCost() {
    List<Claim> claims = new ArrayList<>();
    List<String> most = new ArrayList<>();
    boolean measuredBare = false;
    for (String table : tables) {
      Row row = measured.row(table, PRODUCT).orElse(null);
      Row bare = measured.row(table, PRODUCT + Methods.BARE).orElse(null);
      if (row == null || bare == null || !bare.hasEnoughForks()) {
        continue;
      }
      measuredBare = true;
      Interval cost = measured.compare(row, bare).time();
      if (cost != null && cost.high() > 1 && cost.high() <= Answer.CLOSE) {
        Interval said = new Interval(cost.value(), cost.low(), Answer.upToPercent(cost.high()));
        claims.add(new Claim(row, Relation.NO_COST, bare, said));
        most.add(VerdictText.more(said.high()) + " for " + table + "s");
      }
    }
    return measuredBare
        ? Optional.of(
            new Sentence(
                "%s is %s without its checksum, to show what that costs: %s in this run."
                    .formatted(
                        PRODUCT + Methods.BARE,
                        PRODUCT,
                        most.isEmpty() ? "not decided" : "at most " + String.join(" and ", most)),
                claims))
        : Optional.empty();
  }

  private static Sentence verifying(Pair pair) {
    return pair.verdict() == Verdict.SLOWER
        ? new Sentence(
            "makes %s %s for %ss".formatted(PRODUCT, pair.times(), pair.table()),
            List.of(pair.claim()))
        : new Sentence(
            "shows no cost beyond the noise of this run for " + pair.table() + "s",
            List.of(new Claim(pair.row(), Relation.NO_COST, pair.other(), null)));
  }

  /** Returns {@code by CRC-32C} after a space; empty if the run does not name one digest. */
  private String byDigest() {
    Set<String> digests =
        Stream.of(DOWNLOAD, UPLOAD)
            .flatMap(table -> measured.row(table, PRODUCT).stream())
            .map(row -> row.setup().digest())
            .collect(Collectors.toSet());
    return Stream.of(Digest.Algorithm.values())
        .filter(
            algorithm ->
                !digests.isEmpty()
                    && digests.stream().allMatch(each -> each.startsWith(algorithm.id())))
        .map(algorithm -> " by " + algorithm.label())
        .findFirst()
        .orElse("");
  }

  /** Says whether this file should be compressed. */
  private Optional<Sentence> compressing() {
    double part =
        (double) measured.run().file().gzip1Bytes() / Math.max(1, measured.run().file().bytes());
    String size = RootText.format("gzip -1 shrinks this file to %.0f %%", part * PERCENT);
    List<Pair> decided =
        decided(
            table -> measured.row("gzip-" + table, PRODUCT),
            table -> measured.row(table, PRODUCT),
            measured::compareCodecs);
    if (!decided.isEmpty()) {
      return Optional.of(
          Sentence.joined(
              decided.stream().map(AdviceRules::compressing).toList(),
              " and ",
              "Compressing ",
              "; " + size + ", so a slow network may decide otherwise."));
    }
    boolean compared = tables.stream().anyMatch(table -> measured.choices(table).size() > 1);
    return compared
        ? Optional.of(new Sentence(undecided(part, size), List.of()))
        : Optional.empty();
  }

  private static Sentence compressing(Pair pair) {
    return pair.verdict() == Verdict.SAME
        ? new Sentence("makes no difference for " + pair.table() + "s", List.of())
        : new Sentence(
            "makes %s %s for %ss".formatted(PRODUCT, pair.times(), pair.table()),
            List.of(pair.claim()));
  }

  private String undecided(double part, String size) {
    if (part > WELL_COMPRESSED) {
      return "Do not compress: " + size + ".";
    }
    boolean compressed =
        tables.stream().anyMatch(table -> measured.row("gzip-" + table, PRODUCT).isPresent());
    return compressed
        ? "Whether to compress is not decided; " + size + "."
        : size
            + ". To see whether that pays, run: ferry bench --suite answer --filter table=download"
            + " --filter table=gzip-download";
  }

  /** Names the tables of a run that no rule is about; empty if there are none. */
  static Optional<String> withoutRules(RunDocument run) {
    Map<String, Set<String>> tables =
        run.rows().stream()
            .map(Row::key)
            .filter(row -> !MeasuredRows.hasRule(row))
            .collect(
                Collectors.groupingBy(
                    RowKey::suite,
                    LinkedHashMap::new,
                    Collectors.mapping(
                        RowKey::table, Collectors.toCollection(LinkedHashSet::new))));
    return tables.isEmpty()
        ? Optional.empty()
        : Optional.of(
            tables.entrySet().stream()
                .map(e -> String.join(", ", e.getValue()) + " of suite " + e.getKey())
                .collect(
                    Collectors.joining(
                        "; ",
                        "There is no advice for these tables; read their verdicts (ferry bench report): ",
                        ".")));
  }

  /** Says what the advice does not cover. */
  static String whatWouldChange(RunDocument run) {
    boolean tls = run.rows().stream().anyMatch(row -> ProviderParameter.isOf(row.key()));
    List<String> others = new ArrayList<>();
    others.add(
        run.network() == null && run.server() == null
            ? "over a slower or longer network"
            : "over another network");
    others.add(tls ? "in plain text" : "with TLS");
    boolean files = run.rows().stream().anyMatch(row -> MeasuredRows.isFiles(row.key()));
    String last =
        files
            ? "for files of another size than " + ByteSize.readable(run.file().bytes())
            : "for other sizes";
    if (run.server() == null) {
      others.add(last);
      last = "with the server on another machine";
    }
    return "Results will differ %s, or %s.".formatted(String.join(", ", others), last);
  }

  /** Says how many methods that one can choose are not decided; empty if all are. */
  static String notDecided(RunDocument run) {
    List<Verdict> verdicts =
        run.rows().stream()
            .filter(Methods::isChoice)
            .map(Row::comparison)
            .flatMap(Stream::ofNullable)
            .map(Comparison::verdict)
            .toList();
    long open = verdicts.stream().filter(Verdict.NOT_DECIDED::equals).count();
    return open == 0
        ? ""
        : " %d of %d comparisons with the baseline %s not decided; a longer run (--time) decides more."
            .formatted(open, verdicts.size(), open == 1 ? "is" : "are");
  }
}
