package dev.ferry.suites.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.stats.ForkRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every rule of the advice: its sentence, and the condition under which it says nothing. */
class AdviceTest {
  private static final Codec GZIP = new Codec("java.util.zip", 1);
  private static final double[] TEN = {10, 10.1, 9.9, 10};
  private static final double[] TWENTY = {20, 20.1, 19.9, 20};
  private static final double[] TEN_OR_SO = {9, 12, 8, 11};
  private static final double[] FORTY = {40, 40.1, 39.9, 40};

  private static Row row(String table, String method, double... millis) {
    return row("answer", table, method, "HttpClientFile", Codec.NONE, millis);
  }

  private static Row row(
      String suite, String table, String method, String baseline, Codec codec, double... millis) {
    return ForkRows.of(new RowKey(suite, table, method, Map.of()), baseline, codec, millis);
  }

  private static List<String> advice(Row... rows) {
    return Advice.of(ForkRows.document("CPU", List.of(rows)));
  }

  private static List<String> advice(Purpose purpose, Row... rows) {
    return Advice.of(ForkRows.document("CPU", List.of(rows)), Set.of(purpose));
  }

  private static String answer(Row... rows) {
    return advice(rows).get(0);
  }

  @Test
  void answer_oneThatBeatsAllOthers_namesItAndByHowMuchItIsFaster() {
    assertThat(
            advice(
                row("download", "ZeroCopy", TEN),
                row("download", "HttpClientFile", TWENTY),
                row("upload", "ZeroCopy", FORTY),
                row("upload", "HttpClientFile", TWENTY)))
        .startsWith(
            "Downloads: Ferry's gRPC (10.0 ms) is fastest, 1.9 to 2.1 times faster than"
                + " java.net.http (20.0 ms). Uploads: java.net.http (20.0 ms) is fastest, 1.9 to 2.1"
                + " times faster than Ferry's gRPC (40.0 ms). Use Ferry's gRPC for downloads and"
                + " java.net.http for uploads.");
  }

  @Test
  void answer_twoThatDifferLittle_saysThatNothingSeparatesThemAndByHowMuchTheyDifferAtMost() {
    assertThat(
            advice(
                    row("download", "ZeroCopy", 10, 10.4, 9.8),
                    row("download", "ApacheTuned", 10.3, 9.9, 10.1),
                    row("download", "HttpClientFile", FORTY))
                .subList(0, 3))
        .satisfiesExactly(
            s ->
                assertThat(s)
                    .isEqualTo(
                        "Downloads: no difference found between Ferry's gRPC (10.1 ms) and Apache"
                            + " HttpClient 5 (10.1 ms); java.net.http takes 40.0 ms. Use either."),
            s ->
                assertThat(s)
                    .matches(
                        "Downloads: the named methods are \\d+ % apart in this run, at most \\d+ %\\."),
            s ->
                assertThat(s)
                    .matches(
                        "The client matters more than the protocol: the best of gRPC and the best of"
                            + " HTTP differ by at most \\d+ % for downloads\\."));
  }

  @Test
  void answer_bothDirections_recommendsWhatIsBestInBoth() {
    assertThat(
            answer(
                row("download", "ZeroCopy", TEN),
                row("download", "FerryHttp", TEN),
                row("download", "ApacheTuned", TEN),
                row("download", "HttpClientFile", TWENTY),
                row("upload", "ZeroCopy", TEN),
                row("upload", "FerryHttp", TEN),
                row("upload", "ApacheTuned", TWENTY),
                row("upload", "HttpClientFile", TWENTY)))
        .endsWith(" Use Ferry's gRPC or Ferry's HTTP for both.");
    assertThat(
            answer(
                row("download", "ZeroCopy", TEN),
                row("download", "HttpClientFile", TWENTY),
                row("upload", "ZeroCopy", TEN),
                row("upload", "HttpClientFile", TEN)))
        .endsWith(" Use Ferry's gRPC for both.");
  }

  @Test
  void answer_oneDirectionWithTooFewForks_recommendsForTheOther() {
    assertThat(
            answer(
                row("download", "ZeroCopy", TEN),
                row("download", "HttpClientFile", TEN),
                row("upload", "ZeroCopy", 10, 11),
                row("upload", "HttpClientFile", 10, 11)))
        .contains(" Use either for downloads. No answer for uploads: too few forks. Allow ");
  }

