package dev.ferry.cli.program;

import dev.ferry.core.FerryVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * A program named {@code ferry} with its own commands.
 *
 * <p>Exit codes: 0 for success, 1 for a failure or that of its {@link FailureCode}, 2 for wrong
 * usage. A command whose standard output could not be written fails with that as well, unless the
 * reader has closed it. SIGHUP, SIGINT (Ctrl-C) and SIGTERM end it with 129, 130 and 143, but
 * {@code serve} exits with 0 after SIGTERM. Errors are one line on standard error.
 */
@Command(
    name = "ferry",
    scope = ScopeType.INHERIT,
    addMethodSubcommands = false,
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:success",
      "1:failure",
      "2:wrong use of the command line",
      "9:no room: standard output is on a full disk",
      "129:ended because the terminal was closed",
      "130:ended by Ctrl-C",
      "143:ended by SIGTERM"
    })
public abstract class FerryProgram implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help message and exit.")
  private boolean help;

  @Option(
      names = "--version",
      versionHelp = true,
      scope = ScopeType.INHERIT,
      description = "Print version information and exit.")
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean debug;

  /** Runs a command and exits with its exit code. */
  protected final void run(String[] args) {
    System.exit(execute(args));
  }

  /**
   * Runs a command in this process and returns its exit code. A signal during the command shuts it
   * down cleanly.
   */
  public final int execute(String[] args) {
    System.setProperty("java.util.logging.config.class", LogBridge.class.getName());
    // No option has such a type. To look for converters takes 5 ms.
    System.setProperty("picocli.converters.excludes", "java.time.*,java.sql.*");
    // No option is a closure of Groovy. To look for Groovy opens the jar.
    System.setProperty("picocli.disable.closures", "true");
    nameChannels();
    String problem = NativeText.problem(List.of(args));
    if (problem != null) {
      System.err.println("ferry: " + problem);
      return ExitCode.USAGE;
    }
    return new Execution(args).run();
  }

  /**
   * Names the JDK's own provider of channels. Otherwise it asks all modules for another one, and
   * opens the jar for it, which takes 7 ms.
   */
  private static void nameChannels() {
    String property = "java.nio.channels.spi.SelectorProvider";
    String own = "sun.nio.ch.EPollSelectorProvider";
    try {
      if (System.getProperty(property) == null && Class.forName(own) != null) {
        System.setProperty(property, own);
      }
    } catch (ClassNotFoundException e) {
      // Another system than Linux.
    }
  }

  // Classes instead of lambdas: a class data archive has no lambda whose interface is of picocli.

  /** One run of the program. It reports what could not be printed. */
  private final class Execution implements IExecutionStrategy, IParameterExceptionHandler {
    private final String[] args;
    private final InterruptOnExit interrupt = new InterruptOnExit(Thread.currentThread());
    private final StandardOutput output = new StandardOutput();
    private boolean parsed;

    Execution(String[] args) {
      this.args = args.clone();
    }

    int run() {
      String first = args.length == 0 ? "" : args[0];
      try {
        CommandLine recorded = recorded(first);
        return recorded == null
            ? run(commandLine(first))
            : run(configured(recorded).setParameterExceptionHandler(this));
      } finally {
        interrupt.finished();
      }
    }

    private int run(CommandLine line) {
      line.setOut(output.writer());
      return line.setExecutionStrategy(this).execute(args);
    }

    /** Reads the annotations for help and for the messages of wrong use, which no record has. */
    @Override
    public int handleParseException(ParameterException e, String[] words) {
      return parsed
          ? errorLine(failsByKind()).handleParseException(e, words)
          : run(commandLine(args[0]));
    }

    @Override
    public int execute(ParseResult result) {
      parsed = true;
      ParseResult leaf = leaf(result);
      if (leaf.commandSpec().userObject() instanceof StopsOnInterrupt command) {
        interrupt.arm(command);
      }
      int code = executed(new Named(), result);
      IOException lost = output.finish();
      return lost == null ? code : errorLine(true).lostOutput(code, lost, leaf);
    }
  }

  /** Runs the command that was named, or shows its help or the version. */
  private final class Named implements IExecutionStrategy {
    @Override
    public int execute(ParseResult parsed) {
      ParseResult leaf = leaf(parsed);
      if (leaf.isVersionHelpRequested()) {
        // Not by a provider, which picocli asks whenever it builds a command.
        leaf.commandSpec().version("ferry " + FerryVersion.current());
      }
      parsed(leaf);
      return new CommandLine.RunLast().execute(parsed);
    }
  }

  private static final class WholeNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      try {
        return Integer.valueOf(text);
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + text + "' is not a whole number");
      }
    }
  }

  private ErrorLine errorLine(boolean codeByKind) {
    return new ErrorLine(() -> debug, codeByKind);
  }

  /** Executes a command whose errors become exceptions: a class may lack a file that it reads. */
  private static int executed(IExecutionStrategy strategy, ParseResult parsed) {
    try {
      return strategy.execute(parsed);
    } catch (LinkageError e) {
      throw new ExecutionException(leaf(parsed).commandSpec().commandLine(), e.toString(), e);
    }
  }

  /** The whole command line, ready to execute. Tests set its writers. */
  public final CommandLine commandLine() {
    return commandLine("");
  }

  /**
   * The command line, ready to execute, perhaps without the commands that are not named.
   *
   * @param first the first argument
   */
  public final CommandLine commandLine(String first) {
    CommandLine line = new CommandLine(this);
    addCommands(line, first);
    if (failsByKind()) {
      FailureCode.addTo(line);
      HelpText.applyTo(line);
    }
    return configured(line);
  }

  private CommandLine configured(CommandLine line) {
    ErrorLine errorLine = errorLine(failsByKind());
    WholeNumber wholeNumber = new WholeNumber();
    return line.setExecutionStrategy(new Named())
        .setColorScheme(Help.defaultColorScheme(TerminalLine.isDumb() ? Ansi.OFF : Ansi.AUTO))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOptionsCaseInsensitive(true)
        .setSubcommandsCaseInsensitive(true)
        // Otherwise '@a' stands for the words of the local file a, also if it is the name of a
        // file.
        .setExpandAtFiles(false)
        .registerConverter(int.class, wholeNumber)
        .registerConverter(Integer.class, wholeNumber)
        .registerConverter(Path.class, new PathConverter())
        .setParameterExceptionHandler(errorLine)
        .setExecutionExceptionHandler(errorLine);
  }

  /** Whether there is an exit code for each kind of failure; otherwise it is 1 for all of them. */
  protected boolean failsByKind() {
    return false;
  }

  /**
   * Returns the program with the named command alone, without what only help needs; null if there
   * is no record of it.
   */
  protected @Nullable CommandLine recorded(String name) {
    return null;
  }

  /** Called with the command that the command line has named, before it is executed. */
  protected void parsed(ParseResult command) {}

  /**
   * Adds commands to those of the annotation.
   *
   * @param first the first argument. If it is the name of a command, the others may be left out: to
   *     read their annotations takes longer than most short commands.
   */
  protected void addCommands(CommandLine line, String first) {}

  private static ParseResult leaf(ParseResult parsed) {
    ParseResult leaf = parsed;
    while (leaf.hasSubcommand()) {
      leaf = leaf.subcommand();
    }
    return leaf;
  }

  /** Prints the usage if there is no command. */
  @Override
  public final Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCode.USAGE;
  }
}
