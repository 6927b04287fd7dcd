package dev.ferry.suites.advice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.network.Network;
import dev.ferry.lab.model.network.NetworkRun;
import dev.ferry.lab.stats.ForkRows;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  @Test
  void fastest_thatBeatsAllOthers_isToBeUsed() {
    assertThat(
            advice(
                row("download", "ZeroCopy", TEN),
                row("download", "HttpClientFile", TWENTY),
                row("upload", "ZeroCopy", FORTY),
                row("upload", "HttpClientFile", TWENTY)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("For downloads, use ZeroCopy (Ferry's gRPC): it is ")
                    .endsWith(" times faster than HttpClientFile."))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("For uploads, use HttpClientFile (java.net.http with ofFile): it")
                    .endsWith(" times faster than ZeroCopy."));
  }

  @Test
  void fastest_ofTwoThatAreNotDecided_namesBothAndWhatTheyBeat() {
    assertThat(
            advice(
                row("download", "ZeroCopy", TEN),
                row("download", "ApacheTuned", TEN_OR_SO),
                row("download", "HttpClientFile", FORTY)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith(
                        "For downloads, use ZeroCopy (Ferry's gRPC) or ApacheTuned (Apache"
                            + " HttpClient 5, tuned); it is not decided which of them is the fastest")
                    .contains("Decided is that ZeroCopy is ", "times faster than HttpClientFile."));
  }

  @Test
  void fastest_ofTwoOfWhichOneBeatsNobody_recommendsNeitherInAnyOrder() {
    Row fast = row("download", "ZeroCopy", TEN);
    Row noisy = row("download", "ApacheTuned", 10, 60, 12, 55);
    Row slow = row("download", "HttpClientFile", TWENTY);

    for (List<Row> rows : List.of(List.of(fast, noisy, slow), List.of(noisy, fast, slow))) {
      assertThat(advice(rows.toArray(Row[]::new)))
          .anySatisfy(
              s ->
                  assertThat(s)
                      .startsWith("For downloads, it is not decided whether ")
                      .contains("Decided is that ZeroCopy is ", "faster than HttpClientFile."));
    }
  }

  @Test
  void fastest_ofTwoThatAreTheSame_saysSo() {
    assertThat(advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TEN)))
        .anySatisfy(s -> assertThat(s).startsWith("For downloads, use ZeroCopy").contains("same"));
  }

  @Test
  void fastest_nothingDecided_saysWhatWouldDecide() {
    assertThat(
            advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TEN_OR_SO)))
        .anySatisfy(s -> assertThat(s).startsWith("For downloads, it is not decided whether Zero"))
        .anySatisfy(s -> assertThat(s).contains("1 of the comparisons is not decided", "--time"));
  }

  @Test
  void everyRule_onTwoForks_claimsNothing() {
    double[] ten = {10, 10.1};
    double[] twenty = {20, 20.1};

    assertThat(
            advice(
                row("download", "ZeroCopyBare", twenty),
                row("download", "ZeroCopy", ten),
                row("download", "Default", twenty),
                row("download", "HttpClientFile", FORTY),
                row("answer", "gzip-download", "ZeroCopy", "HttpClient", GZIP, twenty)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("For downloads, it is not decided whether ")
                    .doesNotContain("Decided is"))
        .anySatisfy(s -> assertThat(s).contains("not decided; a longer run (--time 30m) would"))
        .anySatisfy(s -> assertThat(s).startsWith("Whether to compress is not decided; gzip at"))
        .noneMatch(s -> s.contains(", use ") || s.contains("faster") || s.contains(" takes "))
        .noneMatch(s -> s.startsWith("The default gRPC client"));
  }

  @Test
  void bareRow_isNoChoice() {
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TEN),
                ForkRows.verified(row("download", "ZeroCopy", TWENTY), "crc32c"),
                row("download", "HttpClientFile", FORTY)))
        .anySatisfy(s -> assertThat(s).startsWith("For downloads, use ZeroCopy (Ferry's gRPC)"))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("Verifying by CRC-32C takes ZeroCopy to ")
                    .endsWith(" of the time without it for downloads."));
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
                            + " downloads and takes ZeroCopy to ")
                    .endsWith(" of the time without it for uploads."));
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TEN),
                ForkRows.verified(row("download", "ZeroCopy", TEN), "crc32c")))
        .contains("Verifying by CRC-32C shows no cost beyond the noise of this run for downloads.");
  }

  @Test
  void verifying_inAnOlderRun_namesNoDigest() {
    assertThat(
            advice(
                row("download", "ZeroCopyBare", TEN),
                ForkRows.verified(row("download", "ZeroCopy", TWENTY), null)))
        .anySatisfy(s -> assertThat(s).startsWith("Verifying takes ZeroCopy to "));
  }

  @Test
  void verifying_ofARowThatIsNotBeside_isNotMentioned() {
    assertThat(advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TWENTY)))
        .noneMatch(s -> s.startsWith("Verifying"));
  }

  @Test
  void defaultClient_slowerThanTheBaseline_willNotDo() {
    assertThat(advice(row("download", "Default", FORTY), row("download", "HttpClientFile", TEN)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("The default gRPC client will not do: Default")
                    .endsWith(" times slower than HttpClientFile for downloads."));
    assertThat(advice(row("download", "Default", TEN), row("download", "HttpClientFile", FORTY)))
        .anySatisfy(s -> assertThat(s).startsWith("The default gRPC client will do: Default"));
    assertThat(
            advice(row("download", "Default", TEN), row("download", "HttpClientFile", TEN_OR_SO)))
        .noneMatch(s -> s.startsWith("The default gRPC client"));
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
                    .startsWith("Compression takes ZeroCopy to ")
                    .contains("of the time for downloads; gzip at level 1 leaves 24 % of this"));
  }

  @Test
  void compressing_notMeasured_namesTheRunThatTells() {
    assertThat(advice(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TEN)))
        .anySatisfy(
            s ->
                assertThat(s)
                    .startsWith("Whether to compress was not measured; gzip at level 1 leaves 24 %")
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
        .anySatisfy(s -> assertThat(s).startsWith("Java 17.0.15: For downloads, use ZeroCopy (F"))
        .anySatisfy(s -> assertThat(s).startsWith("Java 21.0.2: For downloads, use HttpClientFile"))
        .filteredOn(s -> s.contains("would change the answer"))
        .singleElement()
        .asString()
        .startsWith("A network with distance");
    assertThat(advice(on("21", "ZeroCopy", TEN), on("21", "HttpClientFile", TWENTY)))
        .anySatisfy(s -> assertThat(s).startsWith("For downloads, use ZeroCopy"));
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
    Row theirs = row("url", "download", "OkHttp", "OkHttp", Codec.NONE, TEN);
    String without = "There is no rule for these tables; read their verdicts (ferry report): ";

    assertThat(advice(far, base, theirs))
        .satisfiesExactly(
            s -> assertThat(s).startsWith("This run decides nothing about it."),
            s ->
                assertThat(s)
                    .isEqualTo(without + "download of suite distance; download of suite url."));
    assertThat(
            advice(
                far,
                base,
                row("download", "ZeroCopy", FORTY),
                row("download", "HttpClientFile", TEN),
                row("rivals-download", "Netty", TEN)))
        .anySatisfy(s -> assertThat(s).startsWith("For downloads, use HttpClientFile"))
        .endsWith(without + "download of suite distance; rivals-download of suite answer.");
  }

  @Test
  void network_isNotSaidToBeAbsent() {
    NetworkRun network =
        new NetworkRun(
            new Network("lan", 0.2, 1e4, 0, 1 << 20, null),
            "bbr",
            true,
            true,
            List.of(),
            null,
            null);
    List<Row> rows =
        List.of(row("download", "ZeroCopy", TEN), row("download", "HttpClientFile", TWENTY));

    assertThat(Advice.of(ForkRows.over(network, ForkRows.document("CPU", rows))))
        .anySatisfy(s -> assertThat(s).startsWith("Another network, TLS, other sizes of files"))
        .noneMatch(s -> s.startsWith("A network with distance"));
  }

  @Test
  void purposes_haveTheirOwnRules() {
    Row call = row("connection-reuse", "unary", "Grpc", "Http", Codec.NONE, TEN);
    Row rival = row("connection-reuse", "unary", "Http", "Http", Codec.NONE, TWENTY);
    Row stream = row("reply-shapes", "rows", "Stream", "List", Codec.NONE, TEN);
    Row list = row("reply-shapes", "rows", "List", "List", Codec.NONE, TWENTY);

    assertThat(advice(Purpose.SMALL_CALLS, call, rival, stream, list))
        .anySatisfy(s -> assertThat(s).startsWith("For unary, use Grpc"))
        .noneMatch(s -> s.startsWith("For rows"));
    assertThat(advice(Purpose.STREAMS, call, rival, stream, list))
        .anySatisfy(s -> assertThat(s).startsWith("For rows, use Stream"));
    assertThat(advice(Purpose.UPLOADS, call, rival))
        .singleElement()
        .asString()
        .startsWith("This run decides nothing about it.");
  }
}
