package dev.ferry.cli;

import java.util.concurrent.Callable;
import org.slf4j.bridge.SLF4JBridgeHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The {@code ferry} command.
 *
 * <p>Exit codes: 0 for success, 1 for a failure, 2 for a wrong use of the command line; 129, 130
 * and 143 where the end of the terminal, Ctrl-C or SIGTERM ended it, but for {@code serve} 0 after
 * SIGTERM. What goes wrong is one line on standard error.
 */
@Command(
    name = "ferry",
    description = "Moves files over gRPC and HTTP, and measures which way is worth it.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionLine.class,
    scope = ScopeType.INHERIT,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure",
      "2:wrong use of the command line",
      "129:ended because the terminal was closed",
      "130:ended by Ctrl-C",
      "143:ended by SIGTERM"
    },
    subcommands = {
      BenchCommand.class,
      ReportCommand.class,
      PutCommand.class,
      GetCommand.class,
      ListCommand.class,
      StatCommand.class,
      ServeCommand.class,
      HelpCommand.class
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean debug;

  /** Made by {@link #commandLine}. */
  @SuppressWarnings("NullAway.Init") // picocli injects the specification
  Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    // grpc-java logs to java.util.logging, whose default prints every warning in two lines.
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    CommandLine commandLine = commandLine();
    InterruptOnExit interrupt = new InterruptOnExit(Thread.currentThread());
    commandLine.setExecutionStrategy(
        parsed -> {
          if (leafCommand(parsed) instanceof StopsOnInterrupt command) {
            interrupt.arm(command);
          }
          return new CommandLine.RunLast().execute(parsed);
        });
    int exitCode = commandLine.execute(args);
    interrupt.finished();
    System.exit(exitCode);
  }

  /** The whole command line, ready to execute; a test sets its writers. */
  static CommandLine commandLine() {
    Main main = new Main();
    ErrorLine errorLine = new ErrorLine(() -> main.debug);
    return new CommandLine(main)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOptionsCaseInsensitive(true)
        .setSubcommandsCaseInsensitive(true)
        .registerConverter(int.class, Main::wholeNumber)
        .registerConverter(Integer.class, Main::wholeNumber)
        .setParameterExceptionHandler(errorLine)
        .setExecutionExceptionHandler(errorLine);
  }

  private static Integer wholeNumber(String text) {
    try {
      return Integer.valueOf(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no whole number");
    }
  }

  private static Object leafCommand(ParseResult parsed) {
    ParseResult leaf = parsed;
    while (leaf.hasSubcommand()) {
      leaf = leaf.subcommand();
    }
    return leaf.commandSpec().userObject();
  }

  /** Without a command there is nothing to do: shows what there is. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
