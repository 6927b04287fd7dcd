package dev.ferry.bench;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RowFilter;
import dev.ferry.lab.suite.RunPlan;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.TableSettings;
import dev.ferry.suites.tls.ProviderParameter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench} in place of what its tables fix. */
final class SettingOptions {
  /** The suite of a run that names none. */
  static final String ANSWER = "answer";

  private static final String BUFFER_SIZES = "--buffer-sizes";
  private static final String COMPRESSION = "--compression";
  private static final String VERIFY = "--verify";
  private static final String CONCURRENCY = "--concurrency";
  private static final String CONNECTIONS = "--connections";

  @Option(
      names = "--methods",
      paramLabel = "NAME",
      split = ",",
      description =
          "Run only these methods, such as ZeroCopy,Default, and their baselines: the same as"
              + " --filter method=NAME for each. If the suite answer has all of them, the default is"
              + " still that suite, and not file-transfer.")
  List<String> methods = List.of();

  @Option(
      names = BUFFER_SIZES,
      paramLabel = "SIZE",
      split = ",",
      description =
          "The sizes of chunks and copies to compare, such as 16K,64K,1M (default: those of the"
              + " tables; 1M stands for the largest, 1048512 bytes).")
  List<String> bufferSizes = List.of();

  @Option(
      names = COMPRESSION,
      paramLabel = "NAME",
      split = ",",
      description =
          "The compressions to compare, such as none,gzip:1,gzip:6,zstd:3 (default: those of the"
              + " tables). Only ZeroCopy supports zstd and other levels than gzip:1.")
  List<String> compressions = List.of();

  @Option(
      names = VERIFY,
      paramLabel = "NAME",
      split = ",",
      description =
          "The digests that both ends compare, of none,crc32c,sha256 (default: all three), in the"
              + " tables verified-download and verified-upload.")
  List<String> verifications = List.of();

  @Option(
      names = "--tls",
      description =
          "Compare the rows of the suite answer over TLS 1.3, by BoringSSL if it loads, else by the"
              + " JDK. --tables tls-download,tls-upload has rows of both.")
  boolean tls;

  @Option(
      names = CONCURRENCY,
      paramLabel = "N",
      split = ",",
      description =
          "How many files move at once in the tables of --suite file-scale, such as 1,4,16.")
  List<String> transfers = List.of();

  @Option(
      names = CONNECTIONS,
      paramLabel = "N",
      split = ",",
      description = "Over how many connections these files move, such as 1,8.")
  List<String> channels = List.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "A file of options to keep, one a line without the dashes, such as buffer-sizes=16K,64K"
              + " or pin=true (default: bench.properties in this folder, if it exists). An option of"
              + " the command line takes precedence.")
  @Nullable Path config;

  private List<String> kept = List.of();
  private List<String> ignored = List.of();

  /**
   * Returns the values of parameters.
   *
   * @param jvms the JVMs on which rows run
   */
  TableSettings tables(Jvms jvms) {
    return new TableSettings(
        Stream.of(
                new TableSettings.Setting(BUFFER_SIZES, "BufferSize", bufferSizes),
                new TableSettings.Setting(COMPRESSION, "UseCompression", compressions),
                new TableSettings.Setting(VERIFY, "Verify", verifications),
                new TableSettings.Setting(CONCURRENCY, "Transfers", transfers),
                new TableSettings.Setting(CONNECTIONS, "Channels", channels))
            .filter(setting -> !setting.texts().isEmpty())
            .toList(),
        Stream.concat(
                tls ? Stream.of(ProviderParameter.fastest()) : Stream.empty(),
                jvms.parameter().stream())
            .toList());
  }

  /**
   * Returns the rows that are compared.
   *
   * @param settings the values of parameters
   * @param tables the names of tables; empty for the main ones
   * @param filters the filters as typed; a row must match one of them and have one of the methods
   */
  RunPlan plan(
      List<Suite> suites, TableSettings settings, List<String> tables, List<String> filters)
      throws LabException {
    List<RowFilter> parsed = new ArrayList<>();
    for (String filter : withMethods(filters)) {
      parsed.add(RowFilter.parse(filter, suites, settings));
    }
    RunPlan plan =
        tables.isEmpty()
            ? RunPlan.of(suites, parsed, settings)
            : RunPlan.ofTables(suites, tables, parsed, settings);
    requireTls(plan);
    Set<String> unused =
        settings.unused(plan).stream()
            .map(TableSettings.Setting::option)
            .filter(option -> kept.stream().anyMatch(argument -> isOf(argument, option)))
            .collect(Collectors.toSet());
    settings.without(unused).requireUsed(plan);
    ignored =
        kept.stream()
            .filter(argument -> unused.stream().anyMatch(option -> isOf(argument, option)))
            .toList();
    return plan;
  }

  /** Returns whether the suite that is the default has all chosen methods, and all settings. */
  boolean areOfTheAnswer() throws LabException {
    List<Table> tables =
        Suites.named(ANSWER).stream()
            .flatMap(suite -> suite.tables().stream())
            .filter(Table::main)
            .toList();
    boolean others =
        Stream.of(compressions, verifications, transfers, channels)
            .anyMatch(setting -> !setting.isEmpty());
    return !others
        && methods.stream()
            .allMatch(
                name ->
                    tables.stream()
                        .allMatch(
                            table -> table.methods().stream().anyMatch(name::equalsIgnoreCase)));
  }

  private void requireTls(RunPlan plan) throws LabException {
    boolean answer =
        plan.groups().stream()
            .allMatch(group -> group.suite().name().equals(ANSWER) && group.table().main());
    if (tls && !answer) {
      throw LabException.usage(
          "--tls works only for the main tables of the suite answer; for others use --suite"
              + " file-transfer --tables tls-download,tls-upload or --suite connection-reuse");
    }
  }

  private static boolean isOf(String argument, String option) {
    return argument.startsWith(option + "=");
  }

  /**
   * Tells which arguments are those of the user's file. Those that no table of the plan has are
   * then ignored, and not refused: the file is for all runs.
   *
   * @param arguments each an option with its value
   */
  void keep(List<String> arguments) {
    kept = List.copyOf(arguments);
  }

  /** Returns the arguments of the user's file that make no difference to the plan. */
  List<String> ignored() {
    return ignored;
  }

  private List<String> withMethods(List<String> filters) {
    if (methods.isEmpty()) {
      return filters;
    }
    List<String> ofMethods = methods.stream().map(name -> "method=" + name).toList();
    return filters.isEmpty()
        ? ofMethods
        : filters.stream()
            .flatMap(filter -> ofMethods.stream().map(method -> filter + "," + method))
            .toList();
  }
}
