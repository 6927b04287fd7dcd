package dev.ferry.cli;

import dev.ferry.core.FerryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says in one line on standard error what went wrong, and picks the exit code. */
final class ErrorLine implements IParameterExceptionHandler, IExecutionExceptionHandler {
  /** What a shell reports for a process that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  private final BooleanSupplier debug;

  ErrorLine(BooleanSupplier debug) {
    this.debug = debug;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String help = command.getCommandSpec().qualifiedName() + " --help";
    print(command, describe(e) + "; try '" + help + "'", e);
    return ExitCode.USAGE;
  }

  private static String describe(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      return "unknown argument '"
          + unmatched.getUnmatched().get(0)
          + "'"
          + (suggestions.isEmpty() ? "" : ", did you mean '" + suggestions.get(0) + "'?");
    }
    return String.valueOf(e.getMessage());
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof InterruptedException) {
      print(command, "interrupted", e);
      return INTERRUPTED;
    }
    print(command, describe(e), e);
    return ExitCode.SOFTWARE;
  }

  private static String describe(Exception e) {
    if (e instanceof FerryException) {
      return String.valueOf(e.getMessage());
    }
    if (e instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return describe(unchecked.getCause());
    }
    if (e instanceof IOException io) {
      // The JDK's own say little more than the file's name; their type says the rest.
      return String.valueOf(FerryException.of(io, io.getClass().getSimpleName()).getMessage());
    }
    return "internal error, please report it with the output of --debug: " + e;
  }

  private void print(CommandLine command, String message, Exception e) {
    command
        .getErr()
        .println(command.getCommandSpec().qualifiedName() + ": " + PlainText.oneLine(message));
    if (debug.getAsBoolean()) {
      e.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }
}
