package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.RunJson;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options in place of what tables fix. */
final class BenchSettingsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--buffer-sizes=16X | --buffer-sizes: '16X' is not a size; give bytes, or with K, M, G, T",
        "--buffer-sizes=0 | --buffer-sizes: 0 is not a buffer size; give 1 to 1048512 bytes, or 1M",
        "--buffer-sizes=64K,2M | --buffer-sizes: 2M is not a buffer size; give 1 to 1048512 bytes",
        "--buffer-sizes=64K,,1K | --buffer-sizes: '' is not a size",
        "--suite=tasks --buffer-sizes=64K | --buffer-sizes: none of these tables has the parameter"
            + " BufferSize; suites with such tables: file-transfer, file-transfer-short, answer",
        "--compression=lz4 | --compression: 'lz4' is not a compression; give none, or a format"
            + " with",
        "--compression=gzip | --compression: 'gzip' is not a compression; give none, or a format"
            + " with",
        "--compression=gzip:12 | --compression: gzip has no level 12: choose from 0 to 9",
        "--compression=none | --compression: none of these tables has the parameter UseCompression",
        "--verify=none | --verify: none of these tables has the parameter Verify; suites with such",
        "--tables=verified-upload --verify=md5 | --verify: 'md5' is not a digest; give one or more"
            + " of none,crc32c,sha256",
        "--tls --tables=gzip-download | --tls works only for the main tables of the suite answer;",
        "--tls --suite=tasks | --tls works only for the main tables of the suite answer; for",
        "--concurrency=4 | --concurrency: none of these tables has the parameter Transfers;"
            + " suites with such tables: file-scale",
        "--suite=file-scale --concurrency=0 | '0' is not a number of transfers or channels; give 1"
            + " to",
        "--suite=file-scale --connections=many | 'many' is not a number of transfers or channels",
        "--methods=zerocopi | filter 'method=zerocopi': unknown method 'zerocopi'; did you mean",
        "--methods=ZeroCopy --filter=method=Default | method is given twice",
        "--buffer-sizes=16K --filter=BufferSize=64K | unknown BufferSize '64K'; use one of: 16384"
      })
  void bench_badSetting_isOneLineWithTheRemedy(String options, String message) {
    Outcome outcome = Outcome.of(new Main(), ("bench " + options).split(" "));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }

  @Test
  void list_bufferSizesAndMethods_namesTheseRowsAndTheirBaselines() {
    Outcome list =
        bench("--list --tables=download --buffer-sizes=16k,1M,16384 --methods=zerocopy,Default");

    assertThat(list.out())
        .contains(
            "  BufferSize=16384, UseCompression=false ZeroCopy\n",
            "  BufferSize=16384, UseCompression=true Default\n",
            "  BufferSize=1048512, UseCompression=true HttpClient (baseline)\n",
            "13 rows")
        .doesNotContain("BufferSize=4096", "BufferSize=65536", "RentedArray");
  }

  @Test
  void list_methodsOfTheAnswer_areAskedThere() {
    assertThat(bench("--list --methods=zerocopy,Default").out())
        .contains("answer: download", "answer: upload", "ZeroCopy", "HttpClientFile (baseline)")
        .doesNotContain("file-transfer", "FerryHttp", "gzip");
    assertThat(bench("--list --methods=ZeroCopy,RentedArray").out()).contains("file-transfer: ");
    assertThat(bench("--list --methods=ZeroCopy --compression=gzip:6").out())
        .contains("file-transfer: ");
  }

  @Test
  void list_bufferSizesAlone_areThoseOfTheAnswerAndOfTheTablesOutside() {
    Outcome list = bench("--list --buffer-sizes=128K");

    assertThat(list.out())
        .contains("answer: download", "BufferSize=131072 ZeroCopyBare", "16 rows")
        .contains("not among them: answer: gzip-download, 4 rows")
        .doesNotContain("65536");
  }

  @Test
  void list_methodsWithAFilter_keepsRowsThatMatchBoth() {
    Outcome list = bench("--list --methods=ZeroCopy --filter=table=upload,BufferSize=64K");

    assertThat(list.out())
        .isEqualTo(bench("--list --filter=table=upload,BufferSize=64K,method=ZeroCopy").out());
    assertThat(list.out()).contains("5 rows");
  }

  @Test
  void list_compressions_saysWhichRowsCannotHaveThem() {
    Outcome list =
        bench(
            "--list --tables=upload --buffer-sizes=64K --compression=none,gzip:1,gzip:6,zstd:3"
                + " --methods=ZeroCopy");

    assertThat(list.out())
        .contains(
            "  BufferSize=65536, UseCompression=false ZeroCopy\n",
            "  BufferSize=65536, UseCompression=true HttpClient (baseline)\n",
            "  BufferSize=65536, UseCompression=gzip:6 ZeroCopy\n",
            "  BufferSize=65536, UseCompression=zstd:3 ZeroCopy\n",
            "  BufferSize=65536, UseCompression=zstd:3 HttpClient (baseline) (skipped here: it"
                + " compresses at only one level of gzip; give --compression none,gzip:1)\n");
  }

  @Test
  void list_verify_hasTheRowsOfTheseDigestsAlone() {
    Outcome list =
        bench(
            "--list --tables=verified-upload --verify=sha256,none --compression=none"
                + " --methods=ZeroCopy");

    assertThat(list.out())
        .contains(
            "  Verify=sha256, BufferSize=65536, UseCompression=false ZeroCopy\n",
            "  Verify=none, BufferSize=65536, UseCompression=false HttpClient (baseline)\n")
        .doesNotContain("crc32c,");
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_tls_movesTheFileOverTlsInEachRow() throws Exception {
    Path out = folder.resolve("run");
    Outcome bench =
        bench("--tls --profile=smoke --file-size=64K --filter=table=upload --out=" + out);

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(out.resolve("run.json"));
    assertThat(run.rows())
        .extracting(Row::method)
        .containsExactly(
            "Default",
            "ZeroCopy",
            "OwnZeroCopy",
            "FerryHttp",
            "HttpClientFile",
            "ApacheTuned",
            "ZeroCopyBare");
    assertThat(run.rows())
        .allSatisfy(row -> assertThat(row.measured()).as(row.reason()).isTrue())
        .allSatisfy(row -> assertThat(row.parameters()).containsKey("Provider"));
  }

  @Test
  void list_concurrencyAndConnections_haveEachRowOnce() {
    Outcome list =
        bench(
            "--list --suite=file-scale --tables=concurrency-upload --concurrency=2,16"
                + " --connections=2 --methods=ZeroCopy");

    assertThat(list.out())
        .containsOnlyOnce("  Transfers=2, Channels=2 ZeroCopy\n")
        .containsOnlyOnce("  Transfers=16, Channels=2 ZeroCopy\n")
        .contains("5 rows")
        .doesNotContain("Transfers=64", "Channels=8");
  }

  @Test
  void bench_settings_areThoseOfTheForksAndOfTheResumedRun() throws Exception {
    Path out = folder.resolve("run");
    Outcome bench =
        bench(
            "--profile=smoke --file-size=64K --buffer-sizes=3K --tables=upload --methods=ZeroCopy"
                + " --compression=gzip:6,zstd:3 --filter=BufferSize=3K --out="
                + out);

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    assertHasSettings(out);

    Path json = out.resolve("run.json");
    Files.writeString(
        json, Files.readString(json).replace("\"complete\" : true", "\"complete\" : false"));
    Outcome resumed = bench("--resume=" + out);

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertHasSettings(out);
  }

  private static void assertHasSettings(Path out) throws Exception {
    RunDocument run = RunJson.read(out.resolve("run.json"));
    assertThat(run.complete()).isTrue();
    assertThat(run.arguments())
        .contains("--buffer-sizes=3K", "--methods=ZeroCopy", "--compression=gzip:6,zstd:3");
    assertThat(run.rows())
        .allSatisfy(row -> assertThat(row.parameters()).containsEntry("BufferSize", "3072"))
        .filteredOn(row -> row.method().equals("ZeroCopy"))
        .allSatisfy(row -> assertThat(row.measured()).as(row.reason()).isTrue())
        .extracting(row -> row.work().encoding() + " by " + row.setup().codec())
        .satisfiesExactly(
            gzip -> assertThat(gzip).isEqualTo("gzip by java.util.zip, gzip level 6"),
            zstd -> assertThat(zstd).startsWith("zstd by zstd-jni").endsWith(", zstd level 3"));
  }

  private static Outcome bench(String options) {
    return Outcome.of(new Main(), ("bench " + options).split(" "));
  }
}