  /** So that it can be read at one glance. */
  @Test
  void answer_ofManyMethods_hasShortSentences() {
    for (double[] others : List.of(TEN, TWENTY, TEN_OR_SO)) {
      for (double[] best : List.of(TEN, TEN_OR_SO)) {
        List<Row> rows = new ArrayList<>();
        for (String table : List.of("download", "upload")) {
          for (String method : List.of("OwnZeroCopy", "ZeroCopy", "FerryHttp")) {
            rows.add(row(table, method, best));
          }
          for (String method : List.of("ApacheTuned", "HttpClientFile", "Default")) {
            rows.add(row(table, method, others));
          }
        }
        String answer = answer(rows.toArray(Row[]::new));
        assertThat(words(answer)).as(answer).isLessThanOrEqualTo(60);
        assertThat(answer.split("(?<=\\.) (?=[A-Z])"))
            .as(answer)
            .hasSize(3)
            .allMatch(sentence -> words(sentence) <= 25);
      }
    }
  }

  private static int words(String text) {
    return text.split(" ", -1).length;
  }

  @Test
  void answer_fastestOfOneProtocol_doesNotSpeakOfBoth() {
    assertThat(
            answer(
                row("download", "ZeroCopy", TEN),
                row("download", "FerryHttp", TEN),
                row("download", "HttpClientFile", TWENTY),
                row("upload", "FerryHttp", TEN),
                row("upload", "ApacheTuned", TEN),
                row("upload", "HttpClientFile", TWENTY)))
        .startsWith("Downloads: ");
  }

  @Test
  void answer_twoWhoseForksDifferMuch_namesBoth() {
    Row fast = row("download", "ZeroCopy", TEN);
    Row noisy = row("download", "ApacheTuned", 10, 18, 9, 19);
    Row slow = row("download", "HttpClientFile", TWENTY);

    for (List<Row> rows : List.of(List.of(fast, noisy, slow), List.of(noisy, fast, slow))) {
      assertThat(advice(rows.toArray(Row[]::new)).subList(0, 2))
          .containsExactly(
              "Downloads: no difference found between Ferry's gRPC (10.0 ms) and Apache HttpClient 5"
                  + " (13.2 ms); java.net.http takes 20.0 ms. Use Ferry's gRPC.",
              "Downloads: the forks vary too much to say how much the named methods differ at"
                  + " most.");
    }
  }

  @Test
  void answer_someOfTheFastestBeatTheBaseline_noOtherRowIsTheReference() {
    Row[] rows = {
      row("upload", "ZeroCopy", TEN),
      row("upload", "FerryHttp", TEN),
      row("upload", "ApacheTuned", 10, 18, 9, 19),
      row("upload", "HttpClientFile", TWENTY),
      row("upload", "Default", 80, 81, 79)
    };

    assertThat(answer(rows))
        .isEqualTo(
            "Uploads: no difference found between Ferry's gRPC (10.0 ms), Ferry's HTTP (10.0 ms) and"
                + " Apache HttpClient 5 (13.2 ms); java.net.http takes 20.0 ms. Use Ferry's"
                + " gRPC or Ferry's HTTP.");
  }

  @Test
  void answer_noneBeatsTheBaseline_isAboutTheFirstThatAllBeat() {
    assertThat(
            answer(
                row("upload", "ZeroCopy", TEN),
                row("upload", "HttpClientFile", TEN),
                row("upload", "Default", FORTY)))
        .endsWith("; grpc-java as most write it takes 40.0 ms. Use either.");
  }

  @Test
  void answer_otherSettingThanUsual_isNamed() {
    Row[] compressed = {with("true", "ZeroCopy", TEN), with("true", "HttpClientFile", TWENTY)};

    assertThat(answer(compressed))
        .startsWith("Downloads with UseCompression=true: Ferry's gRPC (10.0 ms) is fastest");
    assertThat(
            answer(
                compressed[0],
                compressed[1],
                with("false", "ZeroCopy", FORTY),
                with("false", "HttpClientFile", TWENTY)))
        .startsWith("Downloads: java.net.http (20.0 ms) is fastest");
  }

