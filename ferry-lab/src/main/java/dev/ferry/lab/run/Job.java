package dev.ferry.lab.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one fork has to do, as the parent writes it down for it: a row, or ceilings by turns.
 *
 * @param row the row; null for ceilings
 * @param ceilings the ceilings; null for a row
 * @param load what a sample does; null for the run's own file, once
 * @param round the pass, from 0
 * @param settings warm-up and samples
 * @param processes 1, or 2 if the row's server has a process of its own
 * @param store folder of the server's files
 * @param client folder of the client's files
 * @param source the file to move
 * @param size its bytes
 * @param sha256 its digest, hexadecimal
 * @param samples files to append samples to: one for the row, or one for each ceiling
 * @param failure file to write a failure's reason to
 * @param profiler what watches the samples, null for nothing
 * @param profile file for what it saw, null without one
 */
record Job(
    @Nullable RowKey row,
    @Nullable CeilingFork ceilings,
    @Nullable Load load,
    int round,
    Settings settings,
    int processes,
    Path store,
    Path client,
    Path source,
    long size,
    String sha256,
    List<Path> samples,
    Path failure,
    @Nullable Profiler profiler,
    @Nullable Path profile) {
  /** System property of a fork: the file that holds its job. */
  static final String PROPERTY = "ferry.lab.job";

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** The job of this fork. */
  static Job ofFork() throws IOException {
    return JSON.readValue(Path.of(System.getProperty(PROPERTY, "")).toFile(), Job.class);
  }

  /** Leaves it for a fork. */
  void write(Path file) throws IOException {
    JSON.writeValue(file.toFile(), this);
  }

  Workplace workplace() throws IOException {
    return new Workplace(store, client, source, size, Sha256.of(HexFormat.of().parseHex(sha256)));
  }

  /** What it measures, for people. */
  String title() {
    return ceilings == null
        ? String.valueOf(row)
        : ceilings.keys().stream().map(CeilingKey::toString).collect(Collectors.joining("; "));
  }
}
