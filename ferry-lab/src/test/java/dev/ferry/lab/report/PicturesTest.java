package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ferry.core.Generated;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The axes of the pictures, and what the page and the image of a run show. */
final class PicturesTest {
  private static final Usage USE = new Usage(1, 1, 1, 1, 1, 1, -1);
  private static final double[] BASE = {90, 92, 91};

  @Test
  void axis_intervalFarBeyondTheBars_isCutWithAMark() {
    RunDocument run = run(row("Base", BASE), row("Wild", 5, 30, 130));
    Row wild = run.rows().get(1);

    assertThat(Objects.requireNonNull(Rows.interval(wild)).high()).isGreaterThan(1000);
    assertThat(TimeAxis.of(run.rows()).ticks()).containsExactly(0.0, 50.0, 100.0, 150.0);
    assertThat(SvgReport.render(run)).containsOnlyOnce("l4 4l-4 4");
    assertThat(HtmlReport.render(run, false))
        .contains("data-ticks=\"[0.0, 50.0, 100.0, 150.0]\"")
        .containsOnlyOnce("class=\"interval not-decided under over\"")
        .contains("not decided (its forks differ too much)");
  }

  @Test
  void axis_intervalsNearTheBars_areWhole() {
    RunDocument run = run(row("Base", BASE), row("Row", 96, 104, 99));

    assertThat(TimeAxis.of(run.rows()).end())
        .isGreaterThan(Objects.requireNonNull(Rows.interval(run.rows().get(1))).high());
    assertThat(SvgReport.render(run)).doesNotContain("l4 4l-4 4");
  }

  @Test
  void axis_timesOrdersOfMagnitudeApart_isLogarithmic() {
    TimeAxis axis = axis(row("Small", 0.4), row("Large", 170));

    assertThat(axis.ticks()).containsExactly(0.1, 1.0, 10.0, 100.0, 200.0);
    assertThat(axis.place(0.4)).isBetween(0.1, 0.2);
    assertThat(axis(row("Skipped")).ticks()).containsExactly(0.0, 1.0);
  }

  @Test
  void axis_anyTimes_holdsTheirBarsInFewTicks() {
    Generated.check(
        500, input -> assertHoldsTheirBars(input.list(1, 20, () -> input.between(0.01, 1e6))));
  }

  private static void assertHoldsTheirBars(List<Double> times) {
    TimeAxis axis =
        axis(
            IntStream.range(0, times.size())
                .mapToObj(n -> row("Row" + n, times.get(n)))
                .toArray(RowRun[]::new));

    double longest = times.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    double shortest = times.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    assertThat(axis.ticks()).isSorted().doesNotHaveDuplicates().hasSizeBetween(2, 13);
    assertThat(axis.end()).isGreaterThanOrEqualTo(longest * (1 - 1e-5));
    assertThat(axis.place(longest)).isGreaterThan(0.3);
    assertThat(axis.place(shortest)).isGreaterThan(0.005);
  }

  @Test
  void pictures_namedMethods_haveTheirNamesBelowTheKeys() {
    RunDocument run =
        run(row("Base", BASE), row("ZeroCopy", 30, 31, 32)).withNames(PicturesTest::name);

    assertThat(SvgReport.render(run))
        .containsSubsequence(">ZeroCopy</text>", ">Ferry's &lt;gRPC></text>");
    assertThat(HtmlReport.render(run, false))
        .contains(
            "<th scope=\"row\">ZeroCopy<small class=\"people\">Ferry's &lt;gRPC></small></th>")
        .contains(
            "<td class=\"name\">ZeroCopy<small class=\"people\">Ferry's &lt;gRPC></small></td>")
        .contains(
            "<td class=\"name\" data-head=\"Method\">Base</td>", "<td class=\"name\">Base</td>");
    assertThat(TextReport.markdown(run)).contains("|\n\n- ZeroCopy: Ferry's <gRPC>\n\nIn download");
  }

