package dev.ferry.cli;

import dev.ferry.cli.program.FerryProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What one run of the whole command line did.
 *
 * @param exitCode the exit code
 * @param out its standard output
 * @param err its standard error
 */
public record Outcome(int exitCode, String out, String err) {
  /** Runs the product's command line. */
  public static Outcome of(String... args) {
    return of(new Main(), args);
  }

  /** Runs a program's command line. */
  public static Outcome of(FerryProgram program, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        program
            .commandLine(args.length == 0 ? "" : args[0])
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    int exitCode = commandLine.execute(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  /** Standard error without lines of progress, which a busy machine makes come. */
  public String complaints() {
    return err.replaceAll("(?m)^.*\\(\\d+ %\\)\\R", "");
  }
}
