package dev.ferry.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs many commands in a process of its own, for what is fixed when a process begins: its locale,
 * and the hosts that it knows.
 */
public final class CommandLines {
  private static final String BETWEEN = "\t";

  private CommandLines() {}

  /** Runs a command for each line of standard input, whose tabs are between the arguments. */
  public static void main(String[] args) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Outcome outcome = Outcome.of(line.split(BETWEEN, -1));
      System.out.writeBytes(
          (outcome.exitCode()
                  + BETWEEN
                  + outcome.out().strip().replaceAll("\\R", "|")
                  + BETWEEN
                  + outcome.err().strip().replaceAll("\\R", "|")
                  + "\n")
              .getBytes(StandardCharsets.UTF_8));
    }
    System.out.flush();
    System.exit(0);
  }

  /**
   * Runs commands in one process, one after another.
   *
   * @param flags those of the JVM
   * @return what each command did, with {@code |} between lines
   */
  public static List<Outcome> run(Path folder, List<String> flags, List<List<String>> commands)
      throws Exception {
    return run(folder, flags, commands, Map.of());
  }

  /**
   * Runs commands in one process, one after another.
   *
   * @param flags those of the JVM
   * @param environment variables beside those of this process
   * @return what each command did, with {@code |} between lines
   */
  public static List<Outcome> run(
      Path folder, List<String> flags, List<List<String>> commands, Map<String, String> environment)
      throws Exception {
    List<String> java = new ArrayList<>();
    java.add(ProcessHandle.current().info().command().orElseThrow());
    java.addAll(flags);
    java.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            CommandLines.class.getName()));
    Path in =
        Files.write(
            folder.resolve("commands"),
            commands.stream().map(command -> String.join(BETWEEN, command)).toList());
    Path out = folder.resolve("outcomes");
    ProcessBuilder process =
        new ProcessBuilder(java)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(folder.resolve("errors").toFile());
    process.environment().putAll(environment);
    int exitCode = process.start().waitFor();
    if (exitCode != 0) {
      throw new AssertionError(Files.readString(folder.resolve("errors")));
    }
    List<Outcome> outcomes =
        Files.readAllLines(out).stream()
            .map(line -> line.split(BETWEEN, -1))
            .map(parts -> new Outcome(Integer.parseInt(parts[0]), parts[1], parts[2]))
            .toList();
    if (outcomes.size() != commands.size()) {
      throw new AssertionError(outcomes.size() + " outcomes of " + commands.size() + " commands");
    }
    return outcomes;
  }
}