  @Test
  void names_ofOneMethodInTwoTables_nameTheTables() {
    RunDocument run = run(row("ZeroCopy", BASE), row("upload", "ZeroCopy", Map.of(), BASE));

    assertThat(TableNotes.names(run.withNames(key -> Optional.of("a " + key.table())).rows()))
        .containsExactly("ZeroCopy in download: a download", "ZeroCopy in upload: a upload");
  }

  @Test
  void page_pagesThatItNames_exist() {
    String html = HtmlReport.render(run(row("Base", BASE)), false);

    assertThat(
            Pattern.compile("docs/[a-z/-]+\\.md")
                .matcher(html.substring(0, html.indexOf("<script")))
                .results()
                .map(page -> Path.of("..").resolve(page.group())))
        .hasSizeGreaterThan(3)
        .allSatisfy(page -> assertThat(page).isRegularFile());
  }

  @Test
  void bars_ofASetting_areInTheOrderOfTheirTimes() {
    assertThat(SvgReport.render(run(row("Base", BASE), row("Slow", 200, 201), row("Fast", 30, 31))))
        .containsSubsequence(">Fast</text>", ">Base</text>", ">Slow</text>");
  }

  @Test
  void colors_ofAMethod_areTheSameInAllPicturesAndRuns() {
    RunDocument run =
        run(
            row("Base", BASE),
            row("ZeroCopy", 30, 31, 32),
            row("upload", "ZeroCopy", Map.of(), 30, 31, 32),
            row("upload", "Default", Map.of(), BASE));

    List<String> colors = colors(run);
    assertThat(colors).hasSize(4);
    assertThat(Set.copyOf(colors)).hasSize(3);
    assertThat(colors.get(2)).isEqualTo(colors.get(0));
    assertThat(colors(run(row("ZeroCopy", 5, 6, 7)))).containsExactly(colors.get(0));
    assertThat(HtmlReport.render(run, false))
        .contains("data-colors=\"" + colors.get(1) + " " + colors.get(0) + "\"")
        .contains("data-colors=\"" + colors.get(2) + " " + colors.get(3) + "\"");
  }

  @Test
  void colors_ofMoreMethodsThanThereAre_areAllUsed() {
    RunDocument run =
        run(IntStream.range(0, 40).mapToObj(n -> row("Method" + n, BASE)).toArray(RowRun[]::new));

    assertThat(Set.copyOf(colors(run))).hasSize(15);
  }

  /** Returns the colors of the bars of the image. */
  private static List<String> colors(RunDocument run) {
    return Pattern.compile("<rect fill=\"(#\\w+)\"")
        .matcher(SvgReport.render(run))
        .results()
        .map(r -> r.group(1))
        .toList();
  }

  /** Names one method of the tests. */
  static Optional<String> name(RowKey row) {
    return Optional.of("Ferry's <gRPC>").filter(name -> row.method().equals("ZeroCopy"));
  }

  @Test
  void pictures_rowsOfTwoForks_haveNoInterval() {
    RunDocument run = run(row("Base", BASE), row("Row", 30, 40));

    assertThat(Rows.interval(run.rows().get(1))).isNull();
    assertThat(SvgReport.render(run).split("<rect fill=", -1)[1]).doesNotContain("<path");
    assertThat(HtmlReport.render(run, false))
        .contains("data-times=\"[[90.99", ", [34.641")
        .contains("class=\"point few\"", "34.6 ms, 2 forks", "not decided (too few forks)")
        .doesNotContain("class=\"interval");
  }

  @Test
  void pictures_oneRow_haveItsRatioAsTheTableHas() {
    // The quotient of the means is 0.53.
    RunDocument run = run(row("Base", 100, 100, 100, 300), row("Row", 80, 80, 80, 80));

    Row base = run.rows().get(0);
    Row row = run.rows().get(1);
    assertThat(row.time().ratio())
        .isCloseTo(time(row) / time(base), within(1e-9))
        .isCloseTo(0.608, within(1e-3));
    assertThat(SvgReport.render(run)).contains(">80.0 (0.61x)</text>");
    assertThat(TextReport.markdown(run)).contains("0.61 ").doesNotContain("0.53");
    assertThat(HtmlReport.render(run, false))
        .contains("<td>0.61</td>", "\"[[" + base.typicalTime() + ",", "132 ms", "80.0 ms")
        .doesNotContain("<td>0.53</td>");
  }

