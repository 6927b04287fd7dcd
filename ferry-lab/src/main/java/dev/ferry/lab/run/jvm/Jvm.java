package dev.ferry.lab.run.jvm;

import dev.ferry.lab.model.LabException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM that can run forks.
 *
 * @param home its folder as the user gave it, as an absolute path
 * @param version its version, such as {@code 17.0.15}
 * @param runtime its version with the build
 * @param vm the name of the virtual machine
 * @param feature the number of its Java release
 */
public record Jvm(Path home, String version, String runtime, String vm, int feature) {
  private static final int LEAST_FEATURE = 17;
  private static final int PATIENCE_SECONDS = 60;

  /** From this release on a JVM warns about native code without a flag. */
  private static final int ASKS_FOR_NATIVE_ACCESS = 22;

  /** From this release on a JVM warns about Unsafe without a flag. */
  private static final int ASKS_FOR_UNSAFE = 23;

  /** Returns the JVM of this process. */
  static Jvm own() {
    return new Jvm(
        ownHome(),
        System.getProperty("java.version", "unknown"),
        Runtime.version().toString(),
        System.getProperty("java.vm.name", "unknown"),
        Runtime.version().feature());
  }

  private static Path ownHome() {
    return Path.of(System.getProperty("java.home", ""));
  }

  /**
   * Starts a JVM once, to find out what it is and whether it accepts the flags.
   *
   * @param given its folder, or its program {@code bin/java}
   * @throws LabException if it does not start
   */
  static Jvm start(Path given, JvmFlags flags) throws LabException {
    Path home = home(given);
    List<String> command = new ArrayList<>();
    command.add(program(home).toString());
    command.addAll(flags.all());
    command.addAll(List.of("-XshowSettings:properties", "-version"));
    List<String> lines;
    try {
      lines = output(command);
    } catch (IOException e) {
      throw LabException.usage(
          "%s does not start: %s; correct --java, --jvm-args, --heap or --gc"
              .formatted(program(home), e.getMessage()));
    }
    Map<String, String> properties = new HashMap<>();
    for (String line : lines) {
      String[] pair = line.split(" = ", 2);
      if (pair.length == 2) {
        properties.put(pair[0].strip(), pair[1].strip());
      }
    }
    Jvm jvm =
        new Jvm(
            home,
            properties.getOrDefault("java.version", "unknown"),
            properties.getOrDefault("java.runtime.version", "unknown"),
            properties.getOrDefault("java.vm.name", "unknown"),
            feature(properties.getOrDefault("java.specification.version", "")));
    if (jvm.feature < LEAST_FEATURE) {
      throw LabException.usage(
          "--java: %s is Java %s; give a JDK %d or newer"
              .formatted(given, jvm.version, LEAST_FEATURE));
    }
    return jvm;
  }

  private static Path home(Path given) throws LabException {
    Path path = given.toAbsolutePath().normalize();
    Path bin = path.getParent();
    Path home = Files.isDirectory(path) || bin == null ? path : bin.getParent();
    boolean found =
        home != null
            && Files.isExecutable(program(home))
            && (home.equals(path) || program(home).equals(path));
    if (home == null || !found) {
      throw LabException.usage(
          "--java: %s is not a JDK; give a folder that has bin/java".formatted(given));
    }
    return home;
  }

  private static Path program(Path home) {
    return home.resolve("bin").resolve("java");
  }

  private static int feature(String specification) {
    // That of Java 8 was 1.8.
    return specification.matches("\\d{1,4}") ? Integer.parseInt(specification) : 0;
  }

  private static List<String> output(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("no end after " + PATIENCE_SECONDS + " s");
      }
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      List<String> lines = text.lines().filter(line -> !line.isBlank()).toList();
      if (process.exitValue() != 0) {
        throw new IOException(reason(lines));
      }
      return lines;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns the line of a JVM's complaint that says what is wrong. */
  private static String reason(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.contains("Picked up "))
        .filter(line -> !line.startsWith("Error occurred during initialization"))
        .filter(line -> !line.contains(" warning: "))
        .findFirst()
        .orElse("no reason given")
        .strip();
  }

  /** Returns the program. */
  public Path program() {
    return program(home);
  }

  /** Returns whether it is the JVM of this process, even if through another path. */
  public boolean isOwn() {
    try {
      return Files.isSameFile(program(), program(ownHome()));
    } catch (IOException e) {
      // One of them has been removed, and they are not the same.
      return false;
    }
  }

  /** Returns the flags that Ferry's own commands have on this JVM. */
  public List<String> flags() {
    List<String> flags = new ArrayList<>();
    if (feature >= ASKS_FOR_NATIVE_ACCESS) {
      flags.add("--enable-native-access=ALL-UNNAMED");
    }
    if (feature >= ASKS_FOR_UNSAFE) {
      flags.add("--sun-misc-unsafe-memory-access=allow");
    }
    return flags;
  }
}
