package dev.ferry.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Round;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The script {@code ferry}, with a program of a few lines in place of Ferry. */
@Timeout(300)
final class LauncherTest {
  private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

  /** Each archive takes seconds, so a quick build makes few. */
  private static final boolean THOROUGH = Boolean.getBoolean("ferry.thorough");

  /** Prints its arguments, and in which way the JVM got its class. */
  private static final String MAIN =
      """
      package dev.ferry.cli;
      public final class Main {
        public static void main(String[] args) throws Exception {
          if (args[0].equals("bench")) {
            bench();
          }
          System.out.println(String.join(" ", args));
          System.err.println("err");
          if (args[0].equals("read")) {
            System.out.print(new String(System.in.readAllBytes()));
          }
          if (args[0].equals("wait")) {
            Thread.sleep(60_000);
          }
          System.exit(7);
        }
        /** Runs a fork with the flags that the launcher gives. */
        private static void bench() throws Exception {
          java.util.List<String> fork = new java.util.ArrayList<>();
          fork.add(System.getProperty("java.home") + "/bin/java");
          System.getProperty("ferry.lab.start-up-flags", "").lines().forEach(fork::add);
          String jar = System.getProperty("java.class.path");
          fork.addAll(java.util.List.of("-cp", jar, "-Xlog:class+load", "dev.ferry.cli.TrainingRun"));
          boolean ended = new ProcessBuilder(fork).inheritIO().start().waitFor() == 0;
          if (System.getProperty("ferry.lab.start-up-flags", "").contains("DumpLoaded")) {
            System.exit(ended ? 0 : 1);
          }
        }
      }
      """;

  private static final String TRAINING_RUN =
      """
      package dev.ferry.cli;
      final class TrainingRun {
        public static void main(String[] args) throws Exception {
          System.out.println(Main.class);
        }
      }
      """;

  @TempDir static Path program;

  @TempDir Path root;
  private Path target;
  private Path jar;

  /** The result of a run. Its output is complete only when no process holds it open any more. */
  private record Run(int code, String out, String err) {}

