package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.PseudoTerminal;
import dev.ferry.lab.report.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options that a user keeps in a file. */
final class BenchConfigTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "bufer-sizes=16K | bench.properties: 'bufer-sizes' is not an option to keep; did you mean"
            + " 'buffer-sizes'?",
        "resume=results | 'resume' is not an option to keep; use one of: suite, tables, filter",
        "pin=maybe | bench.properties: pin is 'maybe'; give true or false"
      })
  void bench_keyThatIsNoOption_isRefusedByItsName(String line, String message) throws IOException {
    Outcome outcome = bench(file(line), "--list");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }

  @Test
  void bench_badValueInTheFile_isRefusedAfterItsOptionsWereNamed() throws IOException {
    Outcome outcome = bench(file("buffer-sizes=16X"), "--list");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err().lines())
        .hasSize(2)
        .first()
        .asString()
        .endsWith("bench.properties: --buffer-sizes=16X");
    assertThat(outcome.err()).contains("--buffer-sizes: '16X' is not a size");
  }

  /** In the file, it is ignored: see {@link #bench_file_isKeptByTheRun}. */
  @Test
  void bench_settingThatNoTableHasOnTheCommandLine_isRefused() throws IOException {
    Outcome refused =
        bench(file("concurrency=4"), "--concurrency=4", "--tables=download", "--list");

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("--concurrency: none of these tables has the parameter");
  }

  @Test
  void bench_missingFile_isRefused() {
    Outcome outcome = bench(folder.resolve("none"), "--list");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("none cannot be read; give a text file").hasLineCount(1);
  }

  @Test
  void bench_file_isAsIfItsOptionsHadBeenGivenButThoseOfTheCommandLineBeatIt() throws IOException {
    Path file =
        file("# mine", "tables=upload", "buffer-sizes = 16K,64K", "methods=Default", "pin=false");

    assertThat(bench(file, "--dry-run", "--methods=ZeroCopy").out())
        .isEqualTo(
            Outcome.of(
                    new Main(),
                    "bench",
                    "--list",
                    "--tables=upload",
                    "--buffer-sizes=16K,64K",
                    "--methods=ZeroCopy")
                .out())
        .contains("BufferSize=16384, UseCompression=true ZeroCopy");
  }

  @Test
  void bench_fileOfTheFolder_isReadWithoutAnOption() throws Exception {
    Path unused = file("tables=download", "buffer-sizes=3K");
    try (PseudoTerminal terminal =
        new PseudoTerminal(
            "cd " + folder + " && " + PseudoTerminal.ferry(Main.class) + " bench --list")) {
      assertThat(terminal.exitCode()).isZero();
      assertThat(terminal.screen())
          .contains("options of bench.properties: --buffer-sizes=3K --tables=download")
          .contains("BufferSize=3072, UseCompression=false ZeroCopy")
          .doesNotContain("BufferSize=4096", "upload");
    }
  }

  @Test
  void bench_file_isKeptByTheRun() throws Exception {
    Path file =
        file(
            "concurrency=4",
            "buffer-sizes=3K",
            "methods=HttpClient",
            "profile=smoke",
            "file-size=64K");
    Path out = folder.resolve("run");
    Outcome bench =
        bench(file, "--tables=download", "--filter=UseCompression=false", "--out=" + out);

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    assertThat(bench.err().lines())
        .filteredOn(
            line -> line.endsWith("ignored, as no table of this run has it: --concurrency=4"))
        .hasSize(1);
    assertThat(RunJson.read(out.resolve("run.json")).arguments())
        .containsExactly(
            "bench",
            "--config=" + file,
            "--tables=download",
            "--filter=UseCompression=false",
            "--out=" + out,
            "--buffer-sizes=3K",
            "--file-size=64K",
            "--methods=HttpClient",
            "--profile=smoke");

    Path json = out.resolve("run.json");
    Files.writeString(
        json, Files.readString(json).replace("\"complete\" : true", "\"complete\" : false"));
    Files.delete(file);
    Outcome resumed = Outcome.of(new Main(), "bench", "--resume=" + out);

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("\nHttpClient ").contains("3072");
  }

  private Path file(String... lines) throws IOException {
    return Files.write(folder.resolve("bench.properties"), List.of(lines));
  }

  private static Outcome bench(Path config, String... options) {
    List<String> arguments = new ArrayList<>(List.of("bench", "--config=" + config));
    arguments.addAll(List.of(options));
    return Outcome.of(new Main(), arguments.toArray(String[]::new));
  }
}