  private static double time(Row row) {
    return Objects.requireNonNull(row.typicalTime());
  }

  @Test
  void pictures_controlRow_isInTheChartWithTheTableAlone() {
    RunDocument run = run(row("Base", BASE), row("Base A/A", BASE), row("Row", BASE));

    assertThat(SvgReport.render(run)).contains(">Row<").doesNotContain("A/A");
    assertThat(HtmlReport.render(run, false))
        .contains("<th scope=\"row\">Row</th>", "<td class=\"name\">Base A/A</td>")
        .doesNotContain("<th scope=\"row\">Base A/A</th><td class=\"median\">");
  }

  @Test
  void pictures_notesOnForks_standInTheClosedPartBelowTheTable() {
    String html = HtmlReport.render(run(row("Base", BASE), row("Row", 1, 2, 3)), false);

    // Without the library of the charts, of which most of the page consists.
    assertThat(html.substring(0, html.indexOf("<script")))
        .containsSubsequence(
            "What should I do?",
            "<h2>Verdicts",
            "<h2>download",
            "class=\"chart\"",
            "<table>",
            "data-head=\"Time\">1.82 ms<",
            "data-head=\"Forks\">3<",
            "<details class=\"columns\">",
            ">StdDev<",
            "<details class=\"forks\">",
            "In download: Row is")
        .contains("placeholder=\"filter rows…\"");
    assertThat(html.split("In download:", -1)).hasSize(2);
  }

  @Test
  void pictures_tableWithoutFigures_haveNoEmptyChart() {
    RunDocument run = run(row("Base"), row("Row"));

    assertThat(HtmlReport.render(run, false))
        .contains("Skipped, 1 row: Row")
        .doesNotContain("<div class=\"chart\"");
    assertThat(SvgReport.render(run)).doesNotContain("<rect fill=", "NaN");
  }

  @Test
  void pictures_twoHundredRows_areAllLaidOut() {
    RunDocument run =
        run(
            IntStream.range(0, 200)
                .mapToObj(
                    n ->
                        row(
                            n % 10 == 0 ? "Base" : "AMethodWithALongName" + n % 10,
                            Map.of("BufferSize", Integer.toString(n / 10)),
                            n % 10 + 3,
                            n % 10 + 3.1,
                            n % 10 + 3.2))
                .toArray(RowRun[]::new));

    String svg = SvgReport.render(run);
    List<String> bars =
        Pattern.compile("<rect fill=\"[^\"]+\" x=\"\\d+\" y=\"(\\d+)\"")
            .matcher(svg)
            .results()
            .map(r -> r.group(1))
            .toList();
    assertThat(bars).hasSize(200).doesNotHaveDuplicates();
    assertThat(svg).contains("height=\"%d\"".formatted(76 + 200 * 18 + 20 * 22 + 20));
    assertThat(HtmlReport.render(run, false).split("<td class=\"median\">", -1)).hasSize(181);
    assertThat(HtmlReport.render(run, false)).contains("<div class=\"tall\"><table>");
  }

  private static RunDocument run(RowRun... rows) {
    return ForkRows.document("a CPU", Rows.of(List.of(rows), List.of()))
        .withAdvice(List.of("Use it."));
  }

  private static TimeAxis axis(RowRun... rows) {
    return TimeAxis.of(Rows.of(List.of(rows), List.of()));
  }

  private static RowRun row(String method, double... millis) {
    return row(method, Map.of(), millis);
  }

  private static RowRun row(String method, Map<String, String> parameters, double... millis) {
    return row("download", method, parameters, millis);
  }

  private static RowRun row(
      String table, String method, Map<String, String> parameters, double... millis) {
    return ForkRows.run(
        new RowKey("suite", table, method, parameters),
        "Base",
        null,
        Codec.NONE,
        null,
        List.of(),
        IntStream.range(0, millis.length)
            .mapToObj(n -> ForkRows.sample(n, Math.round(millis[n] * 1e6), 1, USE))
            .toList());
  }
}
