package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.core.Round;
import dev.ferry.lab.model.RunDocument;
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

/** The options for the measuring JVMs. */
final class BenchJvmTest {
  private static final Path OWN = Path.of(System.getProperty("java.home", ""));

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--gc=fast | --gc: unknown collector 'fast'; use one of: serial, parallel, g1, z,"
            + " shenandoah",
        "--gc=paralel | --gc: unknown collector 'paralel'; did you mean 'parallel'?",
        "--heap=lots | 'lots' is not a size; give bytes, or with K",
        "--heap=1K | does not start: Too small ",
        "--jvm-args=-XX:+Fly | bin/java does not start: Unrecognized VM option 'Fly'; correct --java",
        "--jvm-args=-Xmx2g | --jvm-args: give --heap SIZE instead of -Xmx2g",
        "--jvm-args=-XX:+UseZGC | --jvm-args: give --gc NAME instead of -XX:+UseZGC",
        "--jvm-args=fast | --jvm-args: 'fast' is not a flag of a JVM; flags begin with -",
        "--java=no-such-jdk | --java: no-such-jdk is not a JDK; give a folder that has bin/java"
      })
  void bench_wrongJvm_isRefusedBeforeAnythingRuns(String option, String message) {
    Path out = folder.resolve("run");
    Outcome outcome = Outcome.of(new Main(), "bench", option, "--out=" + out);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
    assertThat(out).doesNotExist();
  }

  @Test
  void bench_programThatIsNoJvm_isRefused() throws IOException {
    Path bin = Files.createDirectories(folder.resolve("jdk").resolve("bin"));
    Path program = Files.writeString(bin.resolve("java"), "#!/bin/sh\necho no VM here\nexit 3\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();

    Outcome outcome = Outcome.of(new Main(), "bench", "--java", program.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(program + " does not start: no VM here").hasLineCount(1);
  }

  @Test
  void list_jdksOfOneVersion_areNamedByFolderOrPath() throws IOException {
    Path other = link("other");
    Path first =
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("a")).resolve("jdk"), OWN);
    Path second =
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("b")).resolve("jdk"), OWN);

    assertThat(list(OWN).out()).contains("Java=" + System.getProperty("java.version") + " ");
    assertThat(list(OWN, other).out()).contains("Java=" + OWN.getFileName() + " ", "Java=other ");
    assertThat(list(first, second).out()).contains("Java=" + first + " ", "Java=" + second + " ");
    assertThat(list(other, other).err())
        .contains("--java: " + other + " is given twice")
        .hasLineCount(1);
  }

  private static Outcome list(Path... jdks) {
    List<String> paths = new ArrayList<>();
    for (Path jdk : jdks) {
      paths.add(jdk.toString());
    }
    return Outcome.of(new Main(), "bench", "--list", "--java", String.join(",", paths));
  }

  private Path link(String name) throws IOException {
    return Files.createSymbolicLink(folder.resolve(name), OWN);
  }

  @Test
  void bench_jdksAndFlags_areThoseOfTheForksAndInTheRun() throws Exception {
    Path out = folder.resolve("run");
    Path other = link("other");
    String method = Round.isThorough() ? "ZeroCopy" : "HttpClient";
    Outcome bench =
        Outcome.of(
            new Main(),
            "bench",
            "--profile=smoke",
            "--file-size=64K",
            "--processes=" + Round.times(1, 2),
            "--java=" + OWN + "," + other,
            "--heap=192M",
            "--gc=serial",
            "--jvm-args",
            "-Xss600k -Dmine=yes",
            "--filter=table=download,BufferSize=64K,UseCompression=false,method=" + method,
            "--out=" + out);

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(out.resolve("run.json"));
    assertThat(run.environment().flags())
        .startsWith("-Xms192m", "-Xmx192m", "-XX:+UseSerialGC")
        .endsWith("-Xss600k", "-Dmine=yes");
    assertThat(run.environment().collector()).isEqualTo("Serial");
    assertThat(run.environment().heapBytes()).isEqualTo(192 << 20);
    assertThat(run.environment().jdk()).isEqualTo(Runtime.version().toString());
    String own = String.valueOf(OWN.getFileName());
    assertThat(run.rows())
        .extracting(row -> row.parameters().get("Java") + " " + row.method())
        .containsExactlyElementsOf(
            Round.isThorough()
                ? List.of(
                    own + " ZeroCopy", own + " HttpClient", "other ZeroCopy", "other HttpClient")
                : List.of(own + " HttpClient", "other HttpClient"));
    assertThat(run.rows())
        .allSatisfy(row -> assertThat(row.measured()).as(row.reason()).isTrue())
        .allSatisfy(row -> assertThat(row.isBaseline() || row.comparison() != null).isTrue());
    assertThat(Files.readString(out.resolve("forks.log")))
        .contains("\n" + OWN.resolve("bin/java") + " -Xms192m ")
        .contains("\n" + other.resolve("bin/java") + " -Xms192m ")
        .contains("-Xmx192m -XX:+UseSerialGC")
        .contains("-Dmine=yes");
  }
}
