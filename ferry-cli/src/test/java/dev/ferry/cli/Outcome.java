package dev.ferry.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What one run of the whole command line did.
 *
 * @param exitCode the exit code
 * @param out what it printed on standard output
 * @param err what it printed on standard error
 */
record Outcome(int exitCode, String out, String err) {
  static Outcome of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    int exitCode = commandLine.execute(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** Standard error without lines of progress, which a busy machine makes come. */
  String complaints() {
    return err.replaceAll("(?m)^.*\\(\\d+ %\\)\\R", "");
  }
}
