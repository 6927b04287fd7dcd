package dev.ferry.cli;

import dev.ferry.cli.client.ProxyVariables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that runs several commands one after another, each with the standard streams and the
 * terminal of the process, in the time that one JVM needs to start.
 */
public final class ExecutedCommands {
  private static final String BETWEEN = "\t";
  private static final Pattern END = Pattern.compile("^=(\\d+)\\R", Pattern.MULTILINE);

  private ExecutedCommands() {}

  /**
   * Runs a command for each line of a file, whose tabs are between the arguments, and prints its
   * exit code on standard error.
   */
  public static void main(String[] args) throws IOException {
    ProxyVariables.install(System.getenv());
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      int code = new Main(System.getenv()).execute(line.split(BETWEEN, -1));
      System.err.println("=" + code);
    }
    System.exit(0);
  }

  /** Writes the file for a run. */
  public static Path write(Path file, List<List<String>> commands) throws IOException {
    return Files.write(
        file, commands.stream().map(command -> String.join(BETWEEN, command)).toList());
  }

  /** Runs commands on a terminal. */
  public static PseudoTerminal onTerminal(Path file, List<List<String>> commands)
      throws IOException {
    return new PseudoTerminal(
        PseudoTerminal.ferry(ExecutedCommands.class) + " '" + write(file, commands) + "'");
  }

  /** Returns the exit code of each command, and what it wrote to standard error. */
  public static List<Outcome> outcomes(String err) {
    List<Outcome> outcomes = new ArrayList<>();
    Matcher end = END.matcher(err);
    int begin = 0;
    while (end.find()) {
      outcomes.add(
          new Outcome(Integer.parseInt(end.group(1)), "", err.substring(begin, end.start())));
      begin = end.end();
    }
    return outcomes;
  }
}
