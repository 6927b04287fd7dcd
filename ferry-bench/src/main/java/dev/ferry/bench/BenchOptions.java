package dev.ferry.bench;

import dev.ferry.cli.program.SizeConverter;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.lab.model.Criteria;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.network.Networks;
import dev.ferry.lab.run.Profile;
import dev.ferry.lab.run.RunSetup;
import dev.ferry.lab.run.TaxiFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ferry bench}, in the groups of its help text. */
final class BenchOptions {
  /** The description of an option of all commands that print a run. */
  static final String VERBOSE =
      "Print every column, ceiling, setting and disturbed fork, as report.md has them.";

  private BenchOptions() {}

  /** Options that select what is compared. */
  static final class What {
    @Option(
        names = "--suite",
        paramLabel = "NAME",
        description =
            "What to compare, or all (default: answer; file-transfer with a filter or tables)."
                + " Repeatable.")
    List<String> suites = List.of();

    @Option(
        names = "--tables",
        paramLabel = "NAME",
        split = ",",
        description =
            "The tables of the suite to run, such as download,rivals-download, or all (default: its"
                + " main tables).")
    List<String> tables = List.of();

    @Option(
        names = "--filter",
        paramLabel = "KEY=VALUE[,...]",
        description =
            "Run only the rows with all of these values, such as"
                + " table=download,BufferSize=64K,method=ZeroCopy, and their baselines. Repeatable:"
                + " a row runs if any filter matches. Without table= a filter searches the main"
                + " tables, and the others (see --list) if these have no such row.")
    List<String> filters = List.of();

    @Option(
        names = "--file",
        paramLabel = "PATH",
        description = "The file to move (default: a generated one).")
    @Nullable Path file;

    @Option(
        names = "--file-size",
        paramLabel = "SIZE",
        converter = SizeConverter.class,
        description = "The size of a generated file, such as 100M or 2GB (default: 25060966).")
    @Nullable Long fileSize;

    @Option(
        names = {"--list", "--dry-run"},
        description = "Only list the tables, the rows, and the time they are expected to take.")
    boolean list;

    void requireOneFile() throws LabException {
      if (fileSize != null && file != null) {
        throw LabException.usage("--file and --file-size: give only one of them");
      }
      if (fileSize != null && fileSize < 1) {
        throw LabException.usage("--file-size is " + fileSize + "; give at least 1 byte");
      }
    }

    /** Returns the size of a generated file in bytes. */
    long generatedBytes() {
      return fileSize == null ? TaxiFile.BYTES : fileSize;
    }

    /** Returns the size of the file to move in bytes. */
    long fileBytes() throws LabException {
      return file == null ? generatedBytes() : RunSetup.requireFile(file);
    }
  }

  /** Options that determine how it is measured and how long it takes. */
  static final class HowLong {
    private static final Duration TIME = Duration.ofMinutes(8);
    private static final Duration QUICK_TIME = Duration.ofMinutes(4);
    private static final Duration LEAST_TIME = Duration.ofMinutes(1);

    @Option(
        names = "--profile",
        paramLabel = "NAME",
        description =
            "How much to measure: default, quick, standard or full (default: default for the suite"
                + " answer, else quick).")
    @Nullable String profile;

    @Option(
        names = "--time",
        paramLabel = "TIME",
        converter = TimeConverter.class,
        description =
            "How long the run may take, such as 3m or 30m (default: 8m for the suite answer)."
                + " Verdicts need three forks of each row, which come first. The remaining time"
                + " goes to undecided comparisons. A run that is too short for three forks says so"
                + " after the first fork.")
    @Nullable Duration time;

    @Option(
        names = "--quick",
        description =
            "A first look in four minutes, which decides only large differences: the same as --time"
                + " 4m.")
    boolean quick;

    @Option(
        names = "--threshold",
        paramLabel = "PERCENT",
        defaultValue = "5%",
        converter = PercentConverter.class,
        description = "The smallest difference that matters (default: ${DEFAULT-VALUE}).")
    double threshold = Criteria.DEFAULT_THRESHOLD;

    @Option(
        names = "--processes",
        paramLabel = "N",
        defaultValue = "1",
        description =
            "1 (the default) runs client and server in one JVM. 2 gives each server its own JVM,"
                + " and shows heap, collections, CPU and direct memory of both.")
    int processes = 1;

    @Option(
        names = "--pin",
        description =
            "Give each end its own processors, in rows and ceilings alike. Implies --processes 2,"
                + " and needs taskset and two processors.")
    boolean pin;

    @Option(
        names = "--network",
        paramLabel = "NETWORK",
        description =
            "Put a network of real TCP between the two ends: "
                + Networks.FORMS_AS_FORMAT
                + ". Implies --processes 2, and needs Linux, a C compiler, and root or user"
                + " namespaces.")
    @Nullable String network;

    @Option(
        names = "--profiler",
        paramLabel = "NAME",
        description =
            "Profile the samples of every row: async (a flame graph, by async-profiler) or jfr (a"
                + " Flight Recorder recording), kept in the run folder under profiles/. Disturbs"
                + " the figures.")
    @Nullable String profiler;

    void requireProcesses() throws LabException {
      if (processes < 1 || processes > 2) {
        throw LabException.usage(
            "--processes is " + processes + "; give 1, or 2 for a separate server process");
      }
    }

    /**
     * Returns how long the rows may run; null for all rounds of the profile.
     *
     * @param answer whether the suite answer runs because no other was named
     */
    @Nullable Duration time(boolean answer) throws LabException {
      if (quick && (time != null || profile != null)) {
        throw LabException.usage("--quick is --time 4m; give neither --time nor --profile with it");
      }
      if (time != null && time.compareTo(LEAST_TIME) < 0) {
        throw LabException.usage("--time is %s; give a minute at least".formatted(time));
      }
      Duration whole =
          time != null ? time : quick ? QUICK_TIME : answer && profile == null ? TIME : null;
      return whole == null ? null : whole.minus(Profile.PREPARATION);
    }
  }

  /** Options for the locations of files. */
  static final class Output {
    @Option(
        names = "--out",
        paramLabel = "DIR",
        description = "The run folder, new or empty (default: a new one under results/).")
    @Nullable Path folder;

    @Option(
        names = "--open",
        description =
            "Show the report in the browser during the run. A browser on the same machine sometimes"
                + " uses a processor; forks that it disturbs are run again.")
    boolean open;

    @Option(
        names = "--resume",
        paramLabel = "RUN",
        description =
            "Continue an interrupted run, with its own options. Forks that have ended are not run"
                + " again.")
    @Nullable Path resume;

    @Option(
        names = {"-v", "--verbose"},
        description = VERBOSE)
    boolean verbose;

    @Option(
        names = "--work-dir",
        paramLabel = "DIR",
        description = "Where temporary files go (default: the system's temporary folder).")
    Path workFolder = Path.of(System.getProperty("java.io.tmpdir", "."));
  }
}
