package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Runs {@linkplain FuzzTarget fuzz targets}: with the inputs of their corpora, and with those that
 * Jazzer makes of them, in a process of its own. Only that process loads Jazzer, whose agent would
 * slow down all other tests of a JVM.
 *
 * <p>Beside what a target asserts, no input may take more memory than {@link #MOST_ALLOCATED} and
 * {@link #MOST_ALLOCATED_EACH} for each of its bytes. By hand, none of up to {@link #MOST_BYTES}
 * may take longer than {@link #MOST_MILLIS}, nor one that repeats a part of it until it has that
 * size: work is linear in what a stranger sends.
 */
public final class Fuzzing {
  /** Seconds for which Jazzer looks for new inputs; a thorough build has some by default. */
  private static final String SECONDS = "ferry.fuzz.seconds";

  /** Whether inputs that reach new code get into the corpus. */
  private static final String KEEP = "ferry.fuzz.keep";

  private static final String MEASURED = "ferry.fuzz.measured";
  private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";

  /**
   * Hooks of Jazzer that are left out: they look for faults that Ferry cannot have, or take much
   * more than what they hook.
   */
  private static final List<String> UNUSED_HOOKS =
      List.of(
          "BigDecimal",
          "ClojureLangHooks",
          "Deserialization",
          "ExpressionLanguageInjection",
          "FilePathTraversal",
          "LdapInjection",
          "NamingContextLookup",
          "OsCommandInjection",
          "ReflectiveCall",
          "RegexInjection",
          "RegexRoadblocks",
          "ScriptEngineInjection",
          "ServerSideRequestForgery",
          "SqlInjection",
          "TemplateInjection",
          "UnsafeSanitizer",
          "XPathInjection",
          "XmlParserSsrfGuidance");

  private static final int THOROUGH_SECONDS = 3;
  private static final int MOST_BYTES = 15 * 1024;
  private static final long MOST_MILLIS = 250;

  /** Bytes for each input, and for each byte of it. */
  private static final long MOST_ALLOCATED = 16L << 20;

  private static final int MOST_ALLOCATED_EACH = 8 * 1024;

  /** How many inputs there are for each one of which a part is repeated. */
  private static final int REPEATED_EACH = 8;

  private static final int TRIES = 5;
  private static final int MOST_LINES = 60;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** How often as much an input may take whose parser Jazzer watches: its hooks allocate, too. */
  private static final int WATCHED = 8;

  private static int times = 1;

  /** Jazzer calls static methods. */
  private static FuzzTarget target = input -> {};

  private Fuzzing() {}

  static void run(FuzzTarget target) throws Exception {
    String name = target.getClass().getSimpleName().replaceFirst("Test$", "");
    Path corpus = Path.of("src/test/corpus", name);
    List<Path> inputs = files(corpus);
    assertThat(inputs).as("inputs in %s", corpus.toAbsolutePath()).isNotEmpty();
    for (Path input : inputs) {
      try {
        check(target, Files.readAllBytes(input));
      } catch (Exception | AssertionError e) {
        throw new AssertionError("with " + input + ": " + e.getMessage(), e);
      }
    }
    boolean thorough = Boolean.getBoolean("ferry.thorough");
    int seconds = Integer.getInteger(SECONDS, thorough ? THOROUGH_SECONDS : 0);
    if (seconds > 0) {
      new Search(target.getClass(), corpus, Path.of("target/fuzz", name)).run(seconds);
    }
  }

  /**
   * Returns a folder without files, for a target that parses files. It is the same one each time:
   * what was there before is deleted.
   */
  public static Path emptyFolder(String name) throws IOException {
    Path folder = Path.of("target", "fuzz-" + name);
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    return Files.createDirectories(folder);
  }

  private static List<Path> files(Path folder) throws IOException {
    if (Files.notExists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Jazzer calls this once. */
  public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
    var constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    times = WATCHED;
    target = (FuzzTarget) constructor.newInstance();
  }

  /** Jazzer calls this for each input. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    check(target, input);
    CRC32C crc = new CRC32C();
    crc.update(input);
    long choice = crc.getValue();
    if (input.length > 1 && choice % REPEATED_EACH == 0) {
      byte[] repeated = repeat(input, choice / REPEATED_EACH);
      try {
        check(target, repeated);
      } catch (Exception | Error e) {
        Path file = Path.of("repeated-" + HexFormat.of().toHexDigits(choice));
        Files.write(file, repeated);
        throw new AssertionError("with the file " + file + ": " + e, e);
      }
    }
  }

  /** Repeats a part of an input, which the choice selects. */
  private static byte[] repeat(byte[] input, long choice) {
    int from = (int) (choice % input.length);
    int length = 1 + (int) (choice / input.length % Math.min(64, input.length - from));
    byte[] repeated = new byte[MOST_BYTES];
    System.arraycopy(input, 0, repeated, 0, Math.min(from, MOST_BYTES));
    int tail = Math.min(input.length - from - length, MOST_BYTES / 2);
    int i = from;
    for (; i < MOST_BYTES - tail; i++) {
      repeated[i] = input[from + (i - from) % length];
    }
    if (i < MOST_BYTES) {
      System.arraycopy(input, from + length, repeated, i, MOST_BYTES - i);
    }
    return repeated;
  }

  /** What one run of the parser took of its thread. */
  private record Cost(int input, long millis, long bytes) {
    static Cost of(FuzzTarget target, byte[] input) throws Exception {
      long bytes = THREADS.getCurrentThreadAllocatedBytes();
      long nanos = THREADS.getCurrentThreadCpuTime();
      target.parse(input);
      nanos = THREADS.getCurrentThreadCpuTime() - nanos;
      bytes = THREADS.getCurrentThreadAllocatedBytes() - bytes;
      return new Cost(input.length, TimeUnit.NANOSECONDS.toMillis(nanos), bytes);
    }

    boolean isHigh() {
      return bytes > times * (MOST_ALLOCATED + (long) MOST_ALLOCATED_EACH * input)
          || (Boolean.getBoolean(MEASURED) && millis > MOST_MILLIS);
    }
  }

  private static void check(FuzzTarget target, byte[] input) throws Exception {
    Cost cost = Cost.of(target, input);
    // Code that runs for the first time is loaded and compiled.
    for (int i = 1; i < TRIES && cost.isHigh(); i++) {
      cost = Cost.of(target, input);
    }
    if (cost.isHigh()) {
      throw new AssertionError("the parser took too much: " + cost);
    }
  }

  /**
   * Jazzer at work for one target.
   *
   * @param corpus the inputs that are kept in the repository
   * @param folder where this and later runs leave what they find
   */
  private record Search(Class<?> target, Path corpus, Path folder) {
    private static final int MOST_MINUTES_OF_MERGE = 10;

    /** The SHA-1 of an input, as Jazzer names it. */
    private static final Pattern FOUND = Pattern.compile("[0-9a-f]{40}");

    void run(int seconds) throws Exception {
      Path found = Files.createDirectories(folder.resolve("found"));
      Path log = folder.resolve("log");
      int code =
          jazzer(
              log,
              Duration.ofSeconds(seconds).plusMinutes(10),
              List.of(
                  "-max_total_time=" + seconds,
                  "-timeout=120",
                  "-rss_limit_mb=2048",
                  "-max_len=" + MOST_BYTES,
                  "-use_value_profile=0",
                  absolute(found),
                  absolute(corpus)));
      List<String> lines = Files.readAllLines(log);
      assertThat(code)
          .as(
              "Jazzer in %s; its last lines:%n%s",
              folder.toAbsolutePath(),
              String.join(
                  "\n", lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size())))
          .isZero();
      if (Boolean.getBoolean(KEEP)) {
        keep(found);
      }
    }

    /**
     * Replaces the inputs that Jazzer has found by the fewest that reach the same code. Those to
     * which people gave names stay.
     */
    private void keep(Path found) throws Exception {
      Path merged = Files.createDirectories(folder.resolve("merged"));
      for (Path old : files(merged)) {
        Files.delete(old);
      }
      Path log = folder.resolve("merge.log");
      int code =
          jazzer(
              log,
              Duration.ofMinutes(MOST_MINUTES_OF_MERGE),
              List.of(
                  "-set_cover_merge=1",
                  "-use_counters=0",
                  absolute(merged),
                  absolute(corpus),
                  absolute(found)));
      assertThat(code).as("Jazzer's merge: see %s", log).isZero();
      for (Path old : files(corpus)) {
        if (FOUND.matcher(String.valueOf(old.getFileName())).matches()) {
          Files.delete(old);
        }
      }
      List<String> named = new ArrayList<>();
      for (Path old : files(corpus)) {
        named.add(digest(old));
      }
      for (Path input : files(merged)) {
        if (!named.contains(digest(input))) {
          Files.copy(input, corpus.resolve(input.getFileName()));
        }
      }
    }

    private static String digest(Path file) throws IOException {
      return Sha256.ofFile(file).toHex();
    }

    private int jazzer(Path log, Duration most, List<String> arguments) throws Exception {
      List<String> command =
          new ArrayList<>(
              List.of(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-Xmx1g",
                  "-XX:+UseSerialGC",
                  "-XX:-OmitStackTraceInFastThrow",
                  "-Dio.netty.leakDetection.level=disabled",
                  "-D" + MEASURED + "=" + (System.getProperty(SECONDS) != null),
                  "-cp",
                  classPath(),
                  JAZZER,
                  "--target_class=" + Fuzzing.class.getName(),
                  "--target_args=" + target.getName(),
                  "--instrumentation_includes="
                      + "dev.ferry.**:io.netty.handler.codec.http.**:com.nimbusds.**",
                  "--custom_hook_includes=dev.ferry.**",
                  "--disabled_hooks="
                      + UNUSED_HOOKS.stream()
                          .map("com.code_intelligence.jazzer.sanitizers."::concat)
                          .collect(Collectors.joining(":")),
                  "--reproducer_path=" + absolute(folder)));
      command.addAll(arguments);
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        return process.waitFor(most.toSeconds(), TimeUnit.SECONDS) ? process.exitValue() : -1;
      } finally {
        process.destroyForcibly();
      }
    }

    private static String classPath() {
      String path = System.getProperty("java.class.path", "");
      assertThat(path).as("class path; -Pthorough adds Jazzer").contains("jazzer");
      return String.join(
          ":", Arrays.stream(path.split(":")).map(entry -> absolute(Path.of(entry))).toList());
    }

    private static String absolute(Path path) {
      return path.toAbsolutePath().toString();
    }
  }
}
