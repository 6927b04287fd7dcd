package dev.ferry.lab.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports in the shapes of public ones: their values, baselines and claims. */
final class PublishedShapesTest {
  private static String text(String file) throws IOException {
    try (InputStream in = PublishedShapesTest.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static Judge.Judgement judgement(String file, String text) {
    return Judge.judge(List.of(new Judge.Report(file, text)), List.of(), false);
  }

  /** Returns the judgement of a report that is read without a fault, with single spaces. */
  private static String judge(String file) throws IOException {
    return judge(file, text(file));
  }

  private static String judge(String file, String text) {
    Judge.Judgement judgement = judgement(file, text);

    assertThat(judgement.unread()).isEmpty();
    assertThat(judgement.text()).doesNotContain("Not read", "printed Ratio differs");
    return judgement.text().replaceAll(" +", " ");
  }

  @Test
  void judge_ratioStyleTrend_readsWordsAndComparesInEachRuntime() throws Exception {
    assertThat(judge("trend-of-runtimes.md"))
        .startsWith("Tables: 1. Comparisons: 4, of which 2 faster, 1 slower, 1 same.\n")
        .contains(
            "\nLine 14 / Sum of an array\n",
            "| Loop | .NET 8.0 | 1000 | 510.0 ns | 0.4 % | 15 | 1.00 | - | compared with |",
            "| Linq | .NET 8.0 | 1000 | 1,530.0 ns | 0.7 % | 15 | 3.00 | 3.00 | 2.98 to 3.02 times"
                + " slower |",
            "| Vector | .NET 8.0 | 1000 | 102.0 ns | 1.0 % | 15 | 0.20 | 0.20 | 4.94 to 5.06 times",
            "| Linq | .NET 9.0 | 1000 | 510.0 ns | 0.4 % | 15 | 1.02 | 1.02 | same (1.02 to 1.02) |",
            "\nCompared with Loop: 2 faster, 1 slower, 1 same.\n")
        // The addresses and the garbage collector do no input and output.
        .doesNotContain("A timer", "Allocated", "is here and");
  }

  @Test
  void judge_byteOrderMarkAndLinesOfWindows_makeNoDifference() throws Exception {
    String text = text("trend-of-runtimes.md");

    assertThat(judgement("a.md", "\ufeff" + text.replace("\n", "\r\n")))
        .isEqualTo(judgement("a.md", text));
    assertThat(judgement("a.md", "\ufeff" + text.substring(text.indexOf("| Method"))).text())
        .contains("Compared with Loop: 2 faster, 1 slower, 1 same.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"> ", "    // ", "\t"})
  void judge_reportInAQuotationOrComment_isRead(String before) throws Exception {
    String text = text("trend-of-runtimes.md");

    assertThat(judgement("a.md", text.replaceAll("(?m)^", before)))
        .isEqualTo(judgement("a.md", text));
  }

  @Test
  void judge_unitsInTheHeadAndGenericNames_areReadAndPrinted() {
    String text =
        """
        | Method | Mean (us) | Error [us] |
        |---|---:|---:|
        | List&lt;int&gt; | 1.500 | 0.010 |
        | int[] | 3.000 | 0.010 |
        """;

    assertThat(Judge.judge(List.of(new Judge.Report("a.md", text)), List.of(), true).text())
        .contains("| List&lt;int> |", "| int[] ", "1.99 to 2.01 times slower");
  }

  @Test
  void judge_ratioStylePercentage_readsSignsAndNamesTheGroupWithoutBaseline() throws Exception {
    assertThat(judge("percentage.md"))
        .contains(
            "| New | 10 | 30.0 us | 3.6 % | 15 | 0.15 | 0.15 | 6.43 to 6.92 times faster |",
            "| Other | 10 | 230.0 us | 0.9 % | 15 | 1.15 | 1.15 | 1.13 to 1.17 times slower |",
            "| Old | 100 | NA | - | ? | - | - | - |\n| New | 100 | 90.0 us | 1.2 % | 15 | - | - | - |",
            "\nCompared with Old: 1 faster, 1 slower.\n",
            "- Old 100: no figure, so nothing can be said of it.\n",
            "- New 100: the group has no baseline with a figure, so nothing is compared.\n");
  }

  @Test
  void judge_runtimeIsTheBaseline_comparesEachMethodWithItself() throws Exception {
    assertThat(judge("runtime-is-the-baseline.md"))
        .contains(
            "| Parse | Job-BBBBBB | .NET 8.0 | 1 | 2.000 ms | 1.1 % | 15-16 | 0.25 | 0.25 | 3.94 to"
                + " 4.06 times faster |",
            "| Format | Job-BBBBBB | .NET 8.0 | 2 | 7.500 ms | 1.1 % | 15 | 1.50 | 1.50 | 1.48 to"
                + " 1.52 times slower |",
            "\nCompared with Job-AAAAAA .NET Framework 4.8: 2 faster, 1 slower, 1 same.\n");
  }

  @Test
  void judge_oneRowIsTheBaselineOfAllRuntimes_comparesAllWithIt() throws Exception {
    assertThat(judge("one-row-is-the-baseline.md"))
        .contains(
            "| Manual | .NET 8.0 | 6.000 ms | 1.1 % | 15 | 0.75 | 0.75 | 1.31 to 1.35 times faster |",
            "\nCompared with Manual .NET 6.0: 3 faster.\n");
  }

  @Test
  void judge_baselineOfEachCategory_judgesEachGroup() throws Exception {
    assertThat(judge("categories.md"))
        .contains(
            "| Span | Read,Array | 200.0 ns | 1.1 % | 15 | 0.50 | 0.50 | 1.97 to 2.03 times faster |",
            "| AddRange | Write,Array | 600.0 ns | 1.1 % | 15 | 2.00 | 2.00 | 1.97 to 2.03 times",
            "\nCompared with the baseline of each group (ForEach, Add): 1 faster, 1 slower.\n",
            "- Trim Other: the group has no baseline with a figure, so nothing is compared.\n");
  }

  @Test
  void judge_categoriesAreLabels_comparesAllWithOneRow() throws Exception {
    assertThat(judge("labels.md"))
        .contains(
            "| Emit | Reflection | 10 | 750.0 ns | 1.1 % | 15 | 3.00 | 3.00 | 2.95 to 3.05 times slower",
            "\nCompared with Hand: 1 faster, 2 slower.\n");
  }

  @Test
  void judge_decimalCommasEntitiesAndOldColumns_areRead() throws Exception {
    assertThat(judge("decimal-commas.md"))
        .contains(
            "| 'With Regex' | 2 000,00 \u03bcs | 1.9 % | ? | 2.00 | 2.00 | 1.95 to 2.05 times slower |",
            "| IndexOf | 1 000,00 \u00b5s | 1.9 % | ? | 1.00 | - | compared with |",
            "| <Span> | 125,50 ?s | 1.5 % | 8 | 0.13 | 0.13 | 7.78 to 8.16 times faster |",
            "\nCompared with IndexOf: 1 faster, 1 slower.\n",
            "- 8 iterations a row: too few");
  }

  @Test
  void judge_pointsThatGroupDigits_areNoDecimalPoints() throws Exception {
    assertThat(judge("dots-group-digits.md"))
        .contains(
            "| Second | 2.469.134 ns | 0.5 % | ? | 2.00 | 1.98 to 2.02 times slower |",
            "\nThe table names no baseline; compared with the fastest of equal parameters: 1 slower.");
  }

  @Test
  void judge_asciiDocWithoutSeparators_findsTheJobThatIsTheBaseline() throws Exception {
    assertThat(judge("job-baseline.adoc"))
        .contains(
            "| Read | PR | True | 20.00 ms | 1.1 % | 15 | 0.50 | 0.50 | 1.97 to 2.03 times faster |",
            "| Write | PR | True | 30.00 ms | 1.1 % | 15 | 3.00 | 3.00 | 2.95 to 3.05 times slower |",
            "\nCompared with Main False: 1 faster, 1 slower.\n");
  }

  @Test
  void judge_atlassian_isRead() throws Exception {
    assertThat(judge("atlassian.txt"))
        .contains(
            "| Copy | 2 | 20.00 ms | 15.8 % | 3 | 1.00 | - | compared with |",
            "| Clone | 2 | 5.00 ms | 31.6 % | 3 | 0.25 | 0.25 | 2.89 to 6.00 times faster |",
            "\nCompared with Copy: 1 faster, 1 slower.\n",
            "- 3 iterations a row: too few")
        .doesNotContain("Samples were removed");
  }

  @Test
  void judge_stackOverflowWithStandardErrors_derivesTheErrors() throws Exception {
    assertThat(judge("stack-overflow.md"))
        .contains(
            "| Fast | 10.000 ns | 1.5 % | 30 | - | compared with |",
            "| Slow | 14.000 ns | 1.0 % | 30 | 1.40 | 1.38 to 1.43 times slower |")
        .doesNotContain("no Error", "iterations");
  }

  @Test
  void judge_severalTypesAndJobs_comparesInEachAndKnowsTheIterationsOfEach() throws Exception {
    assertThat(judge("several-jobs.md"))
        .contains(
            "| Find | A | Map | ShortRun | 3 | 1 | 30.00 us | 10.5 % | 3 | 3.00 | 3.00 | 2.23 to 4.44",
            "| Has | A | Set | MediumRun | 15 | 2 | 20.00 us | 1.3 % | 30 | 0.50 | 0.50 | 1.96 to",
            "\nCompared with Get: 1 faster, 2 slower.\n",
            "- 3 iterations in Get A Map ShortRun 3 1, Find A Map ShortRun 3 1: too few")
        .doesNotContain("Samples were removed");
  }

  @Test
  void judge_columnsOfLogicalGroupAndBaseline_areFollowed() throws Exception {
    assertThat(judge("logical-groups.md"))
        .contains(
            "| Sha1 | Old | 10.01 us | 1.1 % | 15 | 1.00 | 1.00 | same (0.99 to 1.02) |",
            "\nCompared with Md5 Old: 1 slower, 1 same.\n");
  }

  @Test
  void judge_ratioOfSomethingElse_isNotTakenForThatOfTheMeans() throws Exception {
    assertThat(judge("ratio-of-sizes.md"))
        .contains(
            "\nThe printed Ratio fits no row as the baseline; compared with the fastest of equal"
                + " parameters: nothing.\n");
  }

  @Test
  void judge_fastestIsNotDistinguishableFromZero_comparesWithTheNext() throws Exception {
    assertThat(judge("zero.md"))
        .contains(
            "| Field | 0.5000 ns | 1.1 % | 15 | - | compared with |",
            "- Empty: the mean is 0, so nothing can be compared with it.\n");
    assertThat(judge("fastest-is-zero.md"))
        .contains(
            "| Direct | 0.0000 ns | - | ? | 0.00 | not comparable |",
            "| Wrapped | 9.2603 ns | 0.4 % | ? | 1.18 | 1.17 to 1.19 times slower |",
            "equal parameters: 1 slower, 1 not comparable.\n");
    assertThat(
            judgement(
                    "a.md",
                    """
                    | Method | Mean | Error |
                    |---|---|---|
                    | Empty | 0.0012 ns | 0.0020 ns |
                    | Field | 0.5000 ns | 0.0054 ns |
                    | Both | 1.0000 ns | 0.0054 ns |
                    """)
                .text())
        .containsPattern("Field .* compared with ")
        .containsPattern("Both .* 1.98 to 2.02 times slower ");
  }

  @Test
  void judge_meanOfZeroBesideItsBaseline_isNotComparable() {
    String text =
        """
        | Method | Mean | Error | Ratio |
        |---|---|---|---|
        | Base | 0.5000 ns | 0.0050 ns | 1.00 |
        | Zero | 0.0000 ns | 0.0000 ns | 0.00 |
        | Twice | 1.0000 ns | 0.0050 ns | 2.00 |
        """;

    assertThat(judgement("a.md", text).text().replaceAll(" +", " "))
        .contains(
            "| Zero | 0.0000 ns | - | ? | 0.00 | 0.00 | not comparable |",
            "\nCompared with Base: 1 slower, 1 not comparable.\n",
            "- Zero: the mean is 0, so nothing can be compared with it.\n");
  }

  @Test
  void judge_leastIterationsOfTheJob_areNoIterationsOfARow() throws Exception {
    assertThat(judge("least-iterations.md"))
        .contains("| A | 20.00 ms | 1.3 % | 12 | 0.80 |", "\nCompared with B: 1 faster.\n")
        .doesNotContain("iterations a row", "Samples were removed");
  }

  @Test
  void judge_baselinesWhoseRatioIsNoisy_staysBetweenTheSeparators() throws Exception {
    assertThat(judge("noisy-baselines.md"))
        .contains(
            "| AddFrozen | 100 | 20.00 us | 1.0 % | ? | 2.02 | 2.00 | 1.97 to 2.03 times slower |",
            "| GetFrozen | 100 | 4.00 us | 1.3 % | 14 | 0.51 | 0.50 | 1.96 to 2.04 times faster |",
            "\nCompared with the baseline of each group (AddPlain, GetPlain): 1 faster, 1 slower.\n",
            "is not 1.00 in GetPlain 100 (1.02), AddPlain 100 (1.01)",
            "removed as outliers from GetFrozen 100 (N = 14), of 15 iterations at least");
  }

  @Test
  void judge_ratiosThatFitOnlyAcrossASeparator_areNotFollowed() {
    String text =
        """
        | Method | Mean | Error | Ratio |
        |---|---|---|---|
        | A | 1.00 ms | 0.01 ms | 1.00 |
        | | | | |
        | B | 2.00 ms | 0.01 ms | 2.00 |
        | C | 4.00 ms | 0.01 ms | 4.00 |
        """;

    assertThat(judgement("a.md", text).text().replaceAll(" +", " "))
        .contains(
            "fits no row as the baseline; compared with the fastest of equal parameters: 1 slower.",
            "| C | 4.00 ms | 0.3 % | ? | 4.00 | 2.00 | 1.99 to 2.01 times slower |");
  }

  @Test
  void judge_textThatOnlyNamesBenchmarkDotNet_assumesNoDefaults() throws Exception {
    assertThat(judge("named-in-prose.md"))
        .contains("| 18.2 % | 3 |", "Error is above 10 %")
        .doesNotContain("Samples were removed", "iterations");
  }

  @ParameterizedTest
  @CsvSource({
    "BenchmarkDotNet v0.15.8, false",
    "Ran as LaunchCount=1 by BenchmarkDotNet v0.15.8, false",
    "BenchmarkDotNet v0.15.8\\n[Host] : .NET 9.0\\nDefaultJob : .NET 9.0, true",
    "BenchmarkDotNet=v0.12.1\\n[Host] : .NET 5\\n.NET 5 : .NET 5\\nJob=.NET 5, true",
    "BenchmarkDotNet v0.15.8\\n[Host] : .NET 9.0\\nShortRun : .NET 9.0, false",
    "BenchmarkDotNet v0.15.8\\n[Host] : .NET 9.0\\nJob=ShortRun, false",
    "BenchmarkDotNet v0.15.8\\n[Host] : .NET 9.0\\nRunStrategy=Monitoring, false",
  })
  void judge_iterationsThatTheTextDoesNotState_areThoseOfTheEnvironmentBlockAlone(
      String before, boolean defaults) {
    String text =
        before.replace("\\n", "\n")
            + """

            | Method | Mean | Error | StdDev |
            |---|---|---|---|
            | A | 100.0 ms | 18.2 ms | 1.0 ms |
            """;

    assertThat(judgement("a.md", text).text().contains("removed as outliers from A (N = 3)"))
        .isEqualTo(defaults);
  }

  @Test
  void judge_dashesForRatios_areNoFigures() throws Exception {
    assertThat(judge("em-dash-ratio.md"))
        .contains(
            "| Static | none | 0.06 ns | - | ? | - | - | compared with |",
            "| Delegates | three | 9.93 ns | - | ? | 4.26 | 4.26 | not decided |");
  }

  @Test
  void judge_multiplicationSignsRemarksAndTildes_areRead() throws Exception {
    assertThat(judge("times-sign.md"))
        .contains(
            "| New | 40.0 ms | 1.3 % | ? | 0.40 | 0.40 | 2.46 to 2.54 times faster |",
            "| Newest | ~20.0 ms | 2.5 % | ? | 0.20 | 0.20 | not decided |",
            "\nCompared with Old: 1 faster, 1 not decided.\n",
            "- Newest: the table says that the mean is not exact, so no difference can be decided.");
  }

  @Test
  void judge_errorsBehindPlusMinus_areRead() throws Exception {
    assertThat(judge("plus-minus.md"))
        .contains("| Old | 100.0 ms | 1.0 % | 15-18 | 2.50 | 2.46 to 2.54 times slower |");
  }

  @Test
  void judge_markedRows_areReadWithoutTheMarks() throws Exception {
    assertThat(judge("mark-and-emoji.md"))
        .contains(
            "| Mine | 60.26 us | 2.0 % | 15 | 1.01 | same (0.99 to 1.04) |",
            "| Other \ud83d\ude80 | 59.39 us | 2.0 % | 18 | - | compared with |",
            "equal parameters: 2 slower, 1 same.\n")
        .doesNotContain("Samples were removed");
  }

  @Test
  void judge_joinedClassesWithTheSameMethods_comparesTheClasses() throws Exception {
    assertThat(judge("joined-types.md"))
        .contains(
            "| Find | ListBench | 100 | 5,000.00 ns | 1.0 % | ? | 250.00 | 246.49 to 253.56 times",
            "| Add | SetBench | 100 | 300.00 ns | 1.0 % | ? | 3.00 | 2.96 to 3.04 times slower |",
            "\nThe table names no baseline; compared with the fastest of the same method: 2 slower.");
    assertThat(
            judge(
                "joined-types.md",
                text("joined-types.md").replace("ListBench", "B<A>").replace("SetBench", "B<C>")))
        .contains("compared with the fastest of equal parameters: 2 slower.");
  }

  @Test
  void judge_methodAmongTheSettings_isThatOfAllRows() {
    String text =
        """
        BenchmarkDotNet v0.15.8, Windows 11
          [Host] : .NET 9.0

        Method='Read all'  IterationCount=5

        | Job  | Runtime  | Mean     | Error   | StdDev  |
        |----- |--------- |---------:|--------:|--------:|
        | Old  | .NET 8.0 | 100.0 ms | 1.0 ms  | 0.26 ms |
        | New  | .NET 9.0 |  40.0 ms | 1.0 ms  | 0.26 ms |
        """;

    assertThat(judge("a.md", text))
        .contains(
            "| 'Read all' | Old | .NET 8.0 | 100.0 ms | 1.0 % | 5 | 2.50 |",
            "compared with the fastest of the same method: 1 slower.",
            "- 5 iterations a row: too few");
  }

  @Test
  void judge_damagedCellsAndTables_areLeftOutAndNamed() throws Exception {
    Judge.Judgement judgement = judgement("damaged.md", text("damaged.md"));

    assertThat(judgement.unread())
        .containsExactly(
            "damaged.md, line 11: the table has no column Mean; export it with means",
            "damaged.md, line 17: column Mean mixes decimal points and commas; write its figures with"
                + " decimal points",
            "damaged.md, line 8: the row has 7 cells and the table 6 columns; correct it or remove the"
                + " row",
            "damaged.md, line 5: 'about 1' in column Error is not a figure; correct it or remove"
                + " the row",
            "damaged.md, line 6: 'fast' in column Mean is not a figure; correct it or remove the"
                + " row",
            "damaged.md, line 7: '1 bit' in column Allocated is not a figure; correct it or remove"
                + " the row");
    assertThat(judgement.text().replaceAll(" +", " "))
        .startsWith(
            "Tables: 2, and 2 not read. Comparisons: 4, of which 1 faster, 2 slower, 1 not decided.\n")
        .contains(
            "| NoError | 20.00 ms | - | ? | 2.00 | 2.00 | not decided |\n",
            "| NoMean | fast | - | 15 | 0.50 | - | - |\n",
            "| NoMemory | 40.00 ms | 0.3 % | 15 | 4.00 | 4.00 | 3.96 to 4.04 times slower |\n",
            "| 'A \\| B' | 5.00 ms | 2.1 % | 15 | 0.50 | 0.50 | 1.95 to 2.05 times faster |\n",
            "- Not read: line 8: the row has 7 cells",
            "| B | 3.0 ms | 0.3 % | ? | 2.00 | 1.99 to 2.01 times slower |\n");
  }

  private static Stream<String> floods() {
    return IntStream.of(19_000, 1_000_000)
        .boxed()
        .flatMap(
            n ->
                Stream.of(
                    "a".repeat(n),
                    "0f".repeat(n / 2),
                    "https://a/" + "b".repeat(n),
                    "](".repeat(n / 2),
                    "# a" + " ".repeat(n) + "b",
                    "# " + " ".repeat(n) + "#",
                    "gzip".repeat(n / 4),
                    "a.".repeat(n / 2),
                    "a: ".repeat(n / 3),
                    ">".repeat(n),
                    "/".repeat(n),
                    "|a\n|" + "-".repeat(n) + "x",
                    "| Method | Mean" + " ".repeat(n) + "x |\n|---|---|",
                    "| Method | Mean" + "[".repeat(n) + " |\n|---|---|",
                    cell("1".repeat(n) + " a b c"),
                    cell("1" + ",111".repeat(n / 4)),
                    cell("'|".repeat(n / 2))));
  }

  private static String cell(String mean) {
    return "| Method | Mean |\n|---|---|\n| A | " + mean + " |";
  }

  @ParameterizedTest
  @MethodSource("floods")
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void judge_longLine_isReadOrNamed(String flood) {
    String table = "| Method | Mean |\n|---|---|\n| X | 1 ms |\n| Y | 2 ms |\n";

    Judge.Judgement judgement = judgement("a.md", table + "\n" + flood + "\n\n" + table);

    assertThat(judgement.text()).startsWith("Tables: 2").contains("| X ", "| Y ");
    if (flood.length() > 20_100) {
      assertThat(judgement.unread())
          .anyMatch(u -> u.contains("the line has more than 20000 characters; break it"))
          .allMatch(u -> u.length() < 300);
    }
  }

  @Test
  void judge_longRow_isLeftOutAlone() {
    Judge.Judgement judgement =
        judgement("a.md", cell("1 ms") + "\n| B | " + "1".repeat(20_000) + " |\n| C | 3 ms |\n");

    assertThat(judgement.unread())
        .containsExactly(
            "a.md, line 4: the line has more than 20000 characters; break it or remove it",
            "a.md, line 4: the row has 1 cells and the table 2 columns; correct it or remove the"
                + " row");
    assertThat(judgement.text()).contains("| C ");
  }

  @Test
  void judge_controlCharacters_areShownAsEscapes() {
    String text =
        """
        # Calls\033[2J
        | Method | Mean | Error |
        |---|---|---|
        | &#27;[31mA&#10;B | 1 ms | 0.1 ms |
        | C\tD\033[0m | 2 ms | 0.1 ms |
        | E | x\007 | 0.1 ms |

        Calls.A: DefaultJob -> 2 outliers were removed\033[8m
        """;

    Judge.Judgement judgement = judgement("a.md", text);

    assertThat(judgement.text() + judgement.unread())
        .doesNotContainPattern("[\\p{Cntrl}&&[^\n]]")
        .contains(
            "Calls\\x1b[2J\n",
            "| \\x1b[31mA\\nB |",
            "| C D\\x1b[0m ",
            "'x\\x07' in column Mean",
            "A: 2 outliers were removed\\x1b[8m, says the text.");
  }

  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void judge_manyRowsOfOneGroup_findsTheirBaseline() {
    String rows =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "| M%d | %d.0 ns | %d.00 |%n".formatted(i, 100 * (i + 1), i + 1))
            .collect(Collectors.joining());

    assertThat(judgement("a.md", "| Method | Mean | Ratio |\n|---|---|---|\n" + rows).text())
        .contains("Compared with M0: 9999 not decided.");
  }

  @Test
  void judge_baselinesThatTheTextNames_holdForTheTablesBelow() {
    String table =
        """
        | Method | Mean | Error | Ratio |
        |---|---|---|---|
        | A | 1.00 ms | 0.01 ms | 1.00 |
        | B | 1.01 ms | 0.01 ms | 1.00 |

        """;

    assertThat(
            judgement("a.md", "Baseline is B.\n" + table + table + "Baseline: A\n" + table).text())
        .containsPattern("(?s)Compared with B:.*Compared with B:.*Compared with A:");
  }

  @Test
  @Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
  void judge_standardErrorOfVeryManySamples_derivesTheError() {
    String text =
        """
        | Method | Mean | StdErr | StdDev |
        |---|---|---|---|
        | A | 1 s | 0.0001 ns | 100000 s |
        """;

    assertThat(judgement("a.md", text).text()).contains("| 0.0 % |");
  }
}
