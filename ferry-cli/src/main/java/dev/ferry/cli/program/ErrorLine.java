package dev.ferry.cli.program;

import dev.ferry.core.FerryException;
import dev.ferry.core.internal.KnownNames;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.internal.SystemError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Prints errors as one line on standard error and chooses the exit code.
 *
 * @param codeByKind whether the exit code of a failure is that of its {@link FailureCode};
 *     otherwise it is 1
 */
record ErrorLine(BooleanSupplier debug, boolean codeByKind)
    implements IParameterExceptionHandler, IExecutionExceptionHandler {
  /** Exit code that a shell reports for a process that Ctrl-C ended. */
  private static final int INTERRUPTED = 130;

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String message = describe(e);
    String help = "try '" + command.getCommandSpec().qualifiedName() + " --help'";
    print(command, message + (message.endsWith("?") ? " Or " : "; ") + help, e);
    return ExitCode.USAGE;
  }

  private static String describe(ParameterException e) {
    return e instanceof UnmatchedArgumentException unmatched
        ? unknown(unmatched.getUnmatched().get(0), e.getCommandLine())
        : String.valueOf(e.getMessage());
  }

  private static String unknown(String argument, CommandLine command) {
    if (argument.startsWith("-")) {
      String option = argument.split("=", 2)[0];
      List<String> names =
          command.getCommandSpec().options().stream()
              .filter(known -> !known.hidden())
              .flatMap(known -> Stream.of(known.names()))
              .toList();
      return "unknown option '" + option + "'" + suggestion(option, names);
    }
    if (command.getSubcommands().isEmpty()) {
      return "'" + argument + "' is one argument too many";
    }
    return HelpCommand.unknown(command, argument);
  }

  /** Suggests options with this ending, such as --http-port for --port, or the nearest one. */
  private static String suggestion(String option, List<String> names) {
    List<String> longer =
        names.stream()
            .filter(name -> option.startsWith("--") && name.endsWith(option.substring(1)))
            .map(name -> "'" + name + "'")
            .toList();
    String meant =
        longer.isEmpty()
            ? KnownNames.of(names).nearest(option).map(name -> "'" + name + "'").orElse("")
            : String.join(" or ", longer);
    return meant.isEmpty() ? "" : "; did you mean " + meant + "?";
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    if (e instanceof InterruptedException) {
      print(command, "interrupted", e);
      return INTERRUPTED;
    }
    print(command, describe(e), e);
    return codeByKind ? FailureCode.of(e).code() : ExitCode.SOFTWARE;
  }

  /**
   * Reports that a command could not write all that it printed.
   *
   * @param code the exit code of the command
   * @return the exit code of the failure, if the command had none of its own
   */
  int lostOutput(int code, IOException e, ParseResult command) {
    print(
        command.commandSpec().commandLine(), describe(FerryException.of(e, "standard output")), e);
    return code == ExitCode.OK ? FailureCode.of(e).code() : code;
  }

  private static String describe(Exception e) {
    if (e instanceof FerryException || e instanceof Refusal) {
      return String.valueOf(e.getMessage());
    }
    if (e instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return describe(unchecked.getCause());
    }
    if (e instanceof IOException io) {
      return String.valueOf(FerryException.of(io, fileOf(io)).getMessage());
    }
    return SystemError.TOO_MANY_FILES.isCauseOf(e)
        ? SystemError.RAISE_LIMIT
        : "internal error; please report it with what --debug prints";
  }

  /** The file of the exception, if it is known. It is always a local file. */
  private static String fileOf(IOException e) {
    return e instanceof FileSystemException known && known.getFile() != null
        ? known.getFile()
        : "a local file";
  }

  private void print(CommandLine command, String message, Exception e) {
    command
        .getErr()
        .println(command.getCommandSpec().qualifiedName() + ": " + PlainText.of(message));
    if (debug.getAsBoolean()) {
      e.printStackTrace(command.getErr());
    }
    command.getErr().flush();
  }
}
