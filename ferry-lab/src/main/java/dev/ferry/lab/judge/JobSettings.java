package dev.ferry.lab.judge;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What the text above a table says of the jobs of all its rows.
 *
 * @param values the settings by name, for instance {@code LaunchCount}; {@code Method} if all rows
 *     are of one method
 * @param defaults whether settings that are not in the text have their defaults. Only the block by
 *     which BenchmarkDotNet describes the environment says so; a text that names BenchmarkDotNet
 *     does not.
 */
record JobSettings(Map<String, String> values, boolean defaults) {
  static final JobSettings NONE = new JobSettings(Map.of(), false);

  private static final Pattern SETTING = Pattern.compile("(?<!\\S)(\\w+)=('[^'\\n]{1,200}'|\\S+)");

  /** The first line of the block. */
  private static final Pattern VERSION = Pattern.compile("BenchmarkDotNet[= ]v\\d.*");

  /** The line of the block that it has for the process of the harness. */
  private static final Pattern HOST = Pattern.compile("\\[Host] *:.*");

  /** The names of jobs that come with a number of iterations. */
  private static final Pattern PRESET =
      Pattern.compile("(?:Dry|ShortRun|MediumRun|LongRun|VeryLongRun)(?![A-Za-z]).*");

  /** Reads the text between a table and the one above it. */
  static JobSettings of(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    SETTING
        .matcher(text)
        .results()
        .filter(m -> m.group(1).equals("Method") || Grouping.JOB.contains(m.group(1)))
        .forEach(m -> values.put(m.group(1), m.group(2)));
    boolean version = false;
    boolean host = false;
    boolean preset = false;
    for (String line : (Iterable<String>) text.lines().map(String::strip)::iterator) {
      version |= VERSION.matcher(line).matches();
      host |= version && HOST.matcher(line).matches();
      preset |= host && isPreset(line);
    }
    return new JobSettings(values, host && !preset);
  }

  /** Returns whether a job of this name has a number of iterations of its own. */
  static boolean isPreset(String job) {
    return PRESET.matcher(job).matches();
  }

  /** Returns whether the text says nothing of jobs. */
  boolean isEmpty() {
    return values.isEmpty() && !defaults;
  }
}