  @BeforeEach
  void copyScripts() throws Exception {
    for (String script : List.of("ferry", "tools/archive-classes.sh")) {
      Path copy = root.resolve(script);
      Files.createDirectories(copy.getParent());
      Files.copy(REPOSITORY.resolve(script), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
    Files.createFile(root.resolve("pom.xml"));
    target = Files.createDirectories(root.resolve("ferry-cli/target"));
    jar = target.resolve("ferry.jar");
    makeJar();
  }

  @BeforeAll
  static void compile() throws IOException {
    Path main = Files.writeString(program.resolve("Main.java"), MAIN);
    Path training = Files.writeString(program.resolve("TrainingRun.java"), TRAINING_RUN);
    String[] arguments = {
      "-d", program.toString(), "--release=17", main.toString(), training.toString()
    };
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
  }

  private void makeJar() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "dev.ferry.cli.Main");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest)) {
      for (String name : List.of("dev/ferry/cli/Main.class", "dev/ferry/cli/TrainingRun.class")) {
        out.putNextEntry(new JarEntry(name));
        Files.copy(program.resolve(name), out);
        out.closeEntry();
      }
    }
  }

  private ProcessBuilder ferry(String... arguments) {
    List<String> command = new ArrayList<>(List.of(root.resolve("ferry").toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("FERRY_JAVA_OPTS");
    return builder;
  }

  private static Run run(ProcessBuilder builder) throws Exception {
    // Not a pipe: a command that reads nothing may have closed it before something is written.
    Path in = Files.writeString(Files.createTempFile("launcher", "in"), "in");
    Path err = Files.createTempFile("launcher", "err");
    try {
      Process process = builder.redirectInput(in.toFile()).redirectError(err.toFile()).start();
      String out = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Run(process.waitFor(), out, Files.readString(err));
    } finally {
      Files.delete(in);
      Files.delete(err);
    }
  }

  private void assertRunsAsEver(String... arguments) throws Exception {
    assertThat(run(ferry(arguments)))
        .isEqualTo(new Run(7, String.join(" ", arguments) + "\n", "err\n"));
  }

  private List<Path> archives() throws IOException {
    return files(".jsa");
  }

  /** What says that somebody has tried to make an archive. */
  private List<Path> claims() throws IOException {
    return files(".claim");
  }

  private List<Path> files(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList();
    }
  }

  private Path awaitArchive() throws Exception {
    while (archives().isEmpty() || isAtWork()) {
      Thread.sleep(20);
    }
    return archives().get(0);
  }

  /** Whether somebody makes an archive, which leaves nothing else behind. */
  private boolean isAtWork() throws IOException {
    try (Stream<Path> files = Files.list(target)) {
      return files.anyMatch(Files::isDirectory);
    }
  }

  /** The source that the JVM loaded the program's class from. */
  private String sourceOfMain() throws Exception {
    ProcessBuilder ferry = ferry("ls");
    ferry.environment().put("FERRY_JAVA_OPTS", "-Xlog:class+load");
    return run(ferry)
        .out()
        .lines()
        .filter(line -> line.contains("dev.ferry.cli.Main "))
        .collect(joining());
  }

  private void makeNoArchive() throws IOException {
    Files.delete(root.resolve("tools/archive-classes.sh"));
  }

  @Test
  void run_inAFolderThatWasDeleted_saysSo() throws Exception {
    ProcessBuilder shell = ferry();
    shell
        .command(
            "sh",
            "-c",
            "cat >/dev/null; cd \"$1\" && rmdir \"$1\" && exec \"$0\" ls",
            root.resolve("ferry").toString())
        .command()
        .add(Files.createDirectory(root.resolve("gone")).toString());
    Run run = run(shell);
    assertThat(run.code()).isEqualTo(1);
    // The shell says of its own that it does not know the folder.
    assertThat(run.err())
        .endsWith("ferry: the current folder no longer exists; change to another one\n");
  }

  @Test
  void run_again_usesTheArchiveThatTheFirstHadMadeUnlessItIsBroken() throws Exception {
    assertThat(sourceOfMain()).contains(jar.toString());
    awaitArchive();

    assertThat(sourceOfMain()).contains("shared objects file");
    assertRunsAsEver("ls", "a b", "");
    assertRunsAsEver("get", "$HOME");
    assertThat(archives()).hasSize(1);

    // Without an archive that is broken, it runs as ever.
    Path archive = archives().get(0);
    for (byte[] broken :
        List.of("nonsense".getBytes(UTF_8), new byte[0], new byte[1 << 20])
            .subList(0, Round.times(1, 3))) {
      Files.delete(archive);
      Files.write(archive, broken);
      assertRunsAsEver("ls");
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_withoutArchive_makesOneForItsForksFirst() throws Exception {
    useAsBench();
    Run first = run(ferry("bench"));

    assertThat(first.code()).isEqualTo(7);
    assertThat(first.err()).contains("preparing the start of the measuring JVMs");
    assertThat(archives()).hasSize(1);
    assertThat(isAtWork()).isFalse();
    assertThat(sourceOfTrainingRun(first)).contains("shared objects file");
    Run second = run(ferry("bench"));
    assertThat(second.err()).isEqualTo("err\n");
    assertThat(sourceOfTrainingRun(second)).contains("shared objects file");
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_archiveThatCannotBeMade_runsWithoutAndTriesOnce() throws Exception {
    useAsBench();
    Path script = root.resolve("tools/archive-classes.sh");
    Files.writeString(script, Files.readString(script).replace("-jar \"$jar\"", "no.such.Class"));

    assertThat(run(ferry("bench")).err()).contains("preparing the start");
    Run second = run(ferry("bench"));
    assertThat(second.code()).isEqualTo(7);
    assertThat(second.err()).isEqualTo("err\n");
    assertThat(sourceOfTrainingRun(second)).contains(jar.toString());
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_thatMeasuresNothing_makesNoArchive() throws Exception {
    useAsBench();
    assertThat(run(ferry("bench", "--list")).err()).isEqualTo("err\n");
    assertThat(run(ferry("bench", "-h")).err()).isEqualTo("err\n");
    assertThat(run(ferry("help", "bench")).err()).isEqualTo("err\n");
    assertThat(run(ferry("bench", "judge", "report.md")).err()).isEqualTo("err\n");
    assertThat(run(ferry("serve", "--bench")).out()).isEqualTo("serve --bench\n");
    assertThat(archives()).isEmpty();
  }

  private void useAsBench() throws IOException {
    target = Files.createDirectories(root.resolve("ferry-bench/target"));
    jar = Files.move(jar, target.resolve("ferry-bench.jar"));
  }

  private static String sourceOfTrainingRun(Run run) {
    return run.out().lines().filter(l -> l.contains("cli.TrainingRun source:")).collect(joining());
  }

  @Test
  void run_installed_usesWhatIsBesideTheScript() throws Exception {
    Files.move(jar, root.resolve("ferry.jar"));
    Files.setLastModifiedTime(root.resolve("pom.xml"), FileTime.from(Instant.now().plusSeconds(9)));

    assertRunsAsEver("ls", "a b", "");
    Run bench = run(ferry("bench"));
    assertThat(bench.code()).isEqualTo(1);
    assertThat(bench.err())
        .isEqualTo("ferry: the bench is not installed: run it from Ferry's sources\n");
    try (Stream<Path> beside = Files.list(root)) {
      assertThat(beside.filter(file -> file.toString().contains(".jsa"))).isEmpty();
    }

    Path runtime = Files.createDirectories(root.resolve("runtime/bin"));
    Path java = Files.writeString(runtime.resolve("java"), "#!/bin/sh\necho own runtime\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(root.resolve("runtime/release"), "JAVA_VERSION=\"17.0.15\"\n");
    assertThat(run(ferry("ls"))).isEqualTo(new Run(0, "own runtime\n", ""));
  }

  @Test
  void serve_fromObjectStore_hasBothJarsAndTheArchive() throws Exception {
    Path s3 = Files.createDirectories(root.resolve("ferry-s3/target")).resolve("ferry-s3.jar");
    Files.copy(jar, s3);
    String[] command = {"serve", "s3://bucket/a b", "--read-only"};
    if (THOROUGH) {
      assertRunsAsEver(command);
      awaitArchive();
    } else {
      makeNoArchive();
    }

    ProcessBuilder ferry = ferry(command);
    ferry.environment().put("FERRY_JAVA_OPTS", "-Xlog:class+load -XshowSettings:properties");
    Run run = run(ferry);
    assertThat(run.err()).contains(jar.toString(), s3.toString());
    if (THOROUGH) {
      assertThat(run.out()).contains("dev.ferry.cli.Main source: shared objects file");
    }

    Files.move(jar, root.resolve("ferry.jar"));
    // The program says what is missing.
    assertRunsAsEver(command);
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void run_otherJar_makesAnotherArchive() throws Exception {
    assertRunsAsEver("ls");
    Path first = awaitArchive();
    Path kept = Files.copy(first, root.resolve("kept"));
    makeJar();
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(1)));

    assertRunsAsEver("ls");
    while (archives().contains(first)) {
      Thread.sleep(20);
    }
    Path second = awaitArchive();
    assertThat(sourceOfMain()).contains("shared objects file");

    // The JVM looks itself, should an archive have the wrong name.
    Files.move(kept, second, StandardCopyOption.REPLACE_EXISTING);
    assertRunsAsEver("ls");
    assertThat(sourceOfMain()).contains(jar.toString());
  }

  /** A JVM with two collectors, or less memory than it begins with, does not start. */
  @ParameterizedTest
  @CsvSource({
    "-XX:+UseG1GC, ls",
    "-Xmx16m, sync",
    "-Xms8m -Xmn2m, serve",
    "-XX:MaxRAMPercentage=1, serve"
  })
  void run_collectorOrHeapOfTheUser_isTheOneThatHolds(String option, String one) throws Exception {
    // One that begins while the test's folder is deleted would be left in it.
    makeNoArchive();
    for (String command : THOROUGH ? List.of("ls", "sync", "serve") : List.of(one)) {
      ProcessBuilder ferry = ferry(command);
      ferry.environment().put("FERRY_JAVA_OPTS", option);
      assertThat(run(ferry)).isEqualTo(new Run(7, command + "\n", "err\n"));
    }
  }

  static Stream<String> heapsOfAServer() {
    return Stream.of("", "-Xmx512m -Xmx1g", "-Xmx100m").limit(Round.times(2, 3));
  }

  @ParameterizedTest
  @MethodSource("heapsOfAServer")
  void run_roomForTheHeapOfAServer_hasItsCollector(String option) throws Exception {
    makeNoArchive();
    ProcessBuilder ferry = ferry("serve");
    ferry.environment().put("FERRY_JAVA_OPTS", option + " -Xlog:gc");
    assertThat(run(ferry).out()).contains("Using Serial").endsWith("serve\n");
  }

  @Test
  void run_folderThatCannotBeWritten_runsWithout() throws Exception {
    Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
      ProcessBuilder ferry = ferry("ls");
      if (isRoot) {
        ferry.command().addAll(0, List.of("setpriv", "--bounding-set=-dac_override"));
      }
      assertThat(run(ferry)).isEqualTo(new Run(7, "ls\n", "err\n"));
      assertThat(claims()).isEmpty();
    } finally {
      Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  @Test
  void run_archiveThatCannotBeMade_runsWithoutAndTriesOnce() throws Exception {
    Path script = root.resolve("tools/archive-classes.sh");
    String broken = Files.readString(script).replace("dev.ferry.cli.TrainingRun", "no.such.Class");
    Files.writeString(script, broken);

    assertRunsAsEver("ls");
    // The claim comes before the work.
    for (int idle = 0; idle < 20; idle = claims().isEmpty() || isAtWork() ? 0 : idle + 1) {
      Thread.sleep(20);
    }
    FileTime tried = Files.getLastModifiedTime(claims().get(0));
    assertRunsAsEver("ls");
    assertThat(Files.getLastModifiedTime(claims().get(0))).isEqualTo(tried);
    assertThat(archives()).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void run_parallelCalls_makeOneArchive() throws Exception {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(
          ferry("ls")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor()).isEqualTo(7);
    }
    awaitArchive();
    assertThat(sourceOfMain()).contains("shared objects file");
    assertThat(archives()).hasSize(1);
  }

  @Test
  void run_standardInput_isTheCommands() throws Exception {
    makeNoArchive();
    assertThat(run(ferry("read"))).isEqualTo(new Run(7, "read\nin", "err\n"));
  }

  @Test
  void run_closedStandardStreams_areNoFilesOfTheJvm() throws Exception {
    makeNoArchive();
    ProcessBuilder shell = ferry();
    shell.command("sh", "-c", "exec \"$0\" read <&-", root.resolve("ferry").toString());
    assertThat(run(shell).err()).contains("err\n", "java.io.IOException: Bad file descriptor");
    shell.command("sh", "-c", "exec \"$0\" ls >&- 2>&-", root.resolve("ferry").toString());
    assertThat(run(shell)).isEqualTo(new Run(7, "", ""));
  }

  @Test
  void run_signal_reachesTheCommand() throws Exception {
    makeNoArchive();
    Process process = ferry("wait").redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      assertThat(process.inputReader().readLine()).isEqualTo("wait");
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  /**
   * Has a program in place of Maven, which says what Maven says, and keeps its arguments.
   *
   * @param end its last commands; the jars are in the folder {@code $ready}
   */
  private ProcessBuilder ferryWithMaven(String end, String... arguments) throws IOException {
    Path maven = maven(Files.createDirectories(root.resolve("maven")).resolve("mvn"), end);
    ProcessBuilder ferry = ferry(arguments);
    ferry.environment().merge("PATH", maven.getParent() + ":", (path, first) -> first + path);
    return ferry;
  }

  private Path maven(Path program, String end) throws IOException {
    Path ready = Files.createDirectories(root.resolve("ready"));
    for (String name : List.of("ferry.jar", "ferry-bench.jar")) {
      Files.copy(jar, ready.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(
        program,
        """
        #!/bin/sh
        ready=%s
        echo "$@" >$ready/arguments
        echo 'Downloading from central: https://example.org/a.jar'
        echo 'Downloaded from central: https://example.org/a.jar (1 kB at 1 kB/s)'
        echo '[INFO] Building Ferry Core 0.1.0                             [1/2]'
        echo '[INFO] Building ferry-cli 0.1.0                              [2/2]'
        %s
        """
            .formatted(ready, end));
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program;
  }

  @Test
  void build_withoutMaven_takesItsWrapper() throws Exception {
    makeNoArchive();
    maven(root.resolve("mvnw"), "cp $ready/ferry.jar ferry-cli/target");
    ProcessBuilder ferry = ferry("ls");
    ferry.environment().put("PATH", programsWithoutMaven().toString());
    Files.delete(jar);

    assertThat(run(ferry).out()).isEqualTo("ls\n");
  }

  private Path programsWithoutMaven() throws IOException {
    Path programs = Files.createDirectory(root.resolve("programs"));
    for (String folder : System.getenv("PATH").split(":")) {
      if (Files.isDirectory(Path.of(folder))) {
        try (Stream<Path> all = Files.list(Path.of(folder))) {
          for (Path program : all.filter(path -> !path.endsWith("mvn")).toList()) {
            Path link = programs.resolve(program.getFileName());
            if (Files.notExists(link, LinkOption.NOFOLLOW_LINKS)) {
              Files.createSymbolicLink(link, program);
            }
          }
        }
      }
    }
    return programs;
  }

  @Test
  void build_ofEachModule_saysSo() throws Exception {
    if (!THOROUGH) {
      makeNoArchive();
    }
    ProcessBuilder ferry = ferryWithMaven("cp $ready/ferry.jar ferry-cli/target", "ls");
    ferry.environment().put("MAVEN_ARGS", "--offline -X");
    Files.delete(jar);

    assertThat(run(ferry))
        .isEqualTo(
            new Run(
                7,
                "ls\n",
                """
                ferry: building (first run or sources changed) ...
                ferry: building 1 of 2: Ferry Core, 1 files downloaded
                ferry: building 2 of 2: ferry-cli, 1 files downloaded
                err
                """));
    assertThat(root.resolve("ready/arguments"))
        .content()
        .contains(" --offline -X ", "-pl ferry-cli -am package");
    assertThat(target.resolve("build.log")).content().doesNotContain("Download");
  }

  @Test
  void run_whileAJarIsBuilt_waitsForTheBuild() throws Exception {
    makeNoArchive();
    ProcessBuilder building =
        ferryWithMaven(
            "head -c 9 $ready/ferry.jar >ferry-cli/target/ferry.jar; sleep 1;"
                + " cp $ready/ferry.jar ferry-cli/target",
            "ls");
    Files.delete(jar);
    Process first =
        building
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (Files.notExists(jar) || Files.size(jar) == 0) {
      Thread.sleep(10);
    }

    assertRunsAsEver("ls");
    assertThat(first.waitFor()).isEqualTo(7);
  }

  @Test
  void build_fails_showsItsLog() throws Exception {
    ProcessBuilder ferry = ferryWithMaven("echo 'no such symbol'; exit 1", "ls");
    Files.delete(jar);

    Run run = run(ferry);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("no such symbol", "the build failed; its output is above");
    assertThat(jar).doesNotExist();
  }

  @Test
  void run_javaThatIsTooOld_saysSo() throws Exception {
    Path java = Files.createDirectories(root.resolve("old/bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019' >&2\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    ProcessBuilder ferry = ferry("ls");
    ferry.environment().put("JAVA_HOME", root.resolve("old").toString());
    String remedy = "install a JDK 17 or newer, or set JAVA_HOME to one";
    String line = "ferry: '" + java + "' is version 11: " + remedy + "\n";

    assertThat(run(ferry)).isEqualTo(new Run(1, "", line));

    // A JDK says so itself, without being run.
    Files.writeString(java, "#!/bin/sh\nexit 9\n");
    Files.writeString(root.resolve("old/release"), "A=\"b\"\nJAVA_VERSION=\"11.0.2\"\n");
    assertThat(run(ferry)).isEqualTo(new Run(1, "", line));
  }
}