  private static Row with(String compression, String method, double... millis) {
    return ForkRows.of(
        new RowKey(
            "file-transfer",
            "download",
            method,
            Map.of("BufferSize", "65536", "UseCompression", compression)),
        "HttpClientFile",
        Codec.NONE,
        millis);
  }

  @Test
  void answer_slowRowWhoseForksDifferMuch_isNotNamedBesideTheFastest() {
    assertThat(
            advice(
                    row("download", "ZeroCopy", TEN),
                    row("download", "ApacheTuned", 10, 60, 12, 55),
                    row("download", "HttpClientFile", TWENTY))
                .subList(0, 2))
        .containsExactly(
            "Downloads: Ferry's gRPC (10.0 ms) is probably fastest, 1.9 to 2.1 times faster than"
                + " java.net.http (20.0 ms). Use Ferry's gRPC.",
            "Downloads: Apache HttpClient 5 (25.1 ms) varied too much between forks to be sure.");
  }

  @Test
  void answer_methodWithTwoForks_isInASentenceOfItsOwn() {
    List<String> advice =
        advice(
            row("download", "Default", 9, 9.1),
            row("download", "ZeroCopy", TEN),
            row("download", "HttpClientFile", FORTY));

    assertThat(advice.get(0))
        .startsWith("Downloads: Ferry's gRPC (10.0 ms) is fastest of the 2 with three forks, ")
        .doesNotContain("as most write it");
    assertThat(advice.get(1))
        .isEqualTo(
            "Downloads: grpc-java as most write it (9.05 ms) was measured too rarely for a verdict.");
  }

  @Test
  void answer_noMethodWithThreeForks_saysWhatWouldDo() {
    double[] ten = {10, 10.1};
    double[] twenty = {20, 20.1};

    assertThat(
            advice(
                row("download", "ZeroCopyBare", twenty),
                row("download", "ZeroCopy", ten),
                row("download", "Default", twenty),
                row("download", "HttpClientFile", FORTY),
                row("answer", "gzip-download", "ZeroCopy", "HttpClient", GZIP, twenty),
                row("upload", "ZeroCopy", ten),
                row("upload", "HttpClientFile", ten)))
        .satisfiesExactly(
            s ->
                assertThat(s)
                    .matches(
                        "No answer for downloads and uploads: too few forks\\. Allow (\\d+) minutes"
                            + " \\(--time \\1m\\)\\."),
            s ->
                assertThat(s)
                    .isEqualTo(
                        "Whether to compress is not decided; gzip -1 shrinks this file to 24 %."),
            s -> assertThat(s).contains("3 of 3 comparisons with the baseline are not decided"));
  }

  @Test
  void answer_runThatSaidHowLongItHasToBe_saysTheSame() {
    double[] two = {10, 10.1};
    RunDocument run =
        ForkRows.document(
            "CPU",
            List.of(row("download", "ZeroCopy", two), row("download", "HttpClientFile", two)));

    assertThat(Advice.of(ForkRows.tooShort(run, 77)).get(0))
        .isEqualTo("No answer for downloads: too few forks. Allow 77 minutes (--time 77m).");
  }

  @Test
  void answer_rowsThatNobodyCanChoose_areNoCandidates() {
    assertThat(
            answer(
                row("download", "RentedArray", TEN),
                row("download", "ZeroCopy", TWENTY),
                row("download", "HttpClientFile", FORTY)))
        .startsWith("Downloads: Ferry's gRPC (20.0 ms) is fastest, ");
  }

