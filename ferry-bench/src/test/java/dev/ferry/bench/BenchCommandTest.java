package dev.ferry.bench;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.core.Round;
import dev.ferry.suites.rival.nginx.NginxServer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class BenchCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--suite=x | unknown suite 'x'; use one of: file-transfer",
        "--suite=filetransfer | unknown suite 'filetransfer'; did you mean 'file-transfer'? Or try",
        "--profile=Standart | unknown profile 'Standart'; did you mean 'standard'?",
        "--filter=Method=zerocopi | unknown method 'zerocopi'; did you mean 'ZeroCopy'?",
        "--filter=metod=ZeroCopy | unknown key 'metod'; did you mean 'method'?",
        "--tables=downlaod | no table 'downlaod'; did you mean 'download'?",
        "--tables=none | no table 'none'; use one of: download, upload,",
        "--profile=fast | unknown profile 'fast'; use one of: default, quick, standard, full",
        "--profiler=perf | unknown profiler 'perf'; use one of: async, jfr",
        "--filter=method=Fast | unknown method 'Fast'; use one of: Default, RentedArray, ZeroCopy",
        "--processes=3 | --processes is 3; give 1, or 2 for a separate server process",
        "--file-size=2X | '2X' is not a size; give bytes, or with K, M, G, T",
        "--file-size=0 | --file-size is 0; give at least 1 byte",
        "--filter=fast | 'fast' is not key=value",
        "--time=30s | --time is PT30S; give a minute at least",
        "--time=soon | 'soon' is not a time; give one such as",
        "--network=moon | --network: 'moon' is not a network; give rtt=20ms,rate=1gbit,loss=0.1%",
        "--network=rtt=5 | --network: rtt is '5'; give 0 to 10s, such as 20ms or 200us",
        "--suite=distance | suite distance needs a network between its two ends; give --network",
        "--threshold=much | 'much' is not a percentage such as 5% or 2.5%"
      })
  void bench_unknownName_saysWhatThereIs(String option, String message) {
    Outcome outcome = Outcome.of(new Main(), "bench", option);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }

  @Test
  void bench_missingFile_saysSoAndMakesNoRunFolder() {
    Path out = folder.resolve("run");
    Outcome outcome =
        Outcome.of(new Main(), "bench", "--file", "no-such-file", "--out", out.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("no-such-file does not exist").hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  /** Those that need nothing which this machine may lack. */
  static Stream<String> documentedCommands() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String page :
        List.of("README.md", "docs/bench.md", "docs/bench/rivals.md", "docs/bench/calls.md")) {
      lines.addAll(Files.readAllLines(Path.of("..", page)));
    }
    return lines.stream()
        .distinct()
        .filter(line -> line.matches("\\./ferry bench( +[-#].*)?"))
        .map(line -> line.replaceFirst("^\\./ferry ", "").replaceFirst(" +#.*", ""))
        .filter(line -> !line.matches(".* --(java|url|grpc) .*"));
  }

  @ParameterizedTest
  @MethodSource("documentedCommands")
  void bench_commandOfTheDocuments_hasRows(String command) throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "a,b\n");
    Outcome outcome =
        Outcome.of(new Main(), (command.replace("PATH", file.toString()) + " --list").split(" "));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains(", profile ");
  }

  @Test
  void bench_commandOfTheArchive_hasTheRowsWhoseClassesItLists() throws IOException {
    Matcher command =
        Pattern.compile("-jar \"\\$jar\" (bench .*) --out")
            .matcher(
                Files.readString(Path.of("../tools/archive-classes.sh"))
                    .replaceAll("\\\\\n *", ""));
    assertThat(command.find()).isTrue();
    Outcome outcome = Outcome.of(new Main(), (command.group(1) + " --list").split(" "));

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out()).contains("4 rows, profile smoke");
  }

  @Test
  void bench_list_namesTheRowsAndRunsNothing() {
    Outcome outcome =
        Outcome.of(new Main(), "bench", "--list", "--filter", "method=ZeroCopy,table=upload");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .contains(
            "file-transfer: upload",
            "ZeroCopy",
            "HttpClient (baseline)",
            "HttpClient A/A (the baseline again, for the noise floor)",
            "13 rows",
            "  gzip-all: gzip level 1")
        .doesNotContain("download", "RentedArray");
  }

  @Test
  void bench_namesInAnyCaseAndSizesWithUnits_areThoseOfTheTables() {
    String[] asPrinted = {
      "bench", "--list", "--filter", "table=upload,BufferSize=65536,method=ZeroCopy"
    };
    String[] asTyped = {
      "bench",
      "--list",
      "--suite",
      "File-Transfer",
      "--profile",
      "QUICK",
      "--profiler",
      "JFR",
      "--filter",
      "Table=UPLOAD,buffersize=64k,Method=zerocopy"
    };

    assertThat(Outcome.of(new Main(), asTyped)).isEqualTo(Outcome.of(new Main(), asPrinted));
    assertThat(Outcome.of(new Main(), asPrinted).out()).contains("5 rows");
  }

  @Test
  void bench_runThatTheLauncherTakesClassesFrom_exists() {
    // tools/archive-classes.sh has these arguments.
    String[] list = {
      "bench", "--list", "--profile", "smoke", "--suite", "answer", "--tables", "download"
    };

    assertThat(Outcome.of(new Main(), list).exitCode()).isZero();
  }

  @Test
  void list_tooShortForThreeForks_saysHowLongTheyTake() {
    String message = "this run is too short for verdicts, which need three forks of each row";

    assertThat(Outcome.of(new Main(), "bench", "--list", "--time", "1m").out())
        .containsPattern(message + ": --time \\dm has them");
    assertThat(Outcome.of(new Main(), "bench", "--list", "--quick").out()).doesNotContain(message);
    assertThat(Outcome.of(new Main(), "bench", "--list", "--profile", "quick").out())
        .contains(message);
    assertThat(Outcome.of(new Main(), "bench", "--list", "--profile", "standard").out())
        .doesNotContain(message);
  }

  @Test
  void list_rowsThatCannotRun_areCountedAndNamedApart() {
    String[] pinned = {
      "bench",
      "--list",
      "--tables=rivals-download",
      "--filter=BufferSize=65536,UseCompression=false,method=NginxCurl",
      "--pin"
    };
    String[] distance = {"bench", "--list", "--suite=distance"};

    assertThat(Outcome.of(new Main(), pinned).out())
        .contains(
            "3 rows, 1 of them skipped here, profile",
            "\nskipped here, 1 row of NginxCurl: --pin cannot give processors to other programs\n");
    assertThat(Outcome.of(new Main(), distance).out())
        .containsPattern("(\\d+) rows, \\1 of them skipped here, profile .* about 0 s with")
        .containsPattern("skipped here, \\d+ rows of ZeroCopy: it needs a network, such as")
        .doesNotContain("ceilings (");
    assertThat(Outcome.of(new Main(), with(distance, "--network=country")).out())
        .contains("ceilings (")
        .satisfies(
            list -> {
              // Without nginx its rows are skipped everywhere.
              if (NginxServer.isInstalled()) {
                assertThat(list).doesNotContain("skipped here");
              }
            });
  }

  @Test
  void bench_tables_runsTheseAlone() {
    String[] list = {"bench", "--list", "--tables", "Upload,c-core-upload"};

    assertThat(Outcome.of(new Main(), list).out())
        .contains("file-transfer: upload", "file-transfer: c-core-upload", "50 rows")
        .doesNotContain("file-transfer: download", "not among them");
  }

  @Test
  void bench_tablesWithAFilter_runsWhatTheFilterKeepsOfThem() {
    String[] list = {
      "bench", "--list", "--tables", "rivals-download", "--filter", "BufferSize=65536"
    };

    assertThat(Outcome.of(new Main(), list).out())
        .contains("file-transfer: rivals-download")
        .doesNotContain("BufferSize=4096", "file-transfer: download ");
  }

  @Test
  void bench_allTables_runsThoseOnRequestAsWell() {
    Outcome all = Outcome.of(new Main(), "bench", "--list", "--tables", "all");

    assertThat(all.out())
        .contains("file-transfer: download", "file-transfer: rivals-upload", "c-core-upload")
        .doesNotContain("not among them");
  }

  @Test
  void bench_fileAndFileSize_areRefusedTogether() {
    Outcome outcome = Outcome.of(new Main(), "bench", "--file", "a", "--file-size", "2G");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err())
        .contains("--file and --file-size: give only one of them")
        .hasLineCount(1);
  }

  @Test
  void bench_listOfALargerFile_expectsMoreTime() {
    String[] list = {"bench", "--list", "--filter", "table=upload,UseCompression=false"};

    assertThat(Outcome.of(new Main(), list).out())
        .contains("about 2 min with a file of 25,060,966 bytes");
    assertThat(Outcome.of(new Main(), with(list, "--file-size", "250MB")).out())
        .contains("about 5 min with a file of 250,000,000 bytes");
  }

  @Test
  void bench_list_namesTheTablesThatRunOnRequest() {
    Outcome all = Outcome.of(new Main(), "bench", "--list", "--suite", "file-transfer");
    Outcome rivals = Outcome.of(new Main(), "bench", "--list", "--filter", "table=rivals-upload");

    assertThat(all.out())
        .contains("50 rows")
        .contains("not among them: file-transfer: rivals-download, 40 rows")
        .contains("not among them: file-transfer: rivals-upload, 38 rows")
        .contains(
            "not among them: file-transfer: c-core-upload, 24 rows, about 5 min; --tables c-core-upload");
    assertThat(rivals.out())
        .contains("39 rows", "UseCompression=false NginxCurl")
        .doesNotContain("UseCompression=true NginxCurl");
  }

  @Test
  void report_noRun_saysSo() {
    Outcome outcome = Outcome.of(new Main(), "report", folder.toString());

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("run.json does not exist").hasLineCount(1);
  }

  @Test
  void bench_generatedFileOfASize_isMovedAndTheRunCanBeResumed() throws Exception {
    String out = folder.resolve("run").toString();
    Outcome bench =
        Outcome.of(
            new Main(),
            "bench",
            "--profile=smoke",
            "-v",
            "--file-size=64K",
            "--out=" + out,
            "--filter=BufferSize=64K,UseCompression=false,table=download,method=HttpClient");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    assertThat(bench.out()).contains("File taxi-fare.csv, 65,536 bytes");
    assertThat(bench.err())
        .containsPattern("ferry bench: 1 of 2, about \\d+ s left: ceilings")
        .startsWith("ferry bench: this run is too short for verdicts");

    assertThat(Outcome.of(new Main(), "bench", "--resume", out).err())
        .contains("is complete; ferry bench report prints it")
        .hasLineCount(1);
    assertThat(Outcome.of(new Main(), "bench", "--quick", "--resume", out).exitCode()).isEqualTo(2);
    resumeGoesOnWithTheForkThatDidNotEnd(folder.resolve("run"));
  }

  /** Makes the run one that was killed in its second fork, and resumes it. */
  private static void resumeGoesOnWithTheForkThatDidNotEnd(Path run) throws IOException {
    Path json = run.resolve("run.json");
    Files.writeString(
        json, Files.readString(json).replace("\"complete\" : true", "\"complete\" : false"));
    Path ceilings;
    Path row;
    try (Stream<Path> files = Files.list(run.resolve("samples"))) {
      List<Path> all = files.sorted().toList();
      ceilings = all.get(0);
      row = all.get(all.size() - 1);
    }
    String samples = Files.readString(ceilings);
    String first = Files.readString(row).lines().findFirst().orElseThrow();
    Files.writeString(row, first + "\n");

    Path lock = run.resolve("lock");
    try (FileChannel other = FileChannel.open(lock, CREATE, WRITE);
        FileLock held = other.lock()) {
      assertThat(held.isValid()).isTrue();
      Outcome second = Outcome.of(new Main(), "bench", "--resume=" + run);
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(second.err())
          .contains("another ferry bench writes to " + run + "; wait for its end")
          .hasLineCount(1);
    }

    Outcome resumed = Outcome.of(new Main(), "bench", "--resume=" + run);

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out())
        .contains("| HttpClient", "ForksPerRow=1  SamplesPerFork=2")
        .doesNotContain("INCOMPLETE");
    assertThat(ceilings).hasContent(samples);
    assertThat(row).content().hasLineCount(2).doesNotStartWith(first);
  }

  private static String[] with(String[] some, String... more) {
    return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void bench_everyCarrierOnOneByte_measuresAndReportsAgain() throws Exception {
    Path file = Files.write(folder.resolve("one"), new byte[] {7});
    String out = folder.resolve("run").toString();
    List<String> carriers =
        Round.isThorough()
            ? List.of("Default", "RentedArray", "ZeroCopy", "HttpClient")
            : List.of("ZeroCopy", "HttpClient");
    Outcome bench =
        Outcome.of(
            new Main(),
            "bench",
            "--profile",
            "smoke",
            "--file",
            file.toString(),
            "--out",
            out,
            "--filter",
            "BufferSize=65536,UseCompression=false,table=download"
                + (Round.isThorough() ? "" : ",method=ZeroCopy"));

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    for (String method : carriers) {
      assertThat(bench.out()).containsPattern("(?m)^" + method + " .*  1$");
      assertThat(bench.err()).containsPattern("(?m)^ferry bench: " + method + " .*  1$");
    }
    assertThat(bench.out())
        .startsWith("No answer for downloads: ")
        .endsWith("\nRun folder: " + out + " (report.html has the charts, report.md the details)\n")
        .doesNotContain("Ceilings", "|");
    assertThat(bench.out().lines().filter(line -> line.matches(".* \\d+$")))
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(Outcome.of(new Main(), "report", out)).isEqualTo(new Outcome(0, bench.out(), ""));
    assertThat(Outcome.of(new Main(), "report", "-v", out).out())
        .contains("| ZeroCopy", "\nCeilings\n", "\nVerdicts\n");
    Path bdn = folder.resolve("report-full.json");
    Outcome export = Outcome.of(new Main(), "report", out, "--csv", "-", "--bdn", bdn.toString());
    assertThat(export.exitCode()).isZero();
    assertThat(export.out())
        .startsWith("suite,table,method,parameters.BufferSize,")
        .hasLineCount(1 + carriers.size());
    assertThat(bdn).content().contains("\"Method\" : \"ZeroCopy\"");
    Outcome refused = Outcome.of(new Main(), "report", out, "--jmh", out);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains(out + " cannot be written; name another").hasLineCount(1);
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }
}
