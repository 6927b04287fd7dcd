package dev.ferry.cli;

import dev.ferry.cli.client.CatCommand;
import dev.ferry.cli.client.CopyCommand;
import dev.ferry.cli.client.GetCommand;
import dev.ferry.cli.client.ListCommand;
import dev.ferry.cli.client.MakeDirectoryCommand;
import dev.ferry.cli.client.MoveCommand;
import dev.ferry.cli.client.ProxyVariables;
import dev.ferry.cli.client.PutCommand;
import dev.ferry.cli.client.RemoveCommand;
import dev.ferry.cli.client.StatCommand;
import dev.ferry.cli.completion.CompletionCommand;
import dev.ferry.cli.defaults.ConfigCommand;
import dev.ferry.cli.defaults.OptionDefaults;
import dev.ferry.cli.manual.ManPagesCommand;
import dev.ferry.cli.program.FerryProgram;
import dev.ferry.cli.program.HelpCommand;
import dev.ferry.cli.program.RecordedCommands;
import dev.ferry.cli.sync.CheckCommand;
import dev.ferry.cli.sync.SyncCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The {@code ferry} command without the bench, which is a separate program. */
@Command(description = "Moves files over gRPC and HTTP, and benchmarks both.")
public final class Main extends FerryProgram {
  /** The property of the JVM that names the file of {@link RecordedCommands}. */
  static final String COMMANDS_FILE = "ferry.commands";

  private final OptionDefaults defaults;

  /** Creates a program without defaults of the user. */
  public Main() {
    this(Map.of());
  }

  /**
   * @param environment the variables with defaults of options
   */
  Main(Map<String, String> environment) {
    defaults =
        new OptionDefaults(
            environment,
            // No lambda: see FerryProgram.
            new Supplier<>() {
              @Override
              public CommandLine get() {
                return newCommandLine();
              }
            });
  }

  /** Runs the command and exits with its exit code. */
  public static void main(String[] args) {
    ProxyVariables.install(System.getenv());
    new Main(System.getenv()).run(args);
  }

  /**
   * Writes what {@link #COMMANDS_FILE} names: the commands that look at no other, which help and
   * completion do.
   */
  public static void record(Path file) throws IOException {
    RecordedCommands.write(file, newCommandLine(), commands());
  }

  /** The whole command line, ready to execute. Tests set its writers. */
  static CommandLine newCommandLine() {
    return new Main().commandLine();
  }

  @Override
  protected boolean failsByKind() {
    return true;
  }

  @Override
  protected void addCommands(CommandLine line, String first) {
    Class<?> named = named(first);
    if (named == null) {
      addAll(line);
    } else {
      line.addSubcommand(named);
    }
    defaults.addTo(line);
  }

  @Override
  protected @Nullable CommandLine recorded(String name) {
    String file = System.getProperty(COMMANDS_FILE);
    if (file == null) {
      return null;
    }
    try {
      CommandLine line = RecordedCommands.read(Path.of(file), this, name);
      if (line != null) {
        defaults.addTo(line);
      }
      return line;
    } catch (IOException | ReflectiveOperationException | RuntimeException e) {
      // The file is of another build, or damaged. The annotations say the same.
      return null;
    }
  }

  /** Returns the classes of all commands. A constant would load them all for each command. */
  private static List<Class<?>> commands() {
    return List.of(
        ServeCommand.class,
        GetCommand.class,
        PutCommand.class,
        ListCommand.class,
        SyncCommand.class,
        CopyCommand.class,
        CheckCommand.class,
        CatCommand.class,
        StatCommand.class,
        MoveCommand.class,
        RemoveCommand.class,
        MakeDirectoryCommand.class,
        TokenCommand.class,
        DoctorCommand.class);
  }

  private static @Nullable Class<?> named(String name) {
    for (Class<?> command : commands()) {
      if (command.getAnnotation(Command.class).name().equals(name)) {
        return command;
      }
    }
    return null;
  }

  private void addAll(CommandLine line) {
    for (Class<?> command : commands()) {
      line.addSubcommand(command);
    }
    for (BenchPointer pointer :
        List.of(
            new BenchPointer(
                "bench",
                "Compares gRPC and HTTP on this machine and says which are the fastest.",
                true),
            // They are commands of bench, and were commands of their own.
            new BenchPointer("report", "Renders the reports of a run folder again.", false),
            new BenchPointer("advise", "Says what to do according to a run.", false),
            new BenchPointer("compare", "Compares the rows of runs.", false),
            new BenchPointer("judge", "Says what published benchmark tables can claim.", false))) {
      CommandSpec spec = CommandSpec.wrapWithoutInspection(pointer);
      spec.usageMessage()
          .description(pointer.description())
          .footer("", pointer.footer())
          .hidden(!pointer.listed());
      line.addSubcommand(pointer.name(), spec);
    }
    line.addSubcommand(new ConfigCommand(defaults));
    line.addSubcommand(new HelpCommand());
    line.addSubcommand(new CompletionCommand());
    line.addSubcommand(new ManPagesCommand());
  }

  @Override
  protected void parsed(ParseResult command) {
    defaults.setFlags(command);
  }
}
