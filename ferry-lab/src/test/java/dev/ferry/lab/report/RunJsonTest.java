package dev.ferry.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.Round;
import dev.ferry.lab.model.Ceiling;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.DisturbedFork;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RowRun;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.Sample;
import dev.ferry.lab.model.Sample.Usage;
import dev.ferry.lab.model.Status;
import dev.ferry.lab.stats.Ceilings;
import dev.ferry.lab.stats.ForkRows;
import dev.ferry.lab.stats.Rows;
import dev.ferry.lab.stats.RunComparison;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RunJsonTest {
  private static final Load IN_TURN = Load.files(100, 4, 1);

  /** The file was written by the version before rows and ceilings had one model. */
  @Test
  void text_theSameSamples_areTheSameBytes() throws Exception {
    try (InputStream expected = RunJsonTest.class.getResourceAsStream("run.json")) {
      assertThat(RunJson.text(run()))
          .isEqualTo(
              new String(Objects.requireNonNull(expected).readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static RunDocument run() {
    List<Ceiling> ceilings =
        Ceilings.of(
            List.of(
                ceiling(CeilingName.SOCKET_DOWNLOAD, null, Status.OK, null, 9, 11, 10),
                ceiling(CeilingName.FILE_READ, null, Status.SKIPPED, "the run ended before it"),
                ceiling(CeilingName.GZIP_ALL, null, Status.FAILED, "it broke"),
                ceiling(CeilingName.SOCKET_DOWNLOAD, IN_TURN, Status.OK, null, 20, 24)));
    List<RowRun> rows =
        List.of(
            row("Base", null, Codec.NONE, null, 40, 42, 41),
            row("Fast", null, Codec.NONE, null, 20, 22, 21),
            row("Broken", "no connection", new Codec("java.util.zip", 1), null, 30),
            row("Late", null, Codec.NONE, null),
            row("InTurn", null, Codec.NONE, IN_TURN, 48, 50, 46));
    Criteria criteria = new Criteria(0.05, 0.02, 2, Map.of("suite/download", 0.02));
    return ForkRows.document("a CPU", Rows.of(rows, ceilings), ceilings, criteria, "Use it.");
  }

  /**
   * Whatever one value of the file is replaced by, the file is refused in one line, or the reports
   * can be made of it. By default the replacements share the values out.
   */
  @ParameterizedTest
  @ValueSource(strings = {"null", "-1", "\"Infinity\"", "\"\\u001b[2J\""})
  void read_anyOtherValue_isRefusedOrCanBeShown(String other, @TempDir Path folder)
      throws Exception {
    ObjectMapper json = new ObjectMapper();
    JsonNode whole = json.readTree(RunJson.text(run()));
    Path file = folder.resolve("run.json");
    int refused = 0;
    List<String> places = places(whole, "");
    int step = Round.times(3, 1);
    for (int i = Math.floorMod(other.hashCode(), step); i < places.size(); i += step) {
      String place = places.get(i);
      JsonNode changed = whole.deepCopy();
      String name = place.substring(place.lastIndexOf('/') + 1);
      JsonNode in = changed.at(place.substring(0, place.lastIndexOf('/')));
      if (in instanceof ObjectNode object) {
        object.set(name, json.readTree(other));
      } else {
        ((ArrayNode) in).set(Integer.parseInt(name), json.readTree(other));
      }
      Files.writeString(file, json.writeValueAsString(changed));
      try {
        RunDocument read = RunJson.read(file);
        assertThatCode(() -> show(read)).as("%s is %s", place, other).doesNotThrowAnyException();
      } catch (LabException e) {
        assertThat(e).message().startsWith(file + " ").hasLineCount(1);
        refused++;
      }
    }
    assertThat(places).hasSizeGreaterThan(150);
    assertThat(refused).isBetween(1, places.size());
  }

  /** Makes everything of a run but its page, of which a megabyte is a library. */
  static void show(RunDocument run) {
    assertThat(ShortReport.render(run) + TextReport.console(run)).doesNotContain("\u001b");
    assertThat(VerdictChart.render(run)).isNotNull();
    Tables.of(run).forEach(table -> assertThat(ForkDetails.render(table)).isNotNull());
    assertThat(SvgReport.render(run)).endsWith("</svg>\n");
    for (Export format : Export.values()) {
      assertThat(format.render(run)).isNotEmpty();
    }
    assertThat(ComparisonText.render(RunComparison.of(run, run, 0.05))).isNotEmpty();
  }

  /** A name in a run must not be taken for a place of the page. */
  @Test
  void page_namesThatLookLikePlaces_areNames(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.json");
    Files.writeString(file, RunJson.text(run()).replace("\"download\"", "\"{{DATA}}{{ECHARTS}}\""));

    assertThat(HtmlReport.render(RunJson.read(file), false))
        .hasSizeLessThan(2 * 1024 * 1024)
        .contains("data-table=\"{{DATA}}{{ECHARTS}}\"")
        .containsOnlyOnce("\"schema\" : \"ferry-run/2\"");
  }

  /** Returns the pointers to all values. */
  private static List<String> places(JsonNode node, String at) {
    List<String> places = new ArrayList<>();
    if (node.isObject()) {
      node.properties()
          .forEach(each -> places.addAll(places(each.getValue(), at + "/" + each.getKey())));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      places.addAll(places(node.get(i), at + "/" + i));
    }
    // One row with a comparison and one that failed have all that others have.
    boolean other = at.matches("/(rows/[034]|ceilings/[123])(/.*)?");
    if (!at.isEmpty() && !other && !at.contains("/suite/download")) {
      places.add(at);
    }
    return places;
  }

  @Test
  void read_valueThatIsMissing_isNamed(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.json");
    Files.writeString(file, RunJson.text(run()).replaceFirst("\"setup\" : \\{[^}]*},", ""));

    assertThatThrownBy(() -> RunJson.read(file))
        .isInstanceOf(LabException.class)
        .hasMessage(
            file + " is not a run: it has no rows[0].setup; name another, or run bench again");
  }

  private static RowRun ceiling(
      CeilingName name,
      @Nullable Load load,
      Status status,
      @Nullable String reason,
      long... millis) {
    return ForkRows.ceiling(name, load, status, reason, samples(millis));
  }

  private static RowRun row(
      String method, @Nullable String failure, Codec codec, @Nullable Load load, long... millis) {
    return ForkRows.run(
        new RowKey("suite", "download", method, Map.of("BufferSize", "4096")),
        "Base",
        failure,
        codec,
        load,
        List.of(CeilingName.SOCKET_DOWNLOAD),
        samples(millis),
        new DisturbedFork(0, "others used 1 s of CPU", "samples/a-replaced-1.jsonl", false));
  }

  private static List<Sample> samples(long... millis) {
    Usage use = new Usage(20_480, 1_000_000, 1, 0, 1 << 24, 1 << 20, 6);
    return IntStream.range(0, millis.length)
        .mapToObj(n -> ForkRows.sample(n, millis[n] * 1_000_000, 100, use))
        .toList();
  }
}