  @Test
  void bareRow_isNoChoice() {
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TEN),
                ForkRows.verified(row("download", "ZeroCopy", TWENTY), "crc32c"),
                row("download", "HttpClientFile", FORTY)))
        .anySatisfy(s -> assertThat(s).startsWith("Downloads: Ferry's gRPC (20.0 ms) is"))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("Verifying by CRC-32C makes ZeroCopy ")
                    .endsWith(" times slower for downloads."));
  }

  @Test
  void verifying_thatIsNotSlower_showsNoCostAndNoGain() {
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TWENTY),
                ForkRows.verified(row("download", "ZeroCopy", TEN), "crc32c"),
                row("upload", "ZeroCopyBare", TEN),
                ForkRows.verified(row("upload", "ZeroCopy", TWENTY), "crc32c")))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith(
                        "Verifying by CRC-32C shows no cost beyond the noise of this run for"
                            + " downloads and makes ZeroCopy ")
                    .endsWith(" times slower for uploads."));
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TEN),
                ForkRows.verified(row("download", "ZeroCopy", TEN), "crc32c")))
        .contains("Verifying by CRC-32C shows no cost beyond the noise of this run for downloads.");
  }

  @Test
  void verifying_thatIsNotDecided_saysWhatTheBareRowLacks() {
    assertThat(
            advice(
                row("download", "ZeroCopyBare", 10, 18, 9, 19),
                ForkRows.verified(row("download", "ZeroCopy", TEN_OR_SO), "crc32c"),
                row("download", "HttpClientFile", FORTY)))
        .contains(
            "ZeroCopyBare is ZeroCopy without its checksum, to show what that costs: at most 6 % for"
                + " downloads in this run.");
  }

  @Test
  void verifying_ofARowThatIsNotBeside_isNotMentioned() {
    assertThat(advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TWENTY)))
        .noneMatch(s -> s.startsWith("Verifying"));
  }

  @Test
  void defaultClient_slowerThanTheBaseline_isNamedThere() {
    assertThat(
            advice(
                row("download", "Default", TEN),
                row("download", "HttpClientFile", FORTY),
                row("upload", "Default", FORTY),
                row("upload", "HttpClientFile", TEN)))
        .filteredOn(s -> s.startsWith("For "))
        .singleElement()
        .asString()
        .startsWith("For uploads, grpc-java as most write it (40.0 ms) is 3.")
        .contains(
            " times slower than java.net.http; for downloads, grpc-java as most write it (10.0 ms) is 3.")
        .endsWith(" times faster than java.net.http.");
    assertThat(
            advice(row("download", "Default", TEN), row("download", "HttpClientFile", TEN_OR_SO)))
        .noneMatch(s -> s.startsWith("For "));
  }

  @Test
  void compressing_measured_saysWhatItTakes() {
    assertThat(
            advice(
                row("download", "ZeroCopy", TEN),
                row("download", "HttpClientFile", TEN),
                row("answer", "gzip-download", "ZeroCopy", "HttpClient", GZIP, TWENTY),
                row("answer", "gzip-download", "HttpClient", "HttpClient", GZIP, TWENTY)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("Compressing makes ZeroCopy ")
                    .contains(
                        " times slower for downloads; gzip -1 shrinks this file to 24 %, so"));
  }

  @Test
  void compressing_notMeasured_namesTheRunThatTells() {
    assertThat(advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TEN)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith(
                        "gzip -1 shrinks this file to 24 %. To see whether that pays, run: ")
                    .contains("--filter table=download --filter table=gzip-download"));
  }

  @Test
  void severalJdks_haveTheirOwnSentences() {
    assertThat(
            advice(
                on("17.0.15", "ZeroCopy", TEN),
                on("17.0.15", "HttpClientFile", TWENTY),
                on("21.0.2", "ZeroCopy", FORTY),
                on("21.0.2", "HttpClientFile", TEN)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("Java 17.0.15: Downloads: Ferry's gRPC (10.0 ms) is fastest")
                    .contains(" Java 21.0.2: Downloads: java.net.http (10.0 ms) is"))
        .filteredOn(s -> s.contains("Results will differ"))
        .singleElement()
        .asString()
        .startsWith(
            "Results will differ over a slower or longer network, with TLS, for files of another"
                + " size than 100 B, or with the server on another machine.");
    assertThat(advice(on("21", "ZeroCopy", TEN), on("21", "HttpClientFile", TWENTY)))
        .anySatisfy(s -> assertThat(s).startsWith("Downloads: Ferry's gRPC"));
  }

  private static Row on(String jdk, String method, double... millis) {
    return ForkRows.of(
        new RowKey("answer", "download", method, Map.of("BufferSize", "65536", "Java", jdk)),
        "HttpClientFile",
        Codec.NONE,
        millis);
  }

  @Test
  void tablesWithoutRules_areNamedAndNotTakenForOthers() {
    Row far = row("distance", "download", "ZeroCopy", "HttpClient", Codec.NONE, TEN);
    Row base = row("distance", "download", "HttpClient", "HttpClient", Codec.NONE, TWENTY);
    Row theirs = row("tasks", "download", "OkHttp", "OkHttp", Codec.NONE, TEN);
    String without =
        "There is no advice for these tables; read their verdicts (ferry bench report): ";

    assertThat(advice(far, base, theirs))
        .containsExactly(without + "download of suite distance; download of suite tasks.");
    assertThat(
            advice(
                far,
                base,
                row("download", "ZeroCopy", FORTY),
                row("download", "HttpClientFile", TEN),
                row("rivals-download", "Netty", TEN)))
        .anySatisfy(s -> assertThat(s).startsWith("Downloads: java.net.http"))
        .endsWith(without + "download of suite distance; rivals-download of suite answer.");
  }

  @Test
  void network_isNotSaidToBeAbsent() {
    assertThat(over(null))
        .anySatisfy(
            s -> assertThat(s).startsWith("Results will differ over another network, with TLS, "));
  }

  @Test
  void network_thatWasNotAsAsked_hasNoAnswer() {
    assertThat(over("the loss was 3 %")).containsExactly("No answer: the loss was 3 %");
  }

  private static List<String> over(@Nullable String reason) {
    NetworkRun network =
        new NetworkRun(
            new Network("lan", 0.2, 1e4, 0, 1 << 20, null),
            "bbr",
            true,
            true,
            List.of(),
            null,
            reason);
    List<Row> rows =
        List.of(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TWENTY));
    return Advice.of(ForkRows.over(network, ForkRows.document("CPU", rows)));
  }

  @Test
  void otherServers_haveAnAnswer() {
    assertThat(
            answer(
                row("url", "download", "OkHttp", "HttpClient", Codec.NONE, TEN),
                row("url", "download", "HttpClient", "HttpClient", Codec.NONE, TWENTY)))
        .startsWith("Downloads from this server: OkHttp (10.0 ms) is fastest, 1.9");
    assertThat(
            answer(
                row("grpc", "unary", "GrpcTuned", "GrpcDefault", Codec.NONE, TEN),
                row("grpc", "unary", "GrpcDefault", "GrpcDefault", Codec.NONE, TWENTY)))
        .startsWith("Calls to this server: tuned grpc-java (10.0 ms) is fastest, 1.9");
    assertThat(
            answer(
                row("grpc", "stream", "ZeroCopy", "GrpcDefault", Codec.NONE, TEN),
                row("grpc", "stream", "GrpcDefault", "GrpcDefault", Codec.NONE, TWENTY)))
        .startsWith(
            "Downloads from this server: grpc-java with ferry-zerocopy (10.0 ms) is fastest, 1.9");
  }

  @Test
  void purposes_haveTheirOwnRules() {
    Row call = row("connection-reuse", "unary", "Grpc", "Http", Codec.NONE, TEN);
    Row rival = row("connection-reuse", "unary", "Http", "Http", Codec.NONE, TWENTY);
    Row stream = row("reply-shapes", "rows", "Stream", "List", Codec.NONE, TEN);
    Row list = row("reply-shapes", "rows", "List", "List", Codec.NONE, TWENTY);

    assertThat(advice(Purpose.SMALL_CALLS, call, rival, stream, list))
        .anySatisfy(s -> assertThat(s).startsWith("Calls (table unary): Grpc (10.0 ms) is fastest"))
        .noneMatch(s -> s.contains("Stream"));
    assertThat(advice(Purpose.STREAMS, call, rival, stream, list))
        .anySatisfy(s -> assertThat(s).startsWith("Replies (table rows): Stream (10.0 ms) is"));
    assertThat(advice(Purpose.UPLOADS, call, rival))
        .singleElement()
        .asString()
        .startsWith("Not enough was measured for advice. ");
  }
}
